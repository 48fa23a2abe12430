//! Memory effects of an operation: their kinds, values and resources.

use crate::{
    ffi,
    ir::{Op, Val, value_from_raw},
};
use smallvec::SmallVec;
use std::ffi::c_void;

/// The kind of a memory effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Allocates memory.
    Allocate,
    /// Frees memory.
    Free,
}

/// A memory effect.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'c> {
    /// The kind.
    pub kind: EffectKind,
    /// The memref that the effect is on; `None` if the operation does not name one.
    pub value: Option<Val<'c>>,
    /// The resource is automatic stack memory (`AutomaticAllocationScopeResource`).
    pub automatic_scope: bool,
    /// The resource is memory, not a device, a file, or the like.
    pub memory: bool,
}

/// The effects that `op` itself declares; `None` if it does not implement the interface.
pub fn effects<'c>(op: Op<'c>) -> Option<SmallVec<[Effect<'c>; 8]>> {
    unsafe extern "C" fn collect(effect: *const ffi::MemplanEffect, user: *mut c_void) {
        // SAFETY: the shim passes a valid effect, and the vector given below.
        let (effect, all) = unsafe {
            (
                &*effect,
                &mut *user.cast::<SmallVec<[Effect<'static>; 8]>>(),
            )
        };
        all.push(Effect {
            kind: match effect.kind {
                ffi::MEMPLAN_EFFECT_READ => EffectKind::Read,
                ffi::MEMPLAN_EFFECT_ALLOCATE => EffectKind::Allocate,
                ffi::MEMPLAN_EFFECT_FREE => EffectKind::Free,
                ffi::MEMPLAN_EFFECT_WRITE => EffectKind::Write,
                // An unknown effect may be a write.
                _ => EffectKind::Write,
            },
            value: value_from_raw(effect.value),
            automatic_scope: effect.automatic_scope,
            memory: effect.memory,
        });
    }

    let mut all: SmallVec<[Effect<'c>; 8]> = SmallVec::new();
    // SAFETY: `collect` receives `all`, which outlives the call; lifetimes do not change the layout.
    let implemented = unsafe {
        ffi::memplanOperationEffects(op.to_raw(), Some(collect), (&raw mut all).cast::<c_void>())
    };
    implemented.then_some(all)
}

/// Is `op`, with all nested operations, free of memory effects?
pub fn is_effect_free(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanOperationIsMemoryEffectFree(op.to_raw()) }
}
