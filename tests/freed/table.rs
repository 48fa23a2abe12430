//! The findings as tables.

use std::io::{self, Write};

use memplan_harness::columns::align;
use memplan_harness::networks::checks::show_failures;
use memplan_report::units::grouped;

use super::check::Findings;

/// One line for each form of each network, and the sums over networks.
pub fn table(results: &[Findings], out: &mut impl Write) -> io::Result<()> {
    let head = [
        "network",
        "form",
        "allocations",
        "upstream",
        "memplan",
        "load",
        "memplan/upstream",
    ];
    let mut rows = vec![head.map(str::to_owned)];
    // Sums over the networks that run with both.
    let mut sums: Vec<(&str, [u64; 4])> = Vec::new();
    for Findings { name, forms, .. } in results {
        for form in forms {
            let numbers = [form.ours, form.load];
            rows.push(row(
                name,
                form.name,
                form.allocations,
                form.upstream,
                numbers,
            ));
            let Some(upstream) = form.upstream else {
                continue;
            };
            let added = [form.allocations, upstream, form.ours, form.load];
            match sums.iter_mut().find(|(known, _)| *known == form.name) {
                Some((_, sum)) => {
                    for (sum, added) in sum.iter_mut().zip(added) {
                        *sum += added;
                    }
                }
                None => sums.push((form.name, added)),
            }
        }
    }
    for (form, [allocations, upstream, ours, load]) in sums {
        rows.push(row(
            "total",
            form,
            allocations,
            Some(upstream),
            [ours, load],
        ));
    }
    align(&rows, 2, out)?;
    writeln!(
        out,
        "allocations executed, and peaks of the heap in bytes, as asked for; load: if each allocation is freed when it \
         was touched last"
    )
}

fn row(
    network: &str,
    form: &str,
    allocations: u64,
    upstream: Option<u64>,
    [ours, load]: [u64; 2],
) -> [String; 7] {
    [
        network.to_owned(),
        form.to_owned(),
        grouped(allocations),
        upstream.map_or("-".to_owned(), grouped),
        grouped(ours),
        grouped(load),
        upstream.map_or("-".to_owned(), |upstream| {
            format!("{:.3}", ours as f64 / upstream as f64)
        }),
    ]
}

/// Prints the failures and the totals last. Returns whether nothing failed.
pub fn summarize(results: &[Findings], out: &mut impl Write) -> io::Result<bool> {
    let failures = results
        .iter()
        .map(|one| (one.name.as_str(), one.failures.as_slice()));
    let failed = show_failures(failures, out)?;
    let forms: usize = results.iter().map(|findings| findings.forms.len()).sum();
    writeln!(
        out,
        "{} networks passed, {failed} failed; {forms} forms freed and executed",
        results.len() - failed
    )?;
    Ok(failed == 0 && !results.is_empty())
}
