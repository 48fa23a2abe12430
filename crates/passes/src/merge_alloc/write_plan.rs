//! Parameters of writing a plan.

use super::{banks::BankRequest, dynamic::sources::Sources, spill::Moved};
use memplan_mlir::ir::Type;
use memplan_semantics::loops::Iterations;

/// How an arena is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaAllocation {
    /// On the heap.
    Alloc,
    /// On the stack; `wrapped` in a `memref.alloca_scope` around the body.
    Alloca {
        /// Whether the body needs a `memref.alloca_scope`.
        wrapped: bool,
    },
    /// In the global of this name.
    Global(String),
    /// In a new argument of the function.
    Argument,
    /// In an arena of the enclosing scope, for the iterations of a loop with these dimensions.
    Around(Vec<Iterations>),
}

impl ArenaAllocation {
    /// Name in reports.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Alloc => "alloc",
            Self::Alloca { .. } => "alloca",
            Self::Global(_) => "global",
            Self::Argument => "arg",
            Self::Around(_) => "hoisted",
        }
    }
}

/// Parameters of writing a plan.
pub struct WritePlan<'c> {
    /// For each arena, how it is created.
    pub places: Vec<ArenaAllocation>,
    /// For each nested arena of a callee, its type.
    pub guests: Vec<Type<'c>>,
    /// Buffers that move to another memory space.
    pub moved: Moved<'c>,
    /// The IR from which dynamic sizes are computed.
    pub sources: Sources<'c>,
    /// The banks of arenas.
    pub banks: BankRequest,
    /// Whether to free arenas of `memref.alloc` after their last uses, and to mark them so that deallocation passes
    /// ignore them.
    pub free: bool,
    /// Whether to assert that arguments are as large as the arenas that they are.
    pub asserts_sizes: bool,
}
