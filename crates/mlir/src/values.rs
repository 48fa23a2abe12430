//! Values: what bounds them, and what computing them depends on to be defined.

use crate::{
    ffi,
    ir::{Identity, Op, Val, changes, parent_block},
};
use melior::ir::{Attribute, AttributeLike, ValueLike};

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

/// Is `op` free of effects on memory, and may it run where it would not have run, as upstream's interface says? That is
/// not true of all operations of which it says so: `arith.remui` is `Pure`.
pub fn is_speculatable(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanIsSpeculatable(op.to_raw()) }
}

/// Is a divisor known to be neither zero nor, if the division is signed, -1?
pub fn is_safe_divisor(divisor: Val<'_>, is_signed: bool) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsSafeDivisor(divisor.to_raw(), is_signed) }
}

/// Is a value a constant that is zero?
pub fn is_zero(value: Val<'_>) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsZero(value.to_raw()) }
}

/// Is a value an integer constant that is not negative?
pub fn is_constant_not_negative(value: Val<'_>) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsConstantNotNegative(value.to_raw()) }
}

/// Has `op` an affine map of that name, which divides by positive constants alone?
pub fn divides_by_constants(op: Op<'_>, map: &str) -> bool {
    // SAFETY: a live operation; the name lives as long as the call.
    unsafe { ffi::memplanDividesByConstants(op.to_raw(), crate::text::borrow(map)) }
}

/// What a result of an operation always is.
#[derive(Clone, Copy, Debug)]
pub enum Folded<'c> {
    /// A constant.
    Constant(Attribute<'c>),
    /// Another value.
    Value(Val<'c>),
}

/// What a result is, given the constants that operands are, as far as these are known: folded by MLIR, or
/// read from a constant global. Of constants, and operations of `affine`, `arith`, `index`, `memref` and `vector`
/// that have no regions. The operation stays as it is.
pub fn fold<'c>(
    op: Op<'c>,
    result: usize,
    operands: &[Option<Attribute<'c>>],
) -> Option<Folded<'c>> {
    // SAFETY: a live operation with as many operands, and a result of that number where it folds. One of both
    // out parameters is written where the answer is true.
    unsafe {
        let null = mlir_sys::mlirAttributeGetNull();
        let given: Vec<mlir_sys::MlirAttribute> = operands
            .iter()
            .map(|operand| operand.map_or(null, |operand| operand.to_raw()))
            .collect();
        let mut constant = null;
        let mut value = mlir_sys::MlirValue {
            ptr: std::ptr::null(),
        };
        let found = ffi::memplanFold(
            op.to_raw(),
            result as isize,
            given.len() as isize,
            given.as_ptr(),
            &raw mut constant,
            &raw mut value,
        );
        if !found {
            return None;
        }
        match Attribute::from_option_raw(constant) {
            Some(constant) => Some(Folded::Constant(constant)),
            None => (!value.ptr.is_null()).then(|| Folded::Value(Val::from_raw(value))),
        }
    }
}

/// Moves an operation in front of another one. Its operands must be defined there.
pub fn move_before<'c>(op: Op<'c>, before: Op<'c>) {
    changes::moved(op, before);
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
    changes::operation(op);
    // SAFETY: live handles; the index is below the number of operands.
    unsafe { mlir_sys::mlirOperationSetOperand(op.to_raw(), index as isize, value.to_raw()) }
}
