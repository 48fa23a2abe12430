//! Elements of a picture as text.

use std::fmt::{self, Display, Write};

/// SVG elements, one a line.
#[derive(Default)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// What was written.
    pub fn into_text(self) -> String {
        self.text
    }

    /// One line as it is.
    pub fn line(&mut self, line: impl Display) {
        _ = writeln!(self.text, "{line}");
    }

    /// A rectangle of a class, with a title that shows when the mouse is over it.
    pub fn rect(&mut self, class: &str, area: Area, title: Option<&str>) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        _ = write!(
            self.text,
            r#"<rect class="{class}" x="{}" y="{}" width="{}" height="{}""#,
            Num(x),
            Num(y),
            Num(width),
            Num(height)
        );
        _ = match title {
            Some(title) => writeln!(self.text, "><title>{}</title></rect>", Escaped(title)),
            None => writeln!(self.text, "/>"),
        };
    }

    /// A straight line of a class.
    pub fn stroke(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.line(format_args!(
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            Num(from.0),
            Num(from.1),
            Num(to.0),
            Num(to.1)
        ));
    }

    /// Text of a class, its anchor at a point.
    pub fn label(&mut self, class: &str, at: (f64, f64), text: &str) {
        self.line(format_args!(
            r#"<text class="{class}" x="{}" y="{}">{}</text>"#,
            Num(at.0),
            Num(at.1),
            Escaped(text)
        ));
    }

    /// Text of a class that runs upwards, its anchor at a point.
    pub fn label_upwards(&mut self, class: &str, at: (f64, f64), text: &str) {
        self.line(format_args!(
            r#"<text class="{class}" transform="translate({} {}) rotate(-90)">{}</text>"#,
            Num(at.0),
            Num(at.1),
            Escaped(text)
        ));
    }
}

/// A rectangle, its top left corner first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent downwards.
    pub height: f64,
}

impl Area {
    /// Right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// Lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// The point in the middle.
    pub fn middle(&self) -> (f64, f64) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }
}

/// A coordinate with as few digits as a picture needs.
pub struct Num(pub f64);

impl Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// Text for between tags and in attributes; what XML cannot hold becomes a replacement character.
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => f.write_char(c)?,
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.001, "0"),
            (1.5, "1.5"),
            (2.0, "2"),
            (10.0, "10"),
            (1.0 / 3.0, "0.33"),
        ] {
            assert_eq!(Num(number).to_string(), expected);
        }
    }

    #[test]
    fn xml_stays_well_formed() {
        let escaped = Escaped("a<b> & \"c\"\n\u{0}").to_string();
        assert_eq!(escaped, "a&lt;b&gt; &amp; &quot;c&quot;\n\u{fffd}");
    }
}
