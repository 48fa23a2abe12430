//! Moves an allocation.

use super::decide::{Move, is_outside};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{erase, operands, results},
    melior::ir::operation::OperationLike,
    values::{move_before, set_operand},
};

/// Moves an allocation before its loop, and its deallocations after the loop.
pub fn write(one: &Move<'_>) -> Result<(), BuildError> {
    for op in &one.computed {
        // Another allocation may have moved it further.
        if results(*op).any(|result| !is_outside(result, one.before)) {
            move_before(*op, one.before);
        }
    }
    let location = one.alloc.location();
    let builder = Builder::before(one.before, location).ok_or_else(BuildError::unexpected)?;
    let mut iterates = None;
    for condition in &one.conditions {
        let holds = builder.compare(condition.how, condition.lower, condition.upper)?;
        iterates = Some(match iterates {
            Some(others) => builder.and(others, holds)?,
            None => holds,
        });
    }
    if let Some(iterates) = iterates {
        let none = builder.index(0)?;
        for (index, size) in operands(one.alloc).enumerate() {
            set_operand(one.alloc, index, builder.select(iterates, size, none)?);
        }
    }
    move_before(one.alloc, one.before);
    if !one.frees.is_empty() {
        let after = Builder::after(one.before, location).ok_or_else(BuildError::unexpected)?;
        for memref in results(one.alloc) {
            after.dealloc(memref)?;
        }
    }
    one.frees.iter().copied().for_each(erase);
    Ok(())
}
