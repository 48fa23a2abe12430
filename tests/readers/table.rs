//! The answers as text.

use memplan_harness::samples::Dialect;

use super::answer::TESTED_PASSES;
use super::run::Column;
use super::verdict::disagreement;

/// The columns after those of the passes.
const LAST: [&str; 2] = ["disagreement", "sample"];

/// The heads of all columns.
fn heads() -> impl Iterator<Item = &'static str> {
    TESTED_PASSES.iter().map(|pass| pass.name).chain(LAST)
}

/// The table of a dialect: a column for each pass, the disagreements, and last the sample.
pub fn text(dialect: &Dialect, columns: &[Column]) -> String {
    let mut rows = vec![Vec::from_iter(heads().map(str::to_owned))];
    for (number, sample) in dialect.samples.iter().enumerate() {
        let verdicts: Vec<_> = columns
            .iter()
            .map(|column| column.verdicts[number])
            .collect();
        let mut row: Vec<_> = columns
            .iter()
            .map(|column| column.cells[number].clone())
            .collect();
        row.push(disagreement(&verdicts).unwrap_or_else(|| "-".to_owned()));
        row.push(sample.title());
        rows.push(row);
    }
    let widths: Vec<_> = (0..rows[0].len() - 1)
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:width$} | "));
        }
        text.push_str(&row[widths.len()]);
        text.push('\n');
    }
    text
}

/// Changed cells, one for each line. Widths of columns are ignored.
pub fn differences(dialect: &str, kept: &str, now: &str) -> Vec<String> {
    if kept == now {
        return Vec::new();
    }
    let (kept, now) = (rows(kept), rows(now));
    let mut found = Vec::new();
    for row in &now {
        let Some(title) = row.last() else { continue };
        match kept.iter().find(|kept| kept.last() == Some(title)) {
            None => found.push(format!("{dialect}: {title}: is new")),
            Some(before) => {
                let cells = before.iter().zip(row).zip(heads());
                found.extend(cells.filter(|((before, now), _)| before != now).map(
                    |((before, now), head)| {
                        format!("{dialect}: {title}: {}: {before} -> {now}", head)
                    },
                ));
            }
        }
    }
    for row in &kept {
        if let Some(title) = row.last()
            && !now.iter().any(|now| now.last() == Some(title))
        {
            found.push(format!("{dialect}: {title}: is gone"));
        }
    }
    if found.is_empty() {
        found.push(format!(
            "{dialect}: the samples are in another order, or columns have another width"
        ));
    }
    found
}

fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .map(|line| line.split(" | ").map(str::trim).collect())
        .collect()
}
