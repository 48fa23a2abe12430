//! Plans that are given: offsets, buffers that are one, and memory spaces, out of attributes or out of a report.

mod attributes;
mod explain;
mod file;

use super::nested_arenas::{NestedArena, NestedArenaKind};
use memplan_lifetimes::program::ScopeId;
use rustc_hash::FxHashMap;

pub use attributes::{OFFSET, forget, left, offset, read};
pub use explain::explain;
pub use file::{PlanFile, PlanOfRun};

/// What is given for a function.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// By index in [`Analysis::plannable`](memplan_lifetimes::Analysis::plannable).
    pub slices: FxHashMap<usize, GivenSlice>,
    /// New memory spaces of buffers, as MLIR prints them, by the same index.
    pub spaces: FxHashMap<usize, String>,
    /// Offsets of nested arenas.
    pub nested: NestedOffsets,
}

/// A given slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenSlice {
    /// Bytes from the start of the arena.
    pub offset: u64,
    /// The number of the buffer that it is, if several allocations are one.
    pub group: Option<u64>,
    /// The number of the arena, if its scope has several in its memory space; else 0.
    pub arena: u64,
    /// Whether each iteration of a loop allocates the arena.
    pub is_of_iteration: bool,
}

/// A given place of a nested arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NestedPlace {
    /// Bytes from the start of the arena around it.
    pub offset: u64,
    /// The number of that arena.
    pub arena: u64,
    /// Whether each iteration of a loop allocates that arena.
    pub is_of_iteration: bool,
}

/// Given offsets of nested arenas.
#[derive(Clone, Debug)]
pub enum NestedOffsets {
    /// Of attributes: arenas of callees by index of the call and of the arena; those of parallel bodies by scope, in the
    /// order of the scope's arenas.
    ByOwner {
        callees: FxHashMap<(usize, usize), NestedPlace>,
        bodies: FxHashMap<ScopeId, Vec<NestedPlace>>,
    },
    /// Of a report: by id, with their sizes.
    ById(FxHashMap<u64, (NestedPlace, u64)>),
}

impl Default for NestedOffsets {
    fn default() -> Self {
        Self::ByOwner {
            callees: FxHashMap::default(),
            bodies: FxHashMap::default(),
        }
    }
}

/// A nested arena that a given plan does not have, or not with this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The size in the given plan, if it has the arena.
    pub given: Option<u64>,
}

impl NestedOffsets {
    /// The place of a nested arena; `None` if the planner decides. `id` is its id in reports, and `number` its place
    /// among the nested arenas of the same body.
    pub fn of(
        &self,
        arena: &NestedArena,
        body: Option<(ScopeId, usize)>,
        id: u64,
    ) -> Result<Option<NestedPlace>, Misfit> {
        match (self, arena.what) {
            (Self::ById(all), _) => match all.get(&id) {
                Some((place, size)) if *size == arena.size => Ok(Some(*place)),
                other => Err(Misfit {
                    given: other.map(|(_, size)| *size),
                }),
            },
            (Self::ByOwner { callees, .. }, NestedArenaKind::Callee { call, number }) => {
                Ok(callees.get(&(call, number)).copied())
            }
            (Self::ByOwner { bodies, .. }, NestedArenaKind::Bodies { .. }) => {
                Ok(body.and_then(|(scope, number)| bodies.get(&scope)?.get(number).copied()))
            }
        }
    }
}
