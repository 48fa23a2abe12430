//! Memory effects of one operation, on which values and which kind of memory.

use crate::{
    ffi,
    ir::{Op, Val, value_from_raw},
};
use smallvec::SmallVec;
use std::ffi::c_void;

/// What an operation does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Makes new memory.
    Allocate,
    /// Gives memory back.
    Free,
}

/// One effect.
#[derive(Clone, Copy, Debug)]
pub struct Effect<'c> {
    /// What is done.
    pub kind: EffectKind,
    /// The memref it is done to; `None`: to something that is not named.
    pub value: Option<Val<'c>>,
    /// The resource is stack memory that ends with its scope.
    pub automatic_scope: bool,
    /// The resource is memory at all, not a device, a file, or the like.
    pub memory: bool,
}

/// The effects that `op` itself declares; `None` if it does not implement the interface.
pub fn effects<'c>(op: Op<'c>) -> Option<SmallVec<[Effect<'c>; 8]>> {
    unsafe extern "C" fn collect(effect: *const ffi::MemplanEffect, user: *mut c_void) {
        // SAFETY: the shim hands over a valid effect and the vector passed below.
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
                // What is not known may write.
                _ => EffectKind::Write,
            },
            value: value_from_raw(effect.value),
            automatic_scope: effect.automatic_scope,
            memory: effect.memory,
        });
    }

    let mut all: SmallVec<[Effect<'c>; 8]> = SmallVec::new();
    // SAFETY: `collect` gets `all` back, which outlives the call; lifetimes do not change layout.
    let implemented = unsafe {
        ffi::memplanOperationEffects(op.to_raw(), Some(collect), (&raw mut all).cast::<c_void>())
    };
    implemented.then_some(all)
}

/// True if neither `op` nor anything in it touches memory.
pub fn is_effect_free(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { ffi::memplanOperationIsMemoryEffectFree(op.to_raw()) }
}
