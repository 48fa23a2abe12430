//! Pages as text for terminals.

use std::fmt::Write;
use textwrap::{Options, WordSplitter, core::display_width};

/// Lines of prose are no longer, however wide the terminal is.
const LONGEST: usize = 100;
/// Blanks between columns.
const GAP: usize = 2;
/// A column of a wrapped table is no narrower, unless its cells are.
const NARROWEST: usize = 14;
/// How far cells are indented that stand below the first cell of their row.
const INDENT: usize = 4;

/// How pages look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The columns of the terminal.
    pub width: usize,
    /// Whether headings and code have escape sequences for bold and colour, in place of Markdown's marks.
    pub is_styled: bool,
}

/// A page's Markdown with lines of at most `width` columns, without escape sequences.
pub fn text(markdown: &str, width: usize) -> String {
    rendered(
        markdown,
        Look {
            width,
            is_styled: false,
        },
    )
}

/// A page's Markdown for a terminal. Code keeps its lines; prose and tables are wrapped.
pub fn rendered(markdown: &str, look: Look) -> String {
    let mut out = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            // The marks say nothing to a reader of the terminal.
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                push(&mut out, &format!("    {line}"));
            }
        } else if line.starts_with('|') {
            let mut rows = vec![line];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            write_table(&mut out, &rows, look);
        } else if line.starts_with('#') {
            let after = " ".repeat(line.len() - line.trim_start_matches('#').len() + 1);
            let options = options(look.width).subsequent_indent(&after);
            push(&mut out, &look.heading(&textwrap::fill(line, options)));
        } else if line.is_empty() {
            out.push('\n');
        } else {
            let mark = list_mark(line);
            let mut paragraph = line[mark.len()..].to_owned();
            let goes_on = |line: &&str| {
                !line.is_empty() && !line.starts_with(['#', '|', '`']) && list_mark(line).is_empty()
            };
            while let Some(more) = lines.next_if(goes_on) {
                paragraph.push(' ');
                paragraph.push_str(more.trim());
            }
            let after = " ".repeat(mark.len());
            let options = options(look.width.min(LONGEST))
                .initial_indent(mark)
                .subsequent_indent(&after)
                .break_words(false);
            let paragraph = look.prose(&without_links(&paragraph));
            push(&mut out, &textwrap::fill(&paragraph, options));
        }
    }
    out
}

/// Rows of two cells, the second wrapped below itself, each row indented by two blanks.
pub fn pairs(rows: &[[String; 2]], look: Look) -> String {
    let indented = rows
        .iter()
        .map(|[name, text]| vec![format!("  {name}"), text.clone()]);
    let cells: Vec<Vec<String>> = indented.collect();
    let mut out = String::new();
    write_cells(&mut out, &cells, look, false);
    out
}

impl Look {
    /// A heading on its own, without Markdown's marks where it is styled.
    pub fn heading(self, line: &str) -> String {
        match self.is_styled {
            true => self
                .bold(line.trim_start_matches('#').trim())
                .replace('`', ""),
            false => line.to_owned(),
        }
    }

    /// A text in bold.
    pub fn bold(self, text: &str) -> String {
        match self.is_styled {
            true => format!("\x1b[1m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// Prose with its code in colour.
    fn prose(self, text: &str) -> String {
        if !self.is_styled {
            return text.to_owned();
        }
        let inner = text
            .strip_prefix('*')
            .and_then(|text| text.strip_suffix('*'));
        if let Some(inner) = inner.filter(|inner| !inner.contains('*')) {
            return format!("\x1b[3m{}\x1b[0m", inner.replace('`', ""));
        }
        let mut out = String::new();
        for (number, part) in text.split('`').enumerate() {
            _ = match number % 2 {
                1 => write!(out, "\x1b[36m{part}\x1b[0m"),
                _ => write!(out, "{part}"),
            };
        }
        out
    }
}

fn options<'o>(width: usize) -> Options<'o> {
    Options::new(width).word_splitter(WordSplitter::NoHyphenation)
}

/// The indentation and the mark of an item of a list; empty for other lines.
fn list_mark(line: &str) -> &str {
    let inner = line.trim_start();
    let digits = inner.len()
        - inner
            .trim_start_matches(|one: char| one.is_ascii_digit())
            .len();
    let mark = match &inner[digits..] {
        rest if digits > 0 && rest.starts_with(". ") => digits + 2,
        rest if digits == 0 && (rest.starts_with("* ") || rest.starts_with("- ")) => 2,
        _ => return "",
    };
    &line[..line.len() - inner.len() + mark]
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Rows of Markdown as aligned columns below their headings.
fn write_table(out: &mut String, rows: &[&str], look: Look) {
    let rows = rows.iter().filter(|row| !row.starts_with("|---"));
    let cells: Vec<Vec<String>> = rows.map(|row| cells(row)).collect();
    write_cells(out, &cells, look, true);
}

/// Rows as aligned columns whose cells are wrapped; where not even their longest words fit, the cells of a row stand
/// below each other.
fn write_cells(out: &mut String, rows: &[Vec<String>], look: Look, has_head: bool) {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let room = look.width.saturating_sub(GAP * count.saturating_sub(1));
    let Some(widths) = widths(rows, count, room) else {
        return write_stacked(out, rows, look, has_head);
    };
    for (number, row) in rows.iter().enumerate() {
        let is_head = has_head && number == 0;
        let wrapped: Vec<Vec<String>> = (row.iter().zip(&widths))
            .map(|(text, width)| {
                let lines = textwrap::wrap(text, options((*width).max(1)));
                lines.into_iter().map(|line| line.into_owned()).collect()
            })
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for at in 0..height {
            let mut line = String::new();
            for (cell, width) in wrapped.iter().zip(&widths) {
                let text = cell.get(at).map_or("", String::as_str);
                line.push_str(text);
                line.push_str(&" ".repeat((width + GAP).saturating_sub(display_width(text))));
            }
            let line = line.trim_end();
            push(
                out,
                &if is_head {
                    look.bold(line)
                } else {
                    line.to_owned()
                },
            );
        }
        if is_head {
            let all = widths.iter().sum::<usize>() + GAP * (count - 1);
            push(out, &"-".repeat(all.min(look.width)));
        }
    }
}

/// The widths of `count` columns in `room`: as wide as their cells where all fit, else at least as wide as their longest
/// words, and the narrow ones first. `None` where the words do not fit.
fn widths(rows: &[Vec<String>], count: usize, room: usize) -> Option<Vec<usize>> {
    let most = |column: usize, of: &dyn Fn(&str) -> usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|text| of(text)).max().unwrap_or(0)
    };
    let longest_word = |text: &str| text.split(' ').map(display_width).max().unwrap_or(0);
    let natural: Vec<usize> = (0..count).map(|one| most(one, &display_width)).collect();
    // A name in the first column stays on one line.
    let least = (0..count).map(|column| match column {
        0 => natural[0],
        _ => natural[column].min(most(column, &longest_word).max(NARROWEST)),
    });
    let mut widths: Vec<usize> = least.collect();
    let mut left = room.checked_sub(widths.iter().sum())?;
    let mut columns: Vec<usize> = (0..count).collect();
    columns.sort_by_key(|&column| natural[column]);
    for (at, &column) in columns.iter().enumerate() {
        let share = left / (count - at);
        let more = (natural[column] - widths[column]).min(share);
        widths[column] += more;
        left -= more;
    }
    // The widest column takes the rest.
    if let Some(&column) = columns.last() {
        widths[column] = natural[column].min(widths[column] + left);
    }
    Some(widths)
}

/// The cells of a row below each other, each with its heading.
fn write_stacked(out: &mut String, rows: &[Vec<String>], look: Look, has_head: bool) {
    let head: &[String] = match has_head {
        true => rows.first().map_or(&[], Vec::as_slice),
        false => &[],
    };
    let indent = " ".repeat(INDENT);
    for row in rows.iter().skip(usize::from(has_head)) {
        let mut cells = row.iter();
        push(out, &look.bold(cells.next().map_or("", String::as_str)));
        for (number, text) in cells.enumerate().filter(|(_, text)| !text.is_empty()) {
            let text = match head.get(number + 1).map_or("", String::as_str) {
                "" => text.clone(),
                heading => format!("{heading}: {text}"),
            };
            let options = options(look.width)
                .initial_indent(&indent)
                .subsequent_indent(&indent);
            push(out, &textwrap::fill(&text, options));
        }
    }
}

/// The texts of links and pictures, without their targets.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](")
        && let Some((_, tail)) = after.split_once(')')
        && let Some((start, about)) = before.rsplit_once('[')
    {
        out.push_str(start.strip_suffix('!').unwrap_or(start));
        out.push_str(about);
        rest = tail;
    }
    out + rest
}

/// The cells of a row, without links and marks of code.
fn cells(row: &str) -> Vec<String> {
    let row = without_links(row);
    let inner = row.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut cells = vec![String::new()];
    let mut is_escaped = false;
    for one in inner.chars() {
        match one {
            '\\' if !is_escaped => {
                is_escaped = true;
                continue;
            }
            '|' if !is_escaped => cells.push(String::new()),
            '`' => {}
            one => cells.last_mut().expect("there is one").push(one),
        }
        is_escaped = false;
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_code_stays() {
        let page = "# f\n\none two\nthree four\n\n```mlir\nop   {a = 1}\n```\n* a point that\n  continues\n";
        assert_eq!(
            text(page, 14),
            "# f\n\none two three\nfour\n\n    op   {a = 1}\n* a point that\n  continues\n"
        );
        assert_eq!(
            text("1. one\n2. two\n   three\n", 80),
            "1. one\n2. two three\n"
        );
    }

    #[test]
    fn links_are_what_they_are_about() {
        let page = "see [one](one.html) or [a]\n[two](two.html)\n\n| [x](x.html) | y |\n";
        assert_eq!(text(page, 80), "see one or [a] two\n\nx  y\n----\n");
    }

    #[test]
    fn tables_are_aligned() {
        let page = "| option | |\n|---|---|\n| `a` | `x\\|y` or so |\n| `longer` | |\n";
        assert_eq!(
            text(page, 80),
            "option\n-----------------\na       x|y or so\nlonger\n"
        );
    }

    const WIDE: &str = "| option | takes | |\n|---|---|---|\n\
                        | `alignment` | a power of two from 1 to 64 | the least alignment of a slice |\n";

    #[test]
    fn cells_wrap_where_a_table_is_wider_than_the_terminal() {
        assert_eq!(
            text(WIDE, 50),
            "option     takes\n\
             --------------------------------------------------\n\
             alignment  a power of two      the least alignment\n           \
                        from 1 to 64        of a slice\n"
        );
        for width in 20..100 {
            let all = text(WIDE, width);
            assert!(
                all.lines().all(|line| display_width(line) <= width),
                "{all}"
            );
        }
    }

    #[test]
    fn cells_stand_below_each_other_where_a_terminal_is_narrow() {
        assert_eq!(
            text(WIDE, 30),
            "alignment\n    takes: a power of two from\n    1 to 64\n    the least alignment of a\n    slice\n"
        );
    }

    #[test]
    fn headings_and_code_are_styled_where_that_is_wanted() {
        let look = Look {
            width: 80,
            is_styled: true,
        };
        assert_eq!(
            rendered("## A `b`\n\nsee `c d`\n", look),
            "\x1b[1mA b\x1b[0m\n\nsee \x1b[36mc d\x1b[0m\n"
        );
    }
}
