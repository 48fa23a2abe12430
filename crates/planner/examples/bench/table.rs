//! Tables with aligned columns.

/// A title and rows, of which the first has the names of the columns.
pub struct Table {
    title: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. The names of columns include units.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        Table {
            title: title.to_owned(),
            rows: vec![columns.iter().map(|&name| name.to_owned()).collect()],
        }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Prints the table to standard output, if it has rows. The first column is left-aligned.
    pub fn print(&self) {
        if self.rows.len() < 2 {
            return;
        }
        let columns = self.rows[0].len();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        println!("\n{}", self.title);
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line += &match column {
                    0 => format!("  {cell:<width$}"),
                    _ => format!("  {cell:>width$}"),
                };
            }
            println!("{}", line.trim_end());
        }
    }
}

/// Seconds with three decimals.
pub fn seconds(seconds: f64) -> String {
    format!("{seconds:.3}")
}

/// `part` over `whole`, or a dash if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".to_owned(),
        _ => format!("{:.4}", part as f64 / whole as f64),
    }
}

/// The least number that at least `percent` of all numbers do not exceed; 0 if there are none.
pub fn percentile(numbers: &mut [f64], percent: usize) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let at = (numbers.len() * percent).div_ceil(100).saturating_sub(1);
    numbers.get(at).copied().unwrap_or(0.0)
}
