//! Instruments a program to report the memory that it touches, so that a run computes how long each allocation is
//! needed.

use std::collections::HashSet;

use anyhow::{Context as _, Result};
use memplan_mlir::{
    build::Builder,
    context::with_all_dialects,
    ir::{
        Identity, Key, Op, Val, arguments, blocks, is_memref, operands, ops, regions, results,
        terminator, type_of,
    },
    melior::ir::{Module, operation::OperationLike},
};

/// The function that a touch calls, with an address.
const TOUCH: &str = "heap_touch";

/// Loops: memory from outside is needed until they end, whichever iteration uses it last.
const LOOPS: [&str; 5] = [
    "affine.for",
    "scf.for",
    "scf.forall",
    "scf.parallel",
    "scf.while",
];

/// The program with a touch of each memref after each operation that uses it.
pub fn trace(text: &str) -> Result<String> {
    let context = with_all_dialects();
    let module = Module::parse(&context, text).context("the program does not parse")?;
    for function in ops(module.body()) {
        visit(function)?;
    }
    Ok(module.as_operation().to_string())
}

fn visit(op: Op<'_>) -> Result<()> {
    for block in regions(op).flat_map(blocks) {
        let end = terminator(block);
        for nested in ops(block).collect::<Vec<_>>() {
            visit(nested)?;
            let is_end = end.is_some_and(|end| end.key() == nested.key());
            let name = name_of(nested);
            if is_end && name != "func.return" {
                continue;
            }
            // The operands of a branch or loop may be replaced inside of it.
            let is_before = is_end || regions(nested).next().is_some();
            touch(nested, memrefs(nested), is_before)?;
            if LOOPS.contains(&name.as_str()) {
                touch(nested, captured(nested), false)?;
            }
        }
    }
    Ok(())
}

fn touch<'c>(op: Op<'c>, memrefs: Vec<Val<'c>>, is_before: bool) -> Result<()> {
    let builder = match is_before {
        true => Builder::before(op, op.location()),
        false => Builder::after(op, op.location()),
    };
    let builder = builder.context("an operation stands in a block")?;
    for memref in memrefs {
        let address = builder.aligned_pointer(memref)?;
        builder.call(TOUCH, &[address])?;
    }
    Ok(())
}

fn memrefs(op: Op<'_>) -> Vec<Val<'_>> {
    operands(op)
        .filter(|val| is_memref(type_of(*val)))
        .collect()
}

/// Memrefs from outside that are used inside.
fn captured(op: Op<'_>) -> Vec<Val<'_>> {
    fn walk<'c>(op: Op<'c>, inside: &mut HashSet<Key>, used: &mut Vec<Val<'c>>) {
        for block in regions(op).flat_map(blocks) {
            inside.extend(arguments(block).map(|val| val.key()));
            for nested in ops(block) {
                inside.extend(results(nested).map(|val| val.key()));
                used.extend(memrefs(nested));
                walk(nested, inside, used);
            }
        }
    }
    let (mut inside, mut used) = (HashSet::new(), Vec::new());
    walk(op, &mut inside, &mut used);
    used.retain(|val| inside.insert(val.key()));
    used
}

fn name_of(op: Op<'_>) -> String {
    let name = op.name();
    name.as_string_ref().as_str().unwrap_or_default().to_owned()
}
