//! Reasons why an allocation is not planned.

use crate::reasons;

reasons! {
    /// Why an allocation is left alone.
    SkipReason;
    /// A dynamic size.
    DynamicSize = "dynamic-size": "its size is known only at run time",
    /// No other buffer shares its slot, or it is not always allocated: an arena would save nothing.
    NoneToShareWith = "none-to-share-with": "its size is known only at run time, and it has no \
    slot to share with a buffer that is always allocated",
    /// Its size, or whether it is allocated at all, is known too late.
    SizeNotReady = "size-not-ready": "its size cannot be computed before the outermost loop, \
    branch or block that contains the allocation",
    /// The sum of sizes could overflow.
    NarrowIndex = "narrow-index": "an index has fewer than 64 bits, in which a sum of sizes could overflow",
    /// A slot for it could take more than separate allocations do.
    RaisesPeak = "raises-peak": "a slot for its dynamic size could raise the peak above that of \
    separate allocations",
    /// Its layout is not contiguous rows.
    Layout = "layout": "its layout is not contiguous",
    /// Its arena would be held longer than it is needed.
    RaisesHeap = "raises-heap": "the function could hold more with it in an arena than with each \
    allocation freed after its last use",
    /// The element type's size is not known.
    ElementType = "element-type": "the size of its element type is not known",
    /// Over the limit.
    TooLarge = "too-large": "it is larger than 2^60 bytes",
    /// Over the limit.
    Alignment = "alignment": "its alignment is above 2^30 bytes",
    /// Workgroup memory in GPU code.
    SharedByThreads = "shared-by-threads": "threads share it: memplan-merge-workgroup plans it",
    /// Not allocated by all threads together.
    DivergentControl = "divergent-control": "only some threads may allocate it",
    /// `memref.distinct_objects`.
    Distinct = "distinct": "it is promised to share no bytes with other memory",
    /// An attribution of a launch.
    LaunchAttribution = "launch-attribution": "it can share no other attribution as a whole, and gpu.launch cannot state the alignment that bytes for it need",
    /// In a function that threads call.
    NoKernel = "no-kernel": "threads call its function, which is no kernel, at different times",
    /// Paths of the kernel are not known.
    UnknownPaths = "unknown-paths": "the control flow of the kernel is not known",
    /// Marked to be left alone.
    Manual = "manual-deallocation": "it is marked bufferization.manual_deallocation",
    /// Made by something other than `memref.alloc`.
    OtherAllocator = "other-allocator": "it is not allocated by memref.alloc",
    /// `memref.alloca`.
    OnStack = "on-stack": "it is on the stack",
    /// Allocated where the order of execution is not known.
    OpaqueRegion = "opaque-region": "it is allocated in a region whose control flow is not known",
    /// Allocated in a coroutine.
    Coroutine = "coroutine": "it is allocated in a coroutine, which returns each time that it is suspended",
    /// In another memory space than the default one.
    OtherSpace = "other-space": "it is in another memory space than the stack",
    /// Returned to the caller.
    Returned = "returned": "it is or may be returned to the caller",
    /// Its address is stored in memory.
    Stored = "stored": "its address may be stored in memory",
    /// Used by an operation of unknown effects.
    UnknownEffects = "unknown-effects": "it is used by an operation of unknown effects",
    /// Cast to something that is not a memref.
    CastAway = "cast-away": "it is cast to something that is not a memref",
    /// Its address is taken as a number.
    PointerExtracted = "pointer-extracted": "its address is extracted as a number",
    /// `memref.realloc`.
    Reallocated = "reallocated": "it is resized by memref.realloc",
    /// Cloned by `bufferization.clone`.
    Cloned = "cloned": "it is cloned by bufferization.clone",
    /// Freed by an operation other than `memref.dealloc`.
    FreedElsewhere = "freed-elsewhere": "it is freed by something other than memref.dealloc",
    /// A deallocation may free it or something that is not planned.
    FreedWithOther = "freed-with-other": "it is freed by a memref.dealloc that may free something unplanned",
    /// A loop carries it first and heap memory later.
    FreedByFlag = "freed-by-flag": "a loop carries it first and heap memory later, and would \
    need a flag to free that",
    /// Used asynchronously.
    Asynchronous = "asynchronous": "it is used by an asynchronous operation, and not every path \
    has a wait that covers it",
    /// Allocated again while an asynchronous operation may use it.
    PendingAgain = "pending-again": "it is allocated again while an asynchronous operation may \
    still use it",
    /// A callee captures or frees it.
    KeptByCallee = "kept-by-callee": "it is passed to a call that may capture or free it",
    /// A function pass must not look at the callee.
    CalleeUnseen = "callee-unseen": "it is passed to a function whose body a function pass \
    cannot inspect; schedule the pass on builtin.module",
    /// Passed to an indirect call.
    IndirectCall = "indirect-call": "it is passed to an indirect call",
    /// Too many older instances are needed when it is allocated again.
    OverlapsItself = "overlaps-itself": "too many of its older instances are still needed when it is allocated again",
    /// Merges with too many other allocations.
    TooManyAliases = "too-many-aliases": "it flows into a value that may be any of too many \
    allocations",
    /// `memplan.keep`.
    Kept = "kept": "it is marked memplan.keep",
    /// Smaller than `min-size`.
    BelowMinSize = "below-min-size": "it is smaller than min-size",
    /// Larger than `max-size`.
    AboveMaxSize = "above-max-size": "it is larger than max-size",
    /// Used by the terminator of a parallel body.
    UsedByTerminator = "used-by-terminator": "it is used by the terminator of the body that \
    allocates it",
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_words_with_hyphens_and_no_two_are_the_same() {
        let ids: BTreeSet<_> = SkipReason::ALL.iter().map(|reason| reason.id()).collect();
        assert_eq!(ids.len(), SkipReason::ALL.len());
        for id in ids {
            assert!(
                id.chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter == '-'),
                "{id}"
            );
        }
    }
}
