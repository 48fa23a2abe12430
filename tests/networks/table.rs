//! What was found out, for people.

use std::io::{self, Write};

use super::check::Findings;

/// One line a network, and how far the plans are from their bounds.
pub fn table(results: &[Findings], out: &mut impl Write) -> io::Result<()> {
    let head = [
        "network",
        "allocations",
        "after",
        "naive bytes",
        "lower bound",
        "planned",
        "planned/bound",
        "naive/planned",
        "skipped",
        "executed",
        "valgrind",
        "seconds",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(results.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<_> = (0..head.len()).map(width).collect();
    for row in &rows {
        let mut line = format!("{:<width$}", row[0], width = widths[0]);
        for (cell, width) in row.iter().zip(&widths).skip(1) {
            line += &format!("  {cell:>width$}");
        }
        writeln!(out, "{line}")?;
    }
    ratios(results, out)
}

fn row(findings: &Findings) -> [String; 12] {
    let skipped: Vec<_> = findings
        .skipped
        .iter()
        .map(|(reason, count)| format!("{count} {reason}"))
        .collect();
    let bytes = findings.bytes;
    let times = |count: usize| {
        if count == 0 {
            "-".to_owned()
        } else {
            format!("{count} x")
        }
    };
    [
        findings.name.clone(),
        findings.allocations.0.to_string(),
        findings.allocations.1.to_string(),
        bytes.naive.to_string(),
        bytes.lower_bound.to_string(),
        bytes.planned.to_string(),
        bytes
            .ratio()
            .map_or("-".to_owned(), |ratio| format!("{ratio:.4}")),
        if bytes.planned == 0 {
            "-".to_owned()
        } else {
            format!("{:.2}", bytes.naive as f64 / bytes.planned as f64)
        },
        if skipped.is_empty() {
            "-".to_owned()
        } else {
            skipped.join(", ")
        },
        times(findings.executions),
        times(findings.valgrind),
        format!("{:.1}", findings.time.as_secs_f64()),
    ]
}

fn ratios(results: &[Findings], out: &mut impl Write) -> io::Result<()> {
    let ratios: Vec<_> = results
        .iter()
        .filter_map(|findings| Some((findings.bytes.ratio()?, &findings.name)))
        .collect();
    let Some((worst, name)) = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return Ok(());
    };
    let logarithms: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
    let mean = (logarithms / ratios.len() as f64).exp();
    writeln!(
        out,
        "planned / lower bound: {mean:.4} geometric mean, {worst:.4} worst ({name})"
    )
}

/// Shows the failures and the numbers last. Returns whether nothing failed.
pub fn summarize(results: &[Findings], out: &mut impl Write) -> io::Result<bool> {
    let mut failed = 0;
    for Findings { name, failures, .. } in results {
        failed += usize::from(!failures.is_empty());
        for failure in failures {
            writeln!(out, "FAIL  {name}: {failure}")?;
        }
    }
    let sum = |count: fn(&Findings) -> usize| results.iter().map(count).sum::<usize>();
    let executions = sum(|findings| findings.executions);
    let valgrind = sum(|findings| findings.valgrind);
    writeln!(
        out,
        "{} networks passed, {failed} failed; {executions} executions with the expected output, {valgrind} clean under valgrind",
        results.len() - failed
    )?;
    Ok(failed == 0)
}
