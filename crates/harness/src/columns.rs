//! Text tables.

use std::io::{self, Write};

/// Writes a table. The first `left` columns are left-aligned, the others right-aligned.
///
/// # Errors
///
/// The error of writing to `out`.
pub fn align<const N: usize>(
    rows: &[[String; N]],
    left: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..N).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            if column > 0 {
                line += "  ";
            }
            line += &match column < left {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
