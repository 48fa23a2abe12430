//! Index values: what bounds them, and which computations may run early.

use crate::{
    ffi,
    ir::{Identity, Op, Val, parent_block},
};
use melior::ir::ValueLike;

/// Is `left <= right` proven, whenever both are defined? Both are of type `index`, or it is not.
pub fn at_most(left: Val<'_>, right: Val<'_>) -> bool {
    // SAFETY: live values.
    unsafe { ffi::memplanIndexAtMost(left.to_raw(), right.to_raw()) }
}

/// Are two index values proven to be equal?
pub fn equal(left: Val<'_>, right: Val<'_>) -> bool {
    at_most(left, right) && at_most(right, left)
}

fn bound(value: Val<'_>, upper: bool) -> Option<i64> {
    let mut bound = 0;
    // SAFETY: a live value; the bound is written where the answer is true.
    let known = unsafe { ffi::memplanIndexConstantBound(value.to_raw(), upper, &raw mut bound) };
    known.then_some(bound)
}

/// A constant that an index value is never below.
pub fn lower_bound(value: Val<'_>) -> Option<i64> {
    bound(value, false)
}

/// A constant that an index value is never above.
pub fn upper_bound(value: Val<'_>) -> Option<i64> {
    bound(value, true)
}

/// Does `op` compute scalars from scalars, or ask for a dimension, and may it run where it would
/// not have run? Not what may divide by zero, and not what reads memory.
pub fn is_safe_to_speculate(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanIsSafeToSpeculate(op.to_raw()) }
}

/// Moves an operation in front of another one. Its operands must be defined there.
pub fn move_before<'c>(op: Op<'c>, before: Op<'c>) {
    // SAFETY: live operations.
    unsafe { mlir_sys::mlirOperationMoveBefore(op.to_raw(), before.to_raw()) }
}

/// Does an operation stand in front of another one of its block?
pub fn is_before(op: Op<'_>, other: Op<'_>) -> bool {
    let block = |op| parent_block(op).map(|block| block.key());
    // SAFETY: live operations of one block.
    block(op) == block(other)
        && unsafe { mlir_sys::mlirOperationIsBeforeInBlock(op.to_raw(), other.to_raw()) }
}

/// Sets an operand.
pub fn set_operand<'c>(op: Op<'c>, index: usize, value: Val<'c>) {
    // SAFETY: live handles; the index is below the number of operands.
    unsafe { mlir_sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) }
}
