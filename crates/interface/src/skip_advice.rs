//! Advice on how to make a skipped allocation plannable.

use crate::SkipReason;

impl SkipReason {
    /// How the user can remove the reason, in the imperative; empty if there is no way.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::DynamicSize => {
                "use dynamic=slots, or give it a static type, such as an upper \
                bound with a subview of it"
            }
            Self::NoneToShareWith => {
                "allocate it, and a buffer that it can share with, on every path through the \
                function, loop body or branch, or give it a static type"
            }
            Self::SizeNotReady => {
                "compute its size from values that are known before the enclosing loop or branch"
            }
            Self::NarrowIndex => "give it a static type, if its size is known",
            Self::RaisesPeak => {
                "allocate it where a buffer that can share its slot is live, or give it a \
                static type"
            }
            Self::RaisesHeap => {
                "allocate it on paths that need it only, or use a buffer in fewer branches"
            }
            Self::Layout => "allocate it with the identity layout, and take a strided view of it",
            Self::ElementType => {
                "give the element type a size in the data layout, or use a builtin one"
            }
            Self::TooLarge => "split it",
            Self::Alignment => "ask for an alignment of at most 2^30 bytes",
            Self::SharedByThreads => "run memplan-merge-workgroup",
            Self::DivergentControl => {
                "allocate it where all threads come, or declare it as a workgroup attribution"
            }
            Self::Distinct => "remove memref.distinct_objects",
            Self::LaunchAttribution => "run gpu-kernel-outlining first",
            Self::NoKernel => "inline the function into its kernel",
            Self::UnknownPaths => "give each loop of the kernel a path out of it",
            Self::Manual => "remove bufferization.manual_deallocation",
            Self::OtherAllocator => "allocate it with memref.alloc",
            Self::OnStack => "use allocas=true",
            Self::OpaqueRegion => {
                "let the parent operation implement RegionBranchOpInterface, or move the \
                allocation out of it"
            }
            Self::Coroutine => "run the pass before async is lowered to coroutines",
            Self::Returned => {
                "let the caller pass a buffer for the result (buffer-results-to-out-params)"
            }
            Self::Stored => "pass the memref as a value instead of through memory",
            Self::UnknownEffects => {
                "let the operation implement MemoryEffectOpInterface, or lower it first"
            }
            Self::CastAway => "run the pass before memrefs are lowered",
            Self::PointerExtracted => "run the pass before pointers are taken",
            Self::Reallocated => "allocate the larger size at once (or run expand-realloc first)",
            Self::Cloned => "copy it with memref.copy, or run canonicalize first",
            Self::FreedElsewhere => {
                "free it with memref.dealloc, or run the pass before deallocations are inserted"
            }
            Self::FreedWithOther => "run the pass before deallocations are inserted",
            Self::FreedByFlag => {
                "let the caller pass a buffer for the result (buffer-results-to-out-params)"
            }
            Self::Asynchronous => {
                "wait for the operation before the buffer's last use, in the same function"
            }
            Self::PendingAgain => "wait for the operation before the buffer is allocated again",
            Self::KeptByCallee => {
                "let the callee neither store nor free it; for a callee without a body, use \
                calls=borrow"
            }
            Self::CalleeUnseen => "schedule the pass on builtin.module",
            Self::IndirectCall => "call the function by its symbol",
            Self::OverlapsItself => "carry fewer of its instances around the loop",
            Self::TooManyAliases => "select among fewer allocations",
            Self::UsedByTerminator => "copy the result out in the body instead",
            Self::Kept => "remove memplan.keep",
            Self::BelowMinSize => "lower min-size",
            Self::OtherSpace => {
                "plan it with memplan-merge-alloc, which has an arena for each memory space"
            }
            Self::AboveMaxSize => "raise max-size",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_comes_with_advice() {
        for reason in SkipReason::ALL {
            assert!(!reason.advice().is_empty(), "{}", reason.id());
        }
    }
}
