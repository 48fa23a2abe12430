//! Expands `bufferization.clone` into an allocation and a copy, before anything is freed.
//!
//! Upstream's canonicalization replaces a clone by its source if it sees no `memref.dealloc` of the source in
//! the same block. If only one of the two is freed there, it removes that free. It ignores
//! `bufferization.dealloc`, frees inside regions, frees of aliases, and calls, also after inlining. So the
//! program would read freed memory. A clone that cannot be expanded is an error.

use super::{
    error::{Error, ErrorKind},
    write::WriteError,
};
use memplan_mlir::{
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION, copy_problem},
    ir::{
        Op, Origin, blocks, erase, operands, ops, origin, regions, replace_all_uses, results,
        type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Semantics;

/// Expands clones; returns whether there were any. With `has_strict_casts`, some cast relies on the strides
/// of an unranked memref.
pub fn expand<'c>(clones: &[Op<'c>], has_strict_casts: bool) -> Result<bool, WriteError<'c>> {
    for op in clones {
        let (Some(from), Some(to)) = (operands(*op).next(), results(*op).next()) else {
            continue;
        };
        let builder = Builder::before(*op, op.location()).ok_or_else(BuildError::unexpected)?;
        if let Some(problem) = copy_problem(type_of(from), type_of(to), has_strict_casts) {
            let kind = ErrorKind::Clone(problem);
            return Err(WriteError::Unsupported(Error { op: *op, kind }));
        }
        let copy = builder.copy_of(from, type_of(to))?;
        // The program frees the copy, so it frees the new memory.
        if op.has_attribute(MANUAL_DEALLOCATION)
            && let Some(Origin::Result(memory, _)) = origin(copy.memory)
        {
            build::mark(memory, MANUAL_DEALLOCATION);
        }
        replace_all_uses(to, copy.memref);
        erase(*op);
    }
    Ok(!clones.is_empty())
}

/// All clones in an operation.
pub fn clones_in<'c>(op: Op<'c>, semantics: &mut Semantics) -> Vec<Op<'c>> {
    let mut clones = Vec::new();
    let mut open = vec![op];
    while let Some(op) = open.pop() {
        if semantics.table_facts(op).clones {
            clones.push(op);
        }
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
    }
    clones
}
