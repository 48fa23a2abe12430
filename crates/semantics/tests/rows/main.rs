//! Checks the tables: compares their description of operations with information from other sources.
//!
//! Planning, deallocation and `memplan-verify` share the tables, so a wrong row could mislead all of them. The other
//! sources are MLIR's interfaces and the definitions of operations ([`interfaces`]), upstream's lowering
//! ([`lowering`], [`origins`]) and executions ([`execution`], [`program`], [`memory`]). Seeded wrong rows
//! ([`faults`]) measure the check: each wrong row is found, or its operation is listed as unchecked with a reason.

// Rows can be replaced only in builds with debug assertions.
#![cfg(debug_assertions)]

mod cases;
mod exceptions;
mod execution;
mod facts;
mod faults;
mod interfaces;
mod isolate;
mod lowering;
mod memory;
mod origins;
mod program;

use anyhow::{Result, ensure};
use cases::Case;
use exceptions::EXCEPTIONS;
use facts::{Difference, Source};
use faults::{Fault, Seed};
use memplan_harness::columns::align;
use memplan_mlir::{context::with_all_dialects, melior::utility::register_all_passes};
use memplan_semantics::dialects::unchecked;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn wrong_rows_are_found() -> Result<()> {
    let context = with_all_dialects();
    register_all_passes();
    // Operations that cannot be lowered are not errors here.
    context.attach_diagnostic_handler(|_| true);
    let parsed = cases::parse(&context)?;
    let cases = cases::cases(&context, &parsed)?;
    right_rows_contradict_nothing(&cases)?;
    let found = seed_all(&cases)?;
    print(&found)?;
    enough_is_found(&found)?;
    unchecked_are_listed(&found)
}

/// The unexpected contradictions with the memory semantics of an operation.
fn contradictions(case: &Case<'_>) -> BTreeSet<Difference> {
    let differences = case.facts.differences(&case.memory, &case.overwritten);
    let is_exception = |one: &Difference| {
        let mut all = EXCEPTIONS.iter();
        all.any(|exception| exception.name == case.name && exception.fact == one.fact)
    };
    differences
        .into_iter()
        .filter(|one| !is_exception(one))
        .collect()
}

fn right_rows_contradict_nothing(cases: &[Case<'_>]) -> Result<()> {
    let mut wrong = Vec::new();
    for case in cases {
        for difference in contradictions(case) {
            let (place, name, memory) = (&case.place, &case.name, &case.memory);
            wrong.push(format!("{place}: {name}: {difference}, but: {memory}"));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    for exception in EXCEPTIONS {
        let is_one = cases.iter().any(|case| {
            let all = case.facts.differences(&case.memory, &case.overwritten);
            case.name == exception.name && all.iter().any(|one| one.fact == exception.fact)
        });
        let (name, why) = (exception.name, exception.why);
        ensure!(is_one, "{name} contradicts nothing any more: {why}");
    }
    Ok(())
}

/// The sources that find each wrong row of an operation.
type Found = BTreeMap<(Fault, String, usize), BTreeSet<Source>>;

/// Seeds each wrong row at all operations of its name.
fn seed_all(cases: &[Case<'_>]) -> Result<Found> {
    let mut found = Found::new();
    for case in cases {
        let before = case.facts.differences(&case.memory, &case.overwritten);
        for seed in faults::seeds(&case.memory, &case.overwritten) {
            let Seed { fault, at } = seed;
            let wrong = faults::wrong(case, seed);
            ensure!(
                wrong != (case.memory.clone(), case.overwritten.clone()),
                "no wrong row: {fault}, {}",
                case.name
            );
            let after = case.facts.differences(&wrong.0, &wrong.1);
            let sources = found.entry((fault, case.name.clone(), at)).or_default();
            sources.extend(after.difference(&before).map(|one| one.source));
        }
    }
    Ok(found)
}

/// The sources that found each wrong row, and the number found of each kind.
fn print(found: &Found) -> Result<()> {
    let mut rows = vec![["wrong row", "operation", "at", "found by"].map(str::to_owned)];
    for ((fault, name, at), sources) in found {
        let by: Vec<_> = sources.iter().map(ToString::to_string).collect();
        let by = match by.is_empty() {
            true => "-".to_owned(),
            false => by.join(", "),
        };
        rows.push([fault.to_string(), name.clone(), at.to_string(), by]);
    }
    let mut out = Vec::new();
    align(&rows, 4, &mut out)?;
    let mut totals = vec![["", "found", "unchecked", "operations"].map(str::to_owned)];
    for fault in Fault::ALL {
        let all = || found.iter().filter(|((one, ..), _)| *one == fault);
        let count = |is_found| all().filter(|(_, by)| by.is_empty() != is_found).count();
        totals.push([
            fault.to_string(),
            count(true).to_string(),
            count(false).to_string(),
            operations(found, fault).len().to_string(),
        ]);
    }
    out.push(b'\n');
    align(&totals, 1, &mut out)?;
    println!("{}", String::from_utf8(out)?);
    Ok(())
}

/// The operations at which a wrong row is found for at least one operand.
fn operations(found: &Found, fault: Fault) -> BTreeSet<&str> {
    found
        .iter()
        .filter(|((one, ..), by)| *one == fault && !by.is_empty())
        .map(|((_, name, _), _)| name.as_str())
        .collect()
}

/// Each kind is found at twenty operations, or at all if there are fewer.
fn enough_is_found(found: &Found) -> Result<()> {
    const ENOUGH: usize = 20;
    const ALLOCATORS: usize = 6;
    for fault in Fault::ALL {
        let least = match fault {
            Fault::NewForView => ALLOCATORS,
            _ => ENOUGH,
        };
        let count = operations(found, fault).len();
        ensure!(count >= least, "{fault}: found at {count} operations");
    }
    Ok(())
}

/// The list in the manual is up to date.
fn unchecked_are_listed(found: &Found) -> Result<()> {
    let mut listed = BTreeSet::new();
    for (check, name) in unchecked::all() {
        ensure!(
            listed.insert((check, name)),
            "listed twice: {name}, {check}"
        );
    }
    let mut wrong = Vec::new();
    let mut unfound = BTreeSet::new();
    for ((fault, name, _), by) in found {
        if by.is_empty() {
            unfound.insert((fault.check(), name.as_str()));
        }
    }
    for (check, name) in unfound.difference(&listed) {
        wrong.push(format!(
            "nothing finds, and the list lacks: {check}: {name}"
        ));
    }
    for (check, name) in listed.difference(&unfound) {
        wrong.push(format!("is listed, but found: {check}: {name}"));
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
