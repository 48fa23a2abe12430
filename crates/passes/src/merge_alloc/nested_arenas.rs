//! What lies in a function's arenas besides its own buffers: arenas of functions that it calls, and
//! arenas of bodies that run in parallel.

use memplan_lifetimes::{live::Ranges, program::ScopeId};

/// One of them.
#[derive(Clone, Debug)]
pub struct NestedArena {
    /// What it is.
    pub what: NestedArenaKind,
    /// The scope whose arena it lies in.
    pub scope: ScopeId,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// When it is live, in positions of the scope.
    pub live: Ranges,
}

/// What a guest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestedArenaKind {
    /// The arena of a function, lent for a call.
    Callee {
        /// The call's place in the analysis.
        call: usize,
        /// Which of the arenas that the callee takes.
        number: usize,
    },
    /// The arenas of all turns of a body that runs in parallel.
    Bodies {
        /// Their place in the plan.
        arena: usize,
        /// Bytes from one turn's to the next.
        stride: u64,
        /// How many turns there are.
        turns: u64,
    },
}

impl NestedArenaKind {
    /// In a word, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callee { .. } => "callee",
            Self::Bodies { .. } => "turns",
        }
    }
}
