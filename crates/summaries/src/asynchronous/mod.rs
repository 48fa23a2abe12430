//! Asynchronous operations of a body, and how long each may be pending.
//!
//! An operation is *pending* from its start until control flow waits for one of its tokens, or for one that
//! is done no earlier. [`Pending`] propagates each start forward over the control-flow graph:
//!
//! * [`state`]: the tokens that cover an operation, and the effect of joins of tokens.
//! * `tokens`: the tokens of operations, read from IR: values, groups, elements of tags.
//! * `solve`: forward dataflow over segments and edges. Where control flow merges, an operation that is
//!   pending on one path is pending. Its cover is the intersection over the paths on which it is pending. A
//!   token that is defined anew covers nothing.
//!
//! A wait for a tag ends the one transfer with it. If two transfers with one tag may be pending at once, it
//! is unknown which of them a wait ends, so both count as never done. A tag is memory that only transfers
//! use, all of them in one thread.

mod solve;
pub mod state;
mod tokens;

use memplan_flow::EntitySet;
use memplan_mlir::ir::{Identity, Key, Op};
use memplan_semantics::{
    Semantics,
    graph::{BlockId, ControlGraph, RegionId},
};
use rustc_hash::FxHashMap;
pub use tokens::Describe;

/// How long an operation may be pending.
#[derive(Clone, Debug, Default)]
pub struct Until<'c> {
    /// Operations after which it is known to be done. Each path from its start passes one of them, or does
    /// not return.
    pub waits: Vec<Op<'c>>,
    /// Blocks that control flow enters before.
    pub entered: EntitySet<BlockId>,
    /// Regions that control flow leaves by their ends before, also to the next iteration.
    pub left: EntitySet<RegionId>,
}

/// The asynchronous operations of a body.
#[derive(Clone, Debug, Default)]
pub struct Pending<'c> {
    starts: FxHashMap<Key, Option<Until<'c>>>,
}

impl<'c> Pending<'c> {
    /// Analyses the body of a graph.
    pub fn of(graph: &ControlGraph<'c>, semantics: &mut Semantics, describe: Describe) -> Self {
        let facts = tokens::read(graph, semantics, describe);
        let found = solve::Solver::new(graph, &facts).solve();
        let starts = facts.starts.values().map(|start| start.op.key());
        Self {
            starts: starts.zip(found).collect(),
        }
    }

    /// How long a started operation may be pending; `None` if it may be pending when control flow leaves the
    /// body, or that is unknown.
    pub fn until(&self, start: Op<'_>) -> Option<&Until<'c>> {
        self.starts.get(&start.key())?.as_ref()
    }
}
