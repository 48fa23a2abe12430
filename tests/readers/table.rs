//! The answers as text.

use memplan_harness::samples::Dialect;

use super::answer::READERS;

/// The table of a dialect: a column a pass, and last the sample.
pub fn text(dialect: &Dialect, columns: &[Vec<String>]) -> String {
    let mut rows = vec![Vec::from_iter(
        READERS.iter().map(|reader| reader.name.to_owned()),
    )];
    rows[0].push("sample".to_owned());
    for (number, sample) in dialect.samples.iter().enumerate() {
        let mut row: Vec<_> = columns
            .iter()
            .map(|column| column[number].clone())
            .collect();
        row.push(sample.title());
        rows.push(row);
    }
    let widths: Vec<_> = (0..READERS.len())
        .map(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:width$} | "));
        }
        text.push_str(&row[READERS.len()]);
        text.push('\n');
    }
    text
}

/// Cells that are not as they were, a line each. Widths of columns do not count.
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
                let cells = before.iter().zip(row).zip(&READERS);
                found.extend(cells.filter(|((before, now), _)| before != now).map(
                    |((before, now), reader)| {
                        format!("{dialect}: {title}: {}: {before} -> {now}", reader.name)
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
