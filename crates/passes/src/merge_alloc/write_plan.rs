//! Where and how a plan is written.

use super::{dynamic::sources::Sources, spill::Moved};
use memplan_mlir::ir::Type;
use memplan_semantics::loops::Iterations;

/// Where an arena is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaAllocation {
    /// On the heap.
    Alloc,
    /// On the stack; `wrapped` in a `memref.alloca_scope` around the body.
    Alloca {
        /// See above.
        wrapped: bool,
    },
    /// In the global of this name.
    Global(String),
    /// In a new argument of the function.
    Argument,
    /// In an arena of the scope around, for the turns of a loop with these dimensions.
    Around(Vec<Iterations>),
}

impl ArenaAllocation {
    /// In a word, for reports.
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

/// Where and how a plan is written.
pub struct WritePlan<'c> {
    /// For each arena, where it is made.
    pub places: Vec<ArenaAllocation>,
    /// For each guest that is a callee's arena, its type.
    pub guests: Vec<Type<'c>>,
    /// What goes to another memory space.
    pub moved: Moved<'c>,
    /// What sizes that only the run knows are computed from.
    pub sources: Sources<'c>,
    /// Free arenas of `memref.alloc` on every exit, and mark them so that deallocation passes leave
    /// them alone.
    pub free: bool,
}
