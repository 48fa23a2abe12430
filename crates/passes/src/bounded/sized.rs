//! Allocations whose sizes are computed from constants.

use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, Val, erase, is_memref, operands, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    constants::{evaluate, no_known_values},
};

/// Whether an operation allocates memory of sizes that are its operands.
pub fn is_of_any_size(op: Op<'_>, semantics: &mut Semantics) -> bool {
    operands(op).next().is_some()
        && results(op).any(|result| is_memref(type_of(result)))
        && semantics.of(op).plain_allocation().is_some()
}

/// Creates an allocation like `op` with a static type, if its sizes are constant, cast to the type of `op`.
pub fn sized<'c>(
    op: Op<'c>,
    builder: &Builder<'c>,
    semantics: &mut Semantics,
) -> Result<Option<Val<'c>>, BuildError> {
    if !is_of_any_size(op, semantics) {
        return Ok(None);
    }
    let sizes: Option<Vec<i64>> = operands(op)
        .map(|size| evaluate(size, semantics, &no_known_values).filter(|size| *size >= 0))
        .collect();
    match sizes {
        Some(sizes) => builder.allocation_of(op, &sizes),
        None => Ok(None),
    }
}

/// Replaces `op` by such an allocation.
pub fn make_sized<'c>(op: Op<'c>, semantics: &mut Semantics) -> Result<(), BuildError> {
    let Some(builder) = Builder::before(op, op.location()) else {
        return Ok(());
    };
    if let Some(made) = sized(op, &builder, semantics)? {
        if let Some(result) = results(op).next() {
            replace_all_uses(result, made);
        }
        erase(op);
    }
    Ok(())
}
