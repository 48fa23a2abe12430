//! What `LoopLikeOpInterface` says of loops.

use crate::{
    ffi,
    ir::{Op, Val, value_from_raw},
};
use melior::ir::{Attribute, attribute::IntegerAttribute};
use std::ffi::c_void;

/// A bound or a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoopNumber<'c> {
    /// A constant.
    Constant(i64),
    /// A value.
    Value(Val<'c>),
}

/// What the interface says of a loop; a list is empty where it says nothing.
#[derive(Clone, Debug, Default)]
pub struct LoopParts<'c> {
    /// The induction variables, one for each dimension.
    pub induction: Vec<Val<'c>>,
    /// The lower bounds, one for each dimension.
    pub lower: Vec<LoopNumber<'c>>,
    /// The upper bounds, one for each dimension.
    pub upper: Vec<LoopNumber<'c>>,
    /// The steps, one for each dimension.
    pub step: Vec<LoopNumber<'c>>,
    /// What is carried into the first iteration.
    pub starts: Vec<Val<'c>>,
    /// What that is in an iteration.
    pub carried: Vec<Val<'c>>,
    /// What an iteration hands to the next one.
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
        // SAFETY: the shim hands over the struct passed below.
        let parts = unsafe { &mut *user.cast::<LoopParts<'static>>() };
        let number = match value_from_raw(value) {
            Some(value) => Some(LoopNumber::Value(value)),
            // SAFETY: an attribute where there is no value.
            None => unsafe { Attribute::from_option_raw(constant) }
                .and_then(|constant| IntegerAttribute::try_from(constant).ok())
                .map(|constant| LoopNumber::Constant(constant.value())),
        };
        // A bound of another kind leaves its list too short, so nothing is said of bounds.
        match part {
            ffi::MEMPLAN_LOOP_INDUCTION => parts.induction.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_LOWER => parts.lower.extend(number),
            ffi::MEMPLAN_LOOP_UPPER => parts.upper.extend(number),
            ffi::MEMPLAN_LOOP_STEP => parts.step.extend(number),
            ffi::MEMPLAN_LOOP_START => parts.starts.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_CARRIED => parts.carried.extend(value_from_raw(value)),
            ffi::MEMPLAN_LOOP_YIELDED => parts.yielded.extend(value_from_raw(value)),
            _ => {}
        }
    }

    let mut parts: LoopParts<'c> = LoopParts::default();
    // SAFETY: `collect` gets `parts` back, which outlives the call.
    let is_loop = unsafe {
        ffi::memplanLoopParts(
            op.to_raw(),
            Some(collect),
            (&raw mut parts).cast::<c_void>(),
        )
    };
    is_loop.then_some(parts)
}

/// The trip count of a loop, where it is a constant.
pub fn static_trip_count(op: Op<'_>) -> Option<u64> {
    // SAFETY: a live operation.
    u64::try_from(unsafe { ffi::memplanLoopStaticTripCount(op.to_raw()) }).ok()
}
