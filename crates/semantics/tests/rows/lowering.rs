//! Analyzes upstream's lowering of an operation: the arguments whose pointers are used by loads and stores, and the
//! origins of the returned pointers.

use crate::{
    facts::{Facts, Source},
    isolate::{self, Isolated, collect, name_of},
    origins::{Flow, Origins, callee},
};
use memplan_mlir::{
    effects::{EffectKind, effects},
    ir::{Op, arguments, blocks, operands, ops, regions, symbol_name},
    melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline},
};
use std::collections::{BTreeMap, BTreeSet};

/// Lowers to the LLVM dialect.
pub const PIPELINE: &str = "sparse-buffer-rewrite,async-to-async-runtime,async-func-to-async-runtime,\
     bufferization-lower-deallocations,convert-bufferization-to-memref,convert-linalg-to-loops,\
     scf-forall-to-for,convert-nvgpu-to-nvvm,lower-affine,convert-vector-to-scf,func.func(lower-vector-mask),\
     expand-realloc,memref-expand,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-async-to-llvm,\
     convert-vector-to-llvm{enable-x86vector=true enable-amx=true},gpu-to-llvm,convert-openmp-to-llvm,\
     convert-to-llvm,reconcile-unrealized-casts";

/// The passes before that for operations of one dialect.
const FIRST: [(&str, &str); 2] = [
    ("amdgpu", "convert-amdgpu-to-rocdl{chipset=gfx950}"),
    ("xegpu", "convert-xegpu-to-xevm"),
];

/// Functions that free the memory of their first argument.
const FREES: [&str; 2] = ["free", "mgpuMemFree"];

/// Lowers the module of an operation.
fn lower<'c>(context: &'c Context, name: &str, text: &str) -> Option<Module<'c>> {
    let mut module = Module::parse(context, text)?;
    let manager = PassManager::new(context);
    let dialect = isolate::dialect_of(name);
    let first = FIRST.iter().find(|(first, _)| *first == dialect);
    let first = first.map_or(String::new(), |(_, passes)| format!("{passes},"));
    let pipeline = format!("builtin.module({first}{PIPELINE})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
    manager.run(&mut module).ok()?;
    Some(module)
}

/// The result of the lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lowered {
    /// A pass fails.
    No,
    /// Operations of other dialects remain.
    InPart,
    /// The LLVM dialect only.
    Whole,
}

/// Adds the facts that the lowering of an operation shows, and returns how far it is lowered.
pub fn read_all(context: &Context, name: &str, isolated: &Isolated, facts: &mut Facts) -> Lowered {
    // A result that is not returned may be optimized away together with the operation.
    let mut returned: Vec<_> = (0..isolated.results.len()).map(Some).collect();
    if returned.is_empty() {
        returned.push(None);
    }
    let mut so_far = Lowered::Whole;
    for result in returned {
        let results: Vec<_> = result.into_iter().collect();
        match lower(context, name, &isolated.module(&results)) {
            Some(lowered) => {
                let top = lowered.as_operation();
                if !is_llvm(top) {
                    so_far = so_far.min(Lowered::InPart);
                }
                read(top, name, isolated, result, facts);
            }
            None => so_far = Lowered::No,
        }
    }
    so_far
}

/// Is a module entirely in the LLVM dialect?
fn is_llvm(module: Op<'_>) -> bool {
    let mut all = Vec::new();
    collect(module, &mut all);
    all.iter()
        .all(|op| name_of(*op).starts_with("llvm.") || *op == module)
}

/// The number of arguments that a value of a type is lowered to, and the positions of the pointers among them.
fn expanded(r#type: &str) -> (usize, std::ops::Range<usize>) {
    if r#type.starts_with("memref<*") {
        return (2, 1..2);
    }
    let Some(shape) = r#type.strip_prefix("memref<") else {
        return (1, 0..1);
    };
    let digits = |c: char| c.is_ascii_digit() || c == '?';
    let mut rank = 0;
    let mut rest = shape;
    while rest.starts_with(digits) {
        let Some((size, after)) = rest.split_once('x') else {
            break;
        };
        if !size.chars().all(digits) {
            break;
        }
        rank += 1;
        rest = after;
    }
    (3 + 2 * rank, 0..2)
}

fn bits(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

/// Adds the facts that the lowering of a function returning `returned` shows.
fn read(
    module: Op<'_>,
    name: &str,
    isolated: &Isolated,
    returned: Option<usize>,
    facts: &mut Facts,
) {
    let mut all = regions(module).flat_map(blocks).flat_map(ops);
    let Some(function) = all.find(|one| symbol_name(*one) == isolate::NAME) else {
        return;
    };
    // A descriptor in memory is not memory of the program.
    let is_unranked = |one: &String| one.starts_with("memref<*");
    if (isolated.arguments.iter()).any(|one| is_unranked(&one.r#type))
        || isolated.results.iter().any(is_unranked)
    {
        return;
    }
    let Some(entry) = regions(function).flat_map(blocks).next() else {
        return;
    };
    let mut flow = Flow::default();
    let values: Vec<_> = arguments(entry).collect();
    let sizes = isolated.arguments.iter().map(|one| expanded(&one.r#type));
    if sizes.clone().map(|(count, _)| count).sum::<usize>() != values.len() {
        return;
    }
    let mut at = 0;
    for (argument, (count, pointers)) in isolated.arguments.iter().zip(sizes) {
        let of = argument.operands.iter().fold(0, |all, one| all | 1 << one);
        for pointer in pointers {
            flow.add(
                values[at + pointer],
                Origins {
                    of,
                    ..Origins::default()
                },
            );
        }
        at += count;
    }
    let mut body = Vec::new();
    collect(function, &mut body);
    flow.run(&body, name);
    let note = |map: &mut BTreeMap<usize, BTreeSet<Source>>, set| {
        for bit in bits(set) {
            map.entry(bit).or_default().insert(Source::Lowering);
        }
    };
    for op in &body {
        if name_of(*op).ends_with(".return") {
            if let (Some(returned), Some(value)) = (returned, operands(*op).next()) {
                let origins = flow.get(value);
                for operand in bits(origins.of | origins.loaded) {
                    let sources = facts.of.entry((returned, operand)).or_default();
                    sources.insert(Source::Lowering);
                }
                if origins.new && origins.of == 0 && origins.loaded == 0 {
                    let sources = facts.new.entry(returned).or_default();
                    sources.insert(Source::Lowering);
                }
            }
            continue;
        }
        if callee(*op).is_some_and(|callee| FREES.contains(&callee.as_str())) {
            let freed = operands(*op).next().map(|value| flow.get(value).of);
            note(&mut facts.frees, freed.unwrap_or_default());
        }
        // If the operation itself remains, it adds no new facts.
        let own = (name_of(*op) != name).then(|| effects(*op)).flatten();
        for effect in own.unwrap_or_default() {
            let Some(value) = effect.value else { continue };
            let of = flow.get(value).of;
            match effect.kind {
                EffectKind::Read => note(&mut facts.reads, of),
                EffectKind::Write => note(&mut facts.writes, of),
                _ => {}
            }
        }
    }
}
