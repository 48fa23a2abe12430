//! Values: bounds, folding, and conditions for computing them early.

use crate::{
    ffi,
    ir::{Identity, Op, Val, changes, parent_block},
};
use melior::ir::{Attribute, AttributeLike, ValueLike};

/// Is `left <= right` proven, whenever both are defined? False for values that are not of type `index`.
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
    // SAFETY: a live value; the bound is written if the result is true.
    let known = unsafe { ffi::memplanIndexConstantBound(value.to_raw(), upper, &raw mut bound) };
    known.then_some(bound)
}

/// A constant lower bound of an index value.
pub fn lower_bound(value: Val<'_>) -> Option<i64> {
    bound(value, false)
}

/// A constant upper bound of an index value.
pub fn upper_bound(value: Val<'_>) -> Option<i64> {
    bound(value, true)
}

/// Is `op` free of memory effects, and speculatable according to upstream's interface? The interface is wrong for
/// some operations: `arith.remui` is `Pure`.
pub fn is_speculatable(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanIsSpeculatable(op.to_raw()) }
}

/// Is a divisor proven to be neither 0 nor, if the division is signed, -1?
pub fn is_safe_divisor(divisor: Val<'_>, is_signed: bool) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsSafeDivisor(divisor.to_raw(), is_signed) }
}

/// Is a value the constant zero?
pub fn is_zero(value: Val<'_>) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsZero(value.to_raw()) }
}

/// Is a value a non-negative integer constant?
pub fn is_constant_not_negative(value: Val<'_>) -> bool {
    // SAFETY: a live value.
    unsafe { ffi::memplanIsConstantNotNegative(value.to_raw()) }
}

/// Has `op` an affine map of that name in which all divisors are positive constants?
pub fn divides_by_constants(op: Op<'_>, map: &str) -> bool {
    // SAFETY: a live operation; the name outlives the call.
    unsafe { ffi::memplanDividesByConstants(op.to_raw(), crate::string_ref::borrow(map)) }
}

/// The least constant among the results of an affine map of that name.
pub fn least_constant(op: Op<'_>, map: &str) -> Option<i64> {
    let mut least = 0;
    // SAFETY: a live operation, and an integer to write; the name outlives the call.
    let is_known = unsafe {
        let name = crate::string_ref::borrow(map);
        ffi::memplanLeastConstantOfMap(op.to_raw(), name, &raw mut least)
    };
    is_known.then_some(least)
}

/// The result of folding an operation.
#[derive(Clone, Copy, Debug)]
pub enum Folded<'c> {
    /// A constant.
    Constant(Attribute<'c>),
    /// Another value.
    Value(Val<'c>),
}

/// Folds a result, given the constants of the operands that are known, or reads it from a constant global. Only for
/// constants, and for operations of `affine`, `arith`, `index`, `memref` and `vector` without regions. The operation
/// stays unchanged.
pub fn fold<'c>(
    op: Op<'c>,
    result: usize,
    operands: &[Option<Attribute<'c>>],
) -> Option<Folded<'c>> {
    // SAFETY: a live operation with as many operands, and a result of that number if it folds. One of the out
    // parameters is written if the result is true.
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

/// Moves an operation to before another one, where its operands must be defined.
pub fn move_before<'c>(op: Op<'c>, before: Op<'c>) {
    changes::moved(op, before);
    // SAFETY: live operations.
    unsafe { mlir_sys::mlirOperationMoveBefore(op.to_raw(), before.to_raw()) }
}

/// Is an operation before another one in the same block?
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
