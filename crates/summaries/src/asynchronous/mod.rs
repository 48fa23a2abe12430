//! Asynchronous operations of a body: until when each may be pending.
//!
//! An operation that goes on after control has passed it is *pending* until control has waited for a token of it, or for one
//! that is done no earlier. [`Pending`] runs each start forward over the control-flow graph:
//!
//! * [`state`]: the tokens that cover it, and what joins of tokens do to them.
//! * `tokens`: which tokens operations have, from IR: values, groups, elements of tags.
//! * `solve`: forward over segments and edges. Where paths merge, what is pending on one is pending, with the tokens that cover
//!   it on all paths on which it is. A token that is made anew covers nothing of before.
//!
//! A wait for a tag ends the one transfer on it. If two may be pending with one tag at once, it is not known which of them a
//! wait is for: then neither is ever known to be done. A tag is memory that only transfers use, all of them in one thread.

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

/// Until when an operation may be pending.
#[derive(Clone, Debug, Default)]
pub struct Until<'c> {
    /// Where it is known to be done: after each of these operations, on the paths that lead there. Each path from its start
    /// leads to one, or does not return.
    pub waits: Vec<Op<'c>>,
    /// Blocks that control enters meanwhile.
    pub entered: EntitySet<BlockId>,
    /// Regions that control leaves by their ends meanwhile, be it for another iteration.
    pub left: EntitySet<RegionId>,
}

/// The asynchronous operations of a body.
#[derive(Clone, Debug, Default)]
pub struct Pending<'c> {
    starts: FxHashMap<Key, Option<Until<'c>>>,
}

impl<'c> Pending<'c> {
    /// Of the body that a graph is of.
    pub fn of(graph: &ControlGraph<'c>, semantics: &mut Semantics, describe: Describe) -> Self {
        let facts = tokens::read(graph, semantics, describe);
        let found = solve::Solver::new(graph, &facts).solve();
        let starts = facts.starts.values().map(|start| start.op.key());
        Self {
            starts: starts.zip(found).collect(),
        }
    }

    /// Until when an operation may be pending that was started; `None` if that may be when control leaves the body, or is not
    /// known.
    pub fn until(&self, start: Op<'_>) -> Option<&Until<'c>> {
        self.starts.get(&start.key())?.as_ref()
    }
}
