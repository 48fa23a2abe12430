//! All operations of the samples, each with its memory semantics and the facts known without memplan.

use crate::{
    execution,
    facts::Facts,
    interfaces::{self, Definitions},
    isolate,
    lowering::{self, Lowered},
    program,
};
use anyhow::{Context as _, Result};
use memplan_mlir::{
    ir::Op,
    melior::{Context, ir::Module},
};
use memplan_semantics::{
    OpMemory, Semantics,
    names::Names,
    samples::{Sample, samples},
};

/// Programs in addition to the samples, for forms that upstream lowers although it does not lower the form in the
/// samples.
const PROGRAMS: &str = include_str!("programs.mlir");

/// Upstream's verifiers and lowerings crash if these operations are isolated.
const CRASH: [&str; 6] = [
    "gpu.destroy_dn_tensor",
    "gpu.destroy_sp_mat",
    "gpu.spmm",
    "gpu.spmm_buffer_size",
    "omp.canonical_loop",
    "omp.new_cli",
];

/// As above for whole dialects, except for the listed operations.
const CRASHING: [(&str, &[&str]); 2] = [
    ("acc", &[]),
    (
        "sparse_tensor",
        &["sparse_tensor.push_back", "sparse_tensor.sort"],
    ),
];

/// Dialects whose operations are executed if they are lowered completely.
const EXECUTED: [&str; 8] = [
    "affine",
    "arith",
    "bufferization",
    "linalg",
    "llvm",
    "memref",
    "sparse_tensor",
    "vector",
];

/// Translated to LLVM IR without a lowering.
const TRANSLATED: [&str; 3] = ["omp.atomic.read", "omp.atomic.update", "omp.atomic.write"];

/// Operations that are not executed, by name or by the start of the name. They cannot be executed alone or on this
/// processor, because they free the memory that is inspected, their function is not called properly, or no
/// instruction exists for them.
const NOT_EXECUTED: [&str; 24] = [
    "bufferization.dealloc",
    "llvm.call",
    "llvm.indirectbr",
    "llvm.inline_asm",
    "llvm.intr.assume",
    "llvm.intr.coro.",
    "llvm.intr.dbg.",
    "llvm.intr.eh.",
    "llvm.intr.experimental.vp.strided.",
    "llvm.intr.init.trampoline",
    "llvm.intr.invariant.",
    "llvm.intr.lifetime.",
    "llvm.intr.matrix.",
    "llvm.intr.ssa.copy",
    "llvm.intr.stackrestore",
    "llvm.intr.threadlocal.",
    "llvm.intr.vacopy",
    "llvm.intr.vaend",
    "llvm.intr.vastart",
    "llvm.va_arg",
    "memref.dealloc",
    "memref.realloc",
    "sparse_tensor.push_back",
    "memref.alloca_scope",
];

/// One operation of a sample.
pub struct Case<'c> {
    /// The sample.
    pub place: String,
    pub op: Op<'c>,
    pub name: String,
    /// The memory semantics.
    pub memory: OpMemory,
    /// The operands that it overwrites completely.
    pub overwritten: Vec<usize>,
    pub facts: Facts,
}

/// The operands that an operation overwrites completely according to memplan.
fn overwritten(op: Op<'_>) -> Vec<usize> {
    let elements = Semantics::default().elements(op);
    elements.overwritten.iter().map(|at| *at as usize).collect()
}

/// The position of a sample, the sample, and its module.
pub type Parsed<'c> = (String, Sample<'static>, Module<'c>);

/// All samples and additional programs.
pub fn parse(context: &Context) -> Result<Vec<Parsed<'_>>> {
    let files = memplan_semantics::samples::FILES.iter();
    let files = files.map(|(name, text)| {
        (
            format!("{}/{name}.mlir", memplan_harness::samples::FOLDER),
            *text,
        )
    });
    let additional = ("programs.mlir".to_owned(), PROGRAMS);
    let mut all = Vec::new();
    for (path, text) in files.chain([additional]) {
        for sample in samples(text) {
            let place = format!("{path}: {}", sample.operations.join(", "));
            let module = Module::parse(context, sample.text).with_context(|| place.clone())?;
            all.push((place, sample, module));
        }
    }
    Ok(all)
}

/// All operations of the samples that can contain an address, with the facts from interfaces, lowerings and
/// executions.
pub fn cases<'c>(context: &'c Context, parsed: &'c [Parsed<'c>]) -> Result<Vec<Case<'c>>> {
    let definitions = Definitions::read()?;
    let mut names = Names::default();
    let mut semantics = Semantics::default();
    let mut all = Vec::new();
    let (mut programs, mut executed) = (Vec::new(), Vec::new());
    for (place, sample, module) in parsed {
        let top = Op::from(module.as_operation());
        let mut found = Vec::new();
        isolate::collect(top, &mut found);
        for op in found {
            let name = isolate::name_of(op);
            let memory = semantics.of(op);
            let is_empty = memory.operands.is_empty() && memory.results.is_empty();
            if is_empty || !sample.operations.contains(&name.as_str()) {
                continue;
            }
            let mut facts = Facts::default();
            interfaces::read(op, &name, &definitions, &mut names, &mut facts);
            // Effects of the operations in its regions belong to these operations.
            let info = names.info(op);
            let is_holder = info.has_recursive_effects() && !info.has_memory_effects();
            if !is_holder
                && !crashes(&name)
                && let Some(isolated) = isolate::isolate(top, op)
            {
                let lowered = lowering::read_all(context, &name, &isolated, &mut facts);
                if is_executed(&name, lowered)
                    && let Some(program) = program::program(&isolated, programs.len())
                {
                    executed.push(all.len());
                    programs.push(program);
                }
            }
            all.push(Case {
                place: place.clone(),
                op,
                name,
                memory: (*memory).clone(),
                overwritten: overwritten(op),
                facts,
            });
        }
    }
    for (at, facts) in executed.into_iter().zip(execution::execute(&programs)?) {
        all[at].facts.add(facts);
    }
    Ok(all)
}

fn crashes(name: &str) -> bool {
    let dialect = isolate::dialect_of(name);
    let mut dialects = CRASHING.iter();
    CRASH.contains(&name)
        || dialects.any(|(crashing, except)| *crashing == dialect && !except.contains(&name))
}

fn is_executed(name: &str, lowered: Lowered) -> bool {
    let mut not = NOT_EXECUTED.iter();
    lowered != Lowered::No && TRANSLATED.contains(&name)
        || lowered == Lowered::Whole
            && EXECUTED.contains(&isolate::dialect_of(name))
            && !not.any(|start| name.starts_with(start))
}
