//! Values: bounds, folding, and conditions for computing them early.

use crate::{
    ffi,
    ir::{Identity, Op, Val, changes, parent_block},
};
use melior::ir::{Attribute, AttributeLike, ValueLike};
use std::{
    ffi::c_void,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Whether value bounds do not follow a value.
pub type Opaque<'o, 'c> = &'o mut dyn FnMut(Val<'c>) -> bool;

unsafe extern "C" fn ask(value: mlir_sys::MlirValue, user: *mut c_void) -> bool {
    // SAFETY: the caller passed a pointer to this, and waits; the value is live. A panic must not reach C++: a value that cannot
    // be judged is not followed.
    unsafe {
        let is_opaque = &mut *user.cast::<Opaque<'_, '_>>();
        catch_unwind(AssertUnwindSafe(|| is_opaque(Val::from_raw(value)))).unwrap_or(true)
    }
}

fn compare<'c>(left: Val<'c>, equal: bool, right: Val<'c>, mut is_opaque: Opaque<'_, 'c>) -> bool {
    let user = (&raw mut is_opaque).cast::<c_void>();
    // SAFETY: live values; the callback gets what it expects.
    unsafe { ffi::memplanIndexCompare(left.to_raw(), equal, right.to_raw(), Some(ask), user) }
}

/// Is `left <= right` proven, whenever both are defined, by bounds of mathematical integers? False for values that are
/// not of type `index`. What may wrap around has to be opaque.
pub fn at_most<'c>(left: Val<'c>, right: Val<'c>, is_opaque: Opaque<'_, 'c>) -> bool {
    compare(left, false, right, is_opaque)
}

/// Are two index values proven to be equal? As for [`at_most`].
pub fn equal<'c>(left: Val<'c>, right: Val<'c>, is_opaque: Opaque<'_, 'c>) -> bool {
    compare(left, true, right, is_opaque)
}

/// A constant lower or upper bound of an index value. As for [`at_most`].
pub fn constant_bound<'c>(
    value: Val<'c>,
    upper: bool,
    mut is_opaque: Opaque<'_, 'c>,
) -> Option<i64> {
    let mut bound = 0;
    let user = (&raw mut is_opaque).cast::<c_void>();
    // SAFETY: a live value; the bound is written if the result is true; the callback gets what it expects.
    let known = unsafe {
        let bound = &raw mut bound;
        ffi::memplanIndexConstantBound(value.to_raw(), upper, bound, Some(ask), user)
    };
    known.then_some(bound)
}

/// The results of an affine map: sums and differences, without products.
#[derive(Clone, Copy, Debug)]
pub struct MapSums {
    /// The most numbers in one of them.
    pub numbers: i64,
    /// The largest constant that is added.
    pub added: i64,
    /// Whether they have divisions.
    pub divides: bool,
}

/// The sums in the affine map of that name.
pub fn sums_of_map(op: Op<'_>, map: &str) -> Option<MapSums> {
    let (mut numbers, mut added, mut divides) = (0, 0, false);
    // SAFETY: a live operation, and numbers to write; the name outlives the call.
    let is_known = unsafe {
        let name = crate::string_ref::borrow(map);
        let numbers = &raw mut numbers;
        ffi::memplanSumsOfMap(op.to_raw(), name, numbers, &raw mut added, &raw mut divides)
    };
    is_known.then_some(MapSums {
        numbers,
        added,
        divides,
    })
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
