//! The findings as tables.

use std::io::{self, Write};

use memplan_harness::columns::align;
use memplan_harness::networks::checks::show_failures;

use super::check::{Bytes, Findings};
use super::forms::Form;

/// One line for each network, one for each form, and the ratios of the plans to their bounds.
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
    align(&rows, 1, out)?;
    ratios(results, out)?;
    writeln!(out)?;
    forms(results, out)
}

/// Every form of every network, and the sums over networks.
fn forms(results: &[Findings], out: &mut impl Write) -> io::Result<()> {
    let head = [
        "network",
        "form",
        "allocations",
        "after",
        "lower bound",
        "planned",
        "ratio",
        "apart: bound",
        "planned",
        "ratio",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    let mut totals: Vec<(&str, (usize, usize), [Bytes; 2])> = Vec::new();
    for Findings { name, forms, .. } in results {
        for form in forms {
            let &Form {
                name: form,
                allocations,
                bytes,
                without_reuse,
                ..
            } = form;
            rows.push(form_row(name, form, allocations, [bytes, without_reuse]));
            match totals.iter_mut().find(|total| total.0 == form) {
                Some((_, before, sums)) => {
                    *before = (before.0 + allocations.0, before.1 + allocations.1);
                    *sums = [sums[0].and(bytes), sums[1].and(without_reuse)];
                }
                None => totals.push((form, allocations, [bytes, without_reuse])),
            }
        }
    }
    for (form, allocations, sums) in totals {
        rows.push(form_row("total", form, allocations, sums));
    }
    align(&rows, 2, out)?;
    writeln!(
        out,
        "bytes; apart: no buffer takes over the bytes of another (in-place=false)"
    )
}

fn form_row(
    network: &str,
    form: &str,
    allocations: (usize, usize),
    [bytes, without_reuse]: [Bytes; 2],
) -> [String; 10] {
    [
        network.to_owned(),
        form.to_owned(),
        allocations.0.to_string(),
        allocations.1.to_string(),
        bytes.lower_bound.to_string(),
        bytes.planned.to_string(),
        ratio(bytes),
        without_reuse.lower_bound.to_string(),
        without_reuse.planned.to_string(),
        ratio(without_reuse),
    ]
}

fn ratio(bytes: Bytes) -> String {
    bytes
        .ratio()
        .map_or("-".to_owned(), |ratio| format!("{ratio:.4}"))
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
        ratio(bytes),
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

/// Prints the failures and the totals last. Returns whether nothing failed.
pub fn summarize(results: &[Findings], out: &mut impl Write) -> io::Result<bool> {
    let failures = results
        .iter()
        .map(|one| (one.name.as_str(), one.failures.as_slice()));
    let failed = show_failures(failures, out)?;
    let sum = |count: fn(&Findings) -> usize| results.iter().map(count).sum::<usize>();
    let executions = sum(|findings| findings.executions);
    let valgrind = sum(|findings| findings.valgrind);
    writeln!(
        out,
        "{} networks passed, {failed} failed; {executions} programs executed with the expected output, {valgrind} \
         clean under valgrind",
        results.len() - failed
    )?;
    Ok(failed == 0)
}
