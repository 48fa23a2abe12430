//! What memplan takes the operations of stock `mlir-opt` to do to memory: the answers for their samples.

use crate::page::{Page, cell};
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
use std::{collections::BTreeMap, fmt::Write, sync::LazyLock};

/// What the page is called.
pub const NAME: &str = "operations";

/// What is taken of the operations of one name: each answer once, in the order of the samples.
type Answers = BTreeMap<String, Vec<Answer>>;

#[derive(PartialEq, Eq)]
struct Answer {
    does: String,
    basis: &'static str,
}

/// The page without its tables, which take a second to find.
pub fn page() -> Page {
    Page {
        name: NAME.to_owned(),
        title: "What each operation is taken to do to memory".to_owned(),
        text: String::new(),
    }
}

/// The page.
pub fn whole_page() -> Page {
    static TEXT: LazyLock<String> = LazyLock::new(text);
    Page {
        text: TEXT.clone(),
        ..page()
    }
}

fn text() -> String {
    let mut text = String::from(
        "# Operations\n\nThe memory effects that memplan assumes for each operation of stock `mlir-opt` that touches memrefs, \
         and whether `memplan compile` lowers it. \
         Operands and results are counted from 0. An operation with several forms has a row for each answer. \
         *interfaces*: from MLIR's interfaces; *table*: memplan's table adds to these; *unknown*: the operation may do \
         anything.\n\n*compile*: `memplan compile` makes an object of the operation; a feature of the processor that it needs; or \
         *no*: an error at its place (`memplan-E902`, `memplan-E903`). Tests compile and run a sample of each that says yes. Objects \
         refer to libc and libm only, and to the library of the C compiler: `__truncsfbf2` for bf16 is in GCC's from 13 on, and in \
         compiler-rt. `async` needs `libmlir_async_runtime`, `mpi` the MPI library, `omp` libomp, and `vector.print` \
         `libmlir_c_runner_utils`.\n\nEffects of operations of other dialects come from their interfaces. A compiler that embeds \
         memplan can register a description instead: the basis is then *registered*, and the words are those of this page \
         ([embedding](embedding.html)).\n\nA row has no effects of the operations in its regions. The effects of a \
         call are those of its callee.\n\n",
    );
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
