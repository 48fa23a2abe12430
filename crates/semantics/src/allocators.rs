//! Allocators: memory is freed by the counterpart of what allocated it.

/// What allocates memory, and what frees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// `memref.alloc` and `memref.dealloc`: the one whose allocations are planned.
    Memref,
    /// An operation that says that it allocates, and nothing else of it: freed by `memref.dealloc`, not planned.
    Unnamed,
    /// Freed by an operation of this name, with the memref as its only operand.
    FreedBy(&'static str),
    /// Freed by the program alone, in a way that only the program knows.
    Program,
}

/// Device memory of the GPU dialect.
pub const GPU: Allocator = Allocator::FreedBy("gpu.dealloc");
