//! The parts of loops, according to `LoopLikeOpInterface`.

use crate::{
    ffi,
    ir::{Op, Val, changes, op_from_raw, parent_block, value_from_raw},
};
use melior::ir::{Attribute, attribute::IntegerAttribute};
use std::ffi::c_void;

/// A bound or a step of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopBound<'c> {
    /// A constant.
    Constant(i64),
    /// A value.
    Value(Val<'c>),
}

/// The parts of a loop. A list is empty if the interface does not provide it.
#[derive(Clone, Debug, Default)]
pub struct LoopParts<'c> {
    /// The induction variables, one for each dimension.
    pub induction: Vec<Val<'c>>,
    /// The lower bounds, one for each dimension.
    pub lower: Vec<LoopBound<'c>>,
    /// The upper bounds, one for each dimension.
    pub upper: Vec<LoopBound<'c>>,
    /// The steps, one for each dimension.
    pub step: Vec<LoopBound<'c>>,
    /// Initial values of the iteration arguments.
    pub inits: Vec<Val<'c>>,
    /// The iteration arguments: block arguments of the body.
    pub carried: Vec<Val<'c>>,
    /// The values that an iteration yields to the next one.
    pub yielded: Vec<Val<'c>>,
}

/// The parts of a loop; `None` if `op` does not implement LoopLikeOpInterface.
pub fn parts<'c>(op: Op<'c>) -> Option<LoopParts<'c>> {
    unsafe extern "C" fn collect(
        part: ffi::MemplanLoopPart,
        value: mlir_sys::MlirValue,
        constant: mlir_sys::MlirAttribute,
        user: *mut c_void,
    ) {
        // SAFETY: the shim passes the struct given below.
        let parts = unsafe { &mut *user.cast::<LoopParts<'static>>() };
        let number = match value_from_raw(value) {
            Some(value) => Some(LoopBound::Value(value)),
            // SAFETY: the attribute is set if the value is null.
            None => unsafe { Attribute::from_option_raw(constant) }
                .and_then(|constant| IntegerAttribute::try_from(constant).ok())
                .map(|constant| LoopBound::Constant(constant.value())),
        };
        // A bound of another kind makes its list too short, so that callers ignore the bounds.
        match part {
            ffi::MEMPLAN_LOOP_INDUCTION => parts.induction.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_LOWER => parts.lower.extend(number),
            ffi::MEMPLAN_LOOP_UPPER => parts.upper.extend(number),
            ffi::MEMPLAN_LOOP_STEP => parts.step.extend(number),
            ffi::MEMPLAN_LOOP_INIT => parts.inits.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_ITER_ARG => parts.carried.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_YIELDED => parts.yielded.extend(value_from_raw(value)),
            _ => {}
        }
    }

    let mut parts: LoopParts<'c> = LoopParts::default();
    // SAFETY: `collect` receives `parts`, which outlives the call.
    let is_loop = unsafe {
        ffi::memplanLoopParts(
            op.to_raw(),
            Some(collect),
            (&raw mut parts).cast::<c_void>(),
        )
    };
    is_loop.then_some(parts)
}

/// Lowers affine loops, and what is in them, to operations of scf, arith and memref. Returns what the operation becomes; `None` if
/// something cannot be lowered.
pub fn lower_affine<'c>(op: Op<'c>) -> Option<Op<'c>> {
    parent_block(op).into_iter().for_each(changes::inserted);
    changes::erased(op);
    // SAFETY: a live operation, which nothing refers to after the call if it is replaced.
    op_from_raw(unsafe { ffi::memplanLowerAffine(op.to_raw()) })
}

/// The trip count of a loop, if it is a constant.
pub fn static_trip_count(op: Op<'_>) -> Option<u64> {
    // SAFETY: a live operation.
    u64::try_from(unsafe { ffi::memplanLoopStaticTripCount(op.to_raw()) }).ok()
}
