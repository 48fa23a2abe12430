//! How many bytes of each memory space a scope needs at once: its arena, its allocations that are in none, and what is inside
//! it: memory of parallel bodies, and of the callees of its calls.
//!
//! One iteration of a parallel body counts, and one activation of a recursive function: how many there are at once is
//! not known.

use crate::memory_spaces::names::short_space;
use memplan_lifetimes::program::{Program, ScopeId};
use rustc_hash::FxHashMap;

/// Bytes by memory space, in its short form.
pub type Bytes = FxHashMap<String, u64>;

/// The needs of the scopes of a function, computed from the inside out.
#[derive(Clone, Debug, Default)]
pub struct MemoryNeeds {
    /// For each scope, the bytes that are needed inside it.
    inside: Vec<Bytes>,
    /// For each scope, the bytes of its own arenas.
    own: Vec<Bytes>,
    /// For each scope, the bytes of its allocations that are in no arena.
    beside: Vec<Bytes>,
}

impl MemoryNeeds {
    /// The needs of scopes without arenas yet. `callees` has the needs of the callees of calls in each scope.
    pub fn new(scopes: usize, callees: &FxHashMap<ScopeId, Bytes>) -> Self {
        let inside = (0..scopes).map(|scope| callees.get(&ScopeId::new(scope)));
        Self {
            inside: inside
                .map(|bytes| bytes.cloned().unwrap_or_default())
                .collect(),
            own: vec![Bytes::default(); scopes],
            beside: vec![Bytes::default(); scopes],
        }
    }

    /// Adds what the allocations of a scope take that are in no arena.
    pub fn set_beside(&mut self, scope: ScopeId, bytes: Bytes) {
        self.beside[scope.index()] = bytes;
    }

    /// The same for all memory spaces.
    pub fn all_beside(&self, scope: ScopeId) -> &Bytes {
        &self.beside[scope.index()]
    }

    /// The bytes of a scope's allocations that are in no arena.
    pub fn beside(&self, scope: ScopeId, memory_space: &str) -> u64 {
        let beside = &self.beside[scope.index()];
        beside.get(short_space(memory_space)).copied().unwrap_or(0)
    }

    /// The bytes that are needed inside a scope, beside its arena.
    pub fn inside(&self, scope: ScopeId, memory_space: &str) -> u64 {
        let inside = &self.inside[scope.index()];
        inside.get(short_space(memory_space)).copied().unwrap_or(0)
    }

    /// Adds an arena of a scope.
    pub fn add(&mut self, scope: ScopeId, memory_space: &str, bytes: u64) {
        let own = &mut self.own[scope.index()];
        let known = own
            .entry(short_space(memory_space).to_string())
            .or_default();
        *known = known.saturating_add(bytes);
    }

    /// All arenas of a scope are known: the enclosing one needs at least as many bytes inside.
    pub fn close(&mut self, program: &Program, scope: ScopeId) {
        let whole = self.whole(scope);
        if let Some(outer) = &program.scopes[scope.index()].outer {
            merge(&mut self.inside[outer.scope.index()], &whole);
        }
    }

    /// The bytes that a scope needs: its arenas, what is beside them, and what is inside.
    pub fn whole(&self, scope: ScopeId) -> Bytes {
        let mut whole = self.inside[scope.index()].clone();
        let own = self.own[scope.index()].iter();
        for (space, bytes) in own.chain(&self.beside[scope.index()]) {
            let known = whole.entry(space.clone()).or_default();
            *known = known.saturating_add(*bytes);
        }
        whole
    }
}

/// Raises the bytes of each memory space to those of `other`: both are not needed at once.
pub fn merge(bytes: &mut Bytes, other: &Bytes) {
    for (space, more) in other {
        let known = bytes.entry(space.clone()).or_default();
        *known = (*known).max(*more);
    }
}
