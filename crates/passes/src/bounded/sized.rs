//! Allocations of sizes that follow from constants.

use super::constants::{evaluate, nothing};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, Val, erase, operands, replace_all_uses, results},
    melior::ir::operation::OperationLike,
    names::{Known, Names},
};

/// Makes an allocation like `op` of the type that tells its sizes, where these follow from constants, as a memref of the
/// type that `op` gives.
pub fn sized<'c>(
    op: Op<'c>,
    builder: &Builder<'c>,
    names: &mut Names,
) -> Result<Option<Val<'c>>, BuildError> {
    let known = names.info(op).known;
    if !matches!(known, Known::Alloc | Known::Alloca) || operands(op).next().is_none() {
        return Ok(None);
    }
    let sizes: Option<Vec<i64>> = operands(op)
        .map(|size| evaluate(size, names, &nothing).filter(|size| *size >= 0))
        .collect();
    let Some(sizes) = sizes else {
        return Ok(None);
    };
    let name = match known {
        Known::Alloca => "memref.alloca",
        _ => "memref.alloc",
    };
    builder.allocation_of(op, name, &sizes)
}

/// Puts such an allocation in the place of `op`.
pub fn make_sized<'c>(op: Op<'c>, names: &mut Names) -> Result<(), BuildError> {
    let Some(builder) = Builder::before(op, op.location()) else {
        return Ok(());
    };
    if let Some(made) = sized(op, &builder, names)? {
        if let Some(result) = results(op).next() {
            replace_all_uses(result, made);
        }
        erase(op);
    }
    Ok(())
}
