//! Copies that are written out before anything is freed.
//!
//! Upstream's canonicalization takes what `bufferization.clone` copies in place of the copy where it sees no
//! `memref.dealloc` of it in the same block, and frees one of the two where only one of them is freed there. It passes over
//! `bufferization.dealloc`, over frees inside regions and through other names of the same memory, and over calls, also
//! behind inlining: it would read memory that is freed in between. What cannot be written out is refused.

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

/// Writes copies out; whether there were any. Whether somebody relies on strides of what has no rank: `has_strict_casts`.
pub fn write_out<'c>(clones: &[Op<'c>], has_strict_casts: bool) -> Result<bool, WriteError<'c>> {
    for op in clones {
        let (Some(from), Some(to)) = (operands(*op).next(), results(*op).next()) else {
            continue;
        };
        let builder = Builder::before(*op, op.location()).ok_or_else(BuildError::signature)?;
        if let Some(problem) = copy_problem(type_of(from), type_of(to), has_strict_casts) {
            let what = ErrorKind::Clone(problem);
            return Err(WriteError::Trouble(Error { op: *op, what }));
        }
        let made = builder.copy_of(from, type_of(to))?;
        // Who frees the copy frees the memory.
        if op.has_attribute(MANUAL_DEALLOCATION)
            && let Some(Origin::Result(memory, _)) = origin(made.memory)
        {
            build::mark(memory, MANUAL_DEALLOCATION);
        }
        replace_all_uses(to, made.memref);
        erase(*op);
    }
    Ok(!clones.is_empty())
}

/// All copies in an operation.
pub fn inside<'c>(op: Op<'c>, semantics: &mut Semantics) -> Vec<Op<'c>> {
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
