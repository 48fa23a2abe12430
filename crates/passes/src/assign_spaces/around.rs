//! What else is in the spaces while a function runs: memory of its callees, and of its callers.

use crate::merge_alloc::{Bytes, merge_needs};
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_mlir::ir::{Identity, Key};
use rustc_hash::FxHashMap;

/// What else is in the spaces while a function runs.
#[derive(Default)]
pub struct Around {
    /// Bytes that its callers need at least, for each space.
    pub callers: Vec<u64>,
    /// Bytes that the callee of each call needs.
    pub callees: FxHashMap<Key, Bytes>,
}

impl Around {
    /// The bytes that callees of calls in each scope need.
    pub fn callees(&self, analysis: &Analysis<'_>) -> FxHashMap<ScopeId, Bytes> {
        let mut needs: FxHashMap<ScopeId, Bytes> = FxHashMap::default();
        for (fact, op) in analysis.program.calls.iter().zip(&analysis.handles.calls) {
            if let Some(bytes) = self.callees.get(&op.key()) {
                merge_needs(needs.entry(fact.scope).or_default(), bytes);
            }
        }
        needs
    }
}
