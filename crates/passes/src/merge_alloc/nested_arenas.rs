//! Nested arenas: arenas of callees and of parallel bodies that are placed in a function's arena.

use memplan_lifetimes::{live::Ranges, program::ScopeId};

/// A nested arena.
#[derive(Clone, Debug)]
pub struct NestedArena {
    /// Its kind.
    pub what: NestedArenaKind,
    /// The scope whose arena contains it.
    pub scope: ScopeId,
    /// The memory space, as MLIR prints it.
    pub memory_space: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub alignment: u64,
    /// Live ranges, in positions of the scope.
    pub live: Ranges,
    /// Whether a given plan says that each iteration of a loop allocates the arena around it.
    pub is_of_iteration: bool,
}

/// Kind of a nested arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NestedArenaKind {
    /// The arena of a callee, passed at a call.
    Callee {
        /// Index of the call in the analysis.
        call: usize,
        /// Index among the arenas that the callee receives.
        number: usize,
    },
    /// The arenas of all iterations of a parallel body.
    Bodies {
        /// Index of the arena in the plan.
        arena: usize,
        /// Bytes from one iteration's arena to the next.
        stride: u64,
        /// Number of iterations.
        count: u64,
    },
}

/// Name in reports of the arena of a callee.
pub const CALLEE: &str = "callee";

impl NestedArenaKind {
    /// Name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Callee { .. } => CALLEE,
            Self::Bodies { .. } => "turns",
        }
    }
}
