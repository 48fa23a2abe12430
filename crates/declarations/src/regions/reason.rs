//! Reasons for memory outside of regions.

use memplan_interface::reasons;

reasons! {
    /// The reason why memory is not placed in a region.
    Reason;
    /// The program frees it, or a callee that receives it does.
    Deallocated = "deallocated": "the program frees it",
    /// A memref to it is stored in memory that other code may read.
    Stored = "stored": "a memref to it is stored in memory that other code may read",
    /// It is reached through a memref that is loaded from memory.
    Loaded = "loaded": "it may be a memref that is loaded from memory",
    /// Its address is taken.
    AddressTaken = "address-taken": "its address is taken",
    /// An asynchronous operation, or one on a device, uses it.
    Asynchronous = "asynchronous": "an asynchronous or device operation uses it",
    /// An operation of unknown effects uses it.
    UnknownUse = "unknown-use": "an operation of unknown effects uses it",
    /// It is forwarded along unknown control flow.
    UnknownFlow = "unknown-flow": "it is forwarded along unknown control flow",
    /// An indirect call receives it, or a declared function that returns memrefs.
    UnknownCallee = "unknown-callee": "it is passed to an unknown callee",
    /// It is passed to a function that an earlier run of the pass has rewritten.
    HasRegions = "worked-on": "it is passed to a function that already has regions",
    /// It is returned to a caller that frees it.
    Owned = "owned": "it is returned to a caller that frees it",
    /// An operation other than `memref.alloc` allocates it.
    OtherAllocator = "other-allocator": "it may be memory of another allocator",
    /// It is not in the default memory space, not row-major, or of elements of unknown size.
    Form = "form": "regions do not support its memory space, layout or element type",
    /// One of its sizes is negative, or its size exceeds the address space.
    Size = "size": "its size exceeds the address space",
    /// The program marks it as not to be placed.
    Marked = "marked": "it is marked memplan.keep or bufferization.manual_deallocation",
    /// A parallel body allocates it, and it is used outside of that body.
    Parallel = "parallel": "a parallel body allocates it for use outside of the body",
    /// It is allocated in a body of unknown execution.
    Body = "body": "it is allocated in a body of unknown execution",
    /// A loop or a recursion allocates it repeatedly, and its region would hold all instances until the loop
    /// or recursion ends.
    UnboundedGrowth = "piles-up": "its instances of loop iterations or recursion levels would \
    accumulate until the loop or recursion ends",
    /// The fixpoint of mutually recursive functions reached its limit of rounds.
    Rounds = "rounds": "the analysis of mutually recursive functions reached its limit of rounds",
}
