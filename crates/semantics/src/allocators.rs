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

impl Allocator {
    /// Who frees its memory where nothing else is known of it: those that name no operation leave that to
    /// `memref.dealloc`.
    #[must_use]
    pub const fn counterpart(self) -> Self {
        match self {
            Self::FreedBy(name) => Self::FreedBy(name),
            Self::Memref | Self::Unnamed | Self::Program => Self::Memref,
        }
    }

    /// The operation that frees its memory in place of `memref.dealloc`.
    pub const fn dealloc_name(self) -> Option<&'static str> {
        match self {
            Self::FreedBy(name) => Some(name),
            Self::Memref | Self::Unnamed | Self::Program => None,
        }
    }
}

/// Device memory of the GPU dialect.
pub const GPU: Allocator = Allocator::FreedBy("gpu.dealloc");
