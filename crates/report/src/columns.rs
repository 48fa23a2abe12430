//! Rows of text in aligned columns.

use std::fmt::Write;

/// Cells longer than this are cut.
const LONGEST: usize = 48;

/// Alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: &'static str,
    /// Alignment of its cells.
    pub align: Align,
    /// What its cells say, in Markdown, for the manual.
    pub about: &'static str,
}

impl Column {
    /// A column of words.
    pub const fn left(heading: &'static str, about: &'static str) -> Self {
        Self {
            heading,
            align: Align::Left,
            about,
        }
    }

    /// A column of numbers.
    pub const fn right(heading: &'static str, about: &'static str) -> Self {
        Self {
            heading,
            align: Align::Right,
            about,
        }
    }
}

/// The headings of columns, as the first row of a table.
pub(crate) fn headings<const N: usize>(columns: &[Column; N]) -> [String; N] {
    columns.each_ref().map(|column| column.heading.to_owned())
}

/// Alignments of columns.
pub(crate) fn alignments<const N: usize>(columns: &[Column; N]) -> [Align; N] {
    columns.each_ref().map(|column| column.align)
}

/// `rows`, with as many cells as `align`, in columns two spaces apart, with a rule before each
/// row in `rules`.
pub fn aligned<R: AsRef<[String]>>(rows: &[R], align: &[Align], rules: &[usize]) -> String {
    let mut widths = vec![0; align.len()];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row.as_ref()) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for (at, row) in rows.iter().enumerate() {
        if rules.contains(&at) {
            let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
            _ = writeln!(out, "{}", rules.join("  "));
        }
        let mut line = String::new();
        for (column, cell) in row.as_ref().iter().take(align.len()).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let width = widths[column];
            _ = match align[column] {
                Align::Left => write!(line, "{gap}{cell:<width$}"),
                Align::Right => write!(line, "{gap}{cell:>width$}"),
            };
        }
        _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// `text` on one line and not too long for a cell.
pub fn clipped(text: &str) -> String {
    clipped_to(text, LONGEST)
}

/// `text` on one line and of at most `longest` letters.
pub fn clipped_to(text: &str, longest: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    if text.chars().count() <= longest {
        clean.collect()
    } else {
        clean.take(longest - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lean_left_and_numbers_right() {
        let rows = [["name", "n"], ["a", "10"], ["é", ""]].map(|row| row.map(str::to_owned));
        let text = aligned(&rows, &[Align::Left, Align::Right], &[1]);
        assert_eq!(text, "name   n\n----  --\na     10\né\n");
    }

    #[test]
    fn long_cells_are_cut() {
        let cut = clipped(&"x\n".repeat(40));
        assert_eq!(cut.chars().count(), LONGEST);
        assert!(cut.starts_with("x x ") && cut.ends_with('…'));
    }
}
