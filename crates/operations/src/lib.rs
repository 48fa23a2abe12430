//! The tables of the manual's page on operations: what memplan takes the operations of stock `mlir-opt` to do to memory. They
//! are the answers for the samples of operations, so they need MLIR. `memplan-manual` has the rest of the page.

#![forbid(unsafe_code)]

use memplan_mlir::{
    context::with_all_dialects,
    ir::{Op, blocks, ops, regions},
    melior::ir::{Module, operation::OperationLike},
};
use memplan_semantics::{
    Basis, OpMemory, RegionOrder, ResultFact, Semantics,
    dialects::unchecked::{UNCHECKED, Unchecked},
    samples::{Compiles, FILES, FILES_WITHOUT_MEMORY, Sample, samples},
};
use std::{collections::BTreeMap, fmt::Write};

/// What is taken of the operations of one name: each answer once, in the order of the samples.
type Answers = BTreeMap<String, Vec<Answer>>;

#[derive(PartialEq, Eq)]
struct Answer {
    does: String,
    basis: &'static str,
}

/// The tables, in Markdown. They take a second to find.
pub fn tables() -> String {
    let mut text = String::new();
    for (dialect, answers) in all() {
        _ = write!(
            text,
            "## {dialect}\n\n| operation | does | says | compile |\n|---|---|---|---|\n"
        );
        let compiled = compiled(dialect, FILES);
        for (name, answers) in answers {
            let compile = compiled.get(&*name).map_or("", String::as_str);
            for Answer { does, basis } in answers {
                _ = writeln!(text, "| `{name}` | {} | {basis} | {compile} |", cell(&does));
            }
        }
        text.push('\n');
    }
    text.push_str(&without_memory());
    text.push_str(&unchecked());
    text
}

/// Whether `memplan compile` makes objects of the samples of each operation of a dialect.
fn compiled(dialect: &str, files: &[(&str, &'static str)]) -> BTreeMap<&'static str, String> {
    let mut samples_of: BTreeMap<&str, Vec<Sample<'_>>> = BTreeMap::new();
    let files = files.iter().filter(|(name, _)| *name == dialect);
    for sample in files.flat_map(|(_, file)| samples(file)) {
        for name in &sample.operations {
            samples_of.entry(name).or_default().push(sample.clone());
        }
    }
    let cell = |samples: Vec<Sample<'_>>| {
        let fails = |sample: &&Sample<'_>| sample.compiles == Compiles::No;
        let failing: Vec<&str> = samples.iter().filter(fails).map(|one| one.note).collect();
        let features = samples.iter().find_map(|sample| match sample.compiles {
            Compiles::With(features) => Some(format!("with `{features}`")),
            _ => None,
        });
        match (failing.len(), features) {
            (0, None) => "yes".to_owned(),
            (0, Some(features)) => features,
            (count, _) if count == samples.len() => "no".to_owned(),
            _ => match failing.iter().find(|note| !note.is_empty()) {
                Some(_) => format!("yes; not: {}", failing.join("; not: ")),
                None => "in part".to_owned(),
            },
        }
    };
    samples_of
        .into_iter()
        .map(|(name, samples)| (name, cell(samples)))
        .collect()
}

/// The operations that do not touch memrefs.
fn without_memory() -> String {
    let mut text = String::from(
        "## Operations without memrefs\n\nWhether `memplan compile` lowers them.\n\n\
         | operation | compile |\n|---|---|\n",
    );
    for (dialect, _) in FILES_WITHOUT_MEMORY {
        for (name, compile) in compiled(dialect, FILES_WITHOUT_MEMORY) {
            // Samples may hold operations of the tables above.
            if FILES
                .iter()
                .all(|(dialect, _)| !compiled(dialect, FILES).contains_key(name))
            {
                _ = writeln!(text, "| `{name}` | {compile} |");
            }
        }
    }
    text.push('\n');
    text
}

/// What only the tables say.
fn unchecked() -> String {
    let mut text = String::from(
        "## What only the table says\n\nTests compare the table with MLIR's interfaces, with the types of tokens, with \
         upstream's lowering, and with executions. They find these faults of a row: a missing view, a read instead of a write, \
         and a complete overwrite instead of a partial one. They also find a missing start of an asynchronous operation, \
         and a view instead of new memory. For the following operations, they would not find it.\n\n| operation | not checked | because |\n|---|---|---|\n",
    );
    let mut rows: Vec<_> = (UNCHECKED.iter())
        .flat_map(|one| one.names.iter().map(move |name| (name, one)))
        .collect();
    rows.sort_by_key(|(name, _)| **name);
    for (name, Unchecked { checks, why, .. }) in rows {
        let checks: Vec<_> = checks.iter().map(ToString::to_string).collect();
        _ = writeln!(text, "| `{name}` | {} | {why} |", checks.join(", "));
    }
    text
}

/// The answers for all samples, by dialect.
fn all() -> Vec<(&'static str, Answers)> {
    let context = with_all_dialects();
    let mut semantics = Semantics::default();
    let mut all = Vec::new();
    for (dialect, file) in FILES {
        let mut answers = Answers::new();
        for sample in samples(file) {
            let Some(module) = Module::parse(&context, sample.text) else {
                continue;
            };
            let mut found = Vec::new();
            let top: Op<'_> = module.as_operation();
            collect(top, &mut found);
            for op in found {
                let name = op.name();
                let name = name.as_string_ref().as_str().unwrap_or_default();
                if !sample.operations.contains(&name) {
                    continue;
                }
                let answer = answer(op, &mut semantics);
                let known = answers.entry(name.to_owned()).or_default();
                if !known.contains(&answer) {
                    known.push(answer);
                }
            }
        }
        all.push((*dialect, answers));
    }
    all
}

fn answer(op: Op<'_>, semantics: &mut Semantics) -> Answer {
    let mut memory = OpMemory::clone(&semantics.of(op));
    let has_regions = regions(op).next().is_some();
    let yields =
        has_regions && memory.regions == RegionOrder::Sequential && semantics.paths_are_known(op);
    let mut after = String::new();
    if yields || memory.is_call {
        let from = if yields {
            "regions yield"
        } else {
            "callee returns"
        };
        let forwards_known = |fact: &ResultFact| matches!(fact, ResultFact::Unknown { .. });
        if memory.results.iter().any(|used| forwards_known(&used.fact)) {
            after = format!("; what its {from} is followed");
        }
        memory.results.retain(|used| !forwards_known(&used.fact));
    }
    let elements = semantics.elements(op);
    for written in &elements.overwritten {
        after.push_str(&format!("; every element of {written} is written"));
    }
    for pair in &elements.pairs {
        let (read, written) = (pair.read, pair.written);
        let how = if pair.copies { " and copied" } else { "" };
        after.push_str(&format!("; {read} is read{how} in step with {written}"));
    }
    let mut does = memory.to_string();
    does.push_str(&after);
    if let Some(known) = does.strip_prefix("nothing; ") {
        does = known.to_owned();
    }
    if has_regions {
        let order = match memory.regions {
            RegionOrder::Sequential => "",
            RegionOrder::Parallel => "; its regions run in parallel",
            RegionOrder::Asynchronous => "; its regions may run after it",
            RegionOrder::Offloaded => "; its regions may run after it, on another device",
        };
        does.push_str(order);
    }
    let basis = match semantics.basis(op) {
        Basis::Interfaces => "interfaces",
        Basis::Table => "table",
        Basis::Registered => "registered",
        Basis::Nothing => "unknown",
    };
    Answer { does, basis }
}

/// An operation and all that is in it.
fn collect<'c>(op: Op<'c>, found: &mut Vec<Op<'c>>) {
    found.push(op);
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        collect(nested, found);
    }
}

/// A text inside a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
