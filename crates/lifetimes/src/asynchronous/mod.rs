//! Asynchronous operations: the memory that they use is needed until a wait covers them, on every
//! path.
//!
//! A *handle* is an object that a wait takes: a token, an async value or a group of these, a group of
//! copies, or the tag of a transfer. An operation that was started and may not be done is *pending*.
//! Its *cover* is the set of handles of which each proves, once it was waited for, that the operation
//! is done. `pending` propagates this forward from each start, over blocks and regions:
//!
//! * A start creates an instance that the operation's own results cover. Earlier instances that are
//!   still pending become *older* instances, which share one cover.
//! * A handle that waits for another one (the token of a dependent operation, the group that a token was
//!   added to) covers all that the other covers. A choice among handles covers what all of them cover.
//! * Along an edge, a block argument or result covers what the forwarded value covers. When control flow
//!   enters a block again, the handles defined there cover nothing.
//! * Where control flow merges, an operation that is pending on one path is pending. Its cover is the
//!   intersection over the paths on which it is pending.
//! * A wait ends all that its handle covers.
//!
//! Copies in groups complete in the order of their groups. So a later group covers the earlier ones, and
//! a wait that leaves N groups pending ends all but the last N. Nothing ends a copy that is in no group
//! yet.
//!
//! A wait for a tag ends the one transfer with that tag. If two transfers with one tag may be pending at
//! once, it is unknown which of them a wait ends, so both count as never done.
//!
//! Memory of an operation that may be pending when its scope is left is not planned.

mod flow;
#[cfg(test)]
mod fuzz;
mod solve;

/// Several handles.
pub(crate) use memplan_summaries::asynchronous::state::{TokenId as HandleId, Tokens as Handles};
pub(crate) use solve::pending;

use crate::program::{BlockId, NodeId, Position, ScopeId, Successor, ValueId};
use memplan_flow::ids;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

ids! {
    /// An index into [`Facts::starts`].
    pub(crate) StartId,
}

/// An index of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Index {
    /// A constant.
    Constant(i64),
    /// The value of this number.
    Value(u32),
}

/// Tag of transfers: an element of a memref. The memref is an allocation with no other uses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tag {
    pub memref: ValueId,
    pub indices: SmallVec<[Index; 1]>,
}

impl Tag {
    /// Whether both may be the same element.
    fn may_be(&self, other: &Self) -> bool {
        let apart = |pair: (&Index, &Index)| match pair {
            (Index::Constant(one), Index::Constant(other)) => one != other,
            _ => false,
        };
        self.memref == other.memref && !self.indices.iter().zip(&other.indices).any(apart)
    }
}

/// A handle.
#[derive(Clone, Debug)]
pub(crate) struct HandleFact {
    /// Blocks whose entry defines it anew.
    pub made_in: SmallVec<[BlockId; 1]>,
    /// The tag, if the handle is not a value.
    pub tag: Option<Tag>,
}

/// Start of an asynchronous operation.
#[derive(Clone, Debug)]
pub(crate) struct StartFact {
    pub scope: ScopeId,
    /// First and last position, nested operations included.
    pub span: (Position, Position),
    /// Indices of its uses in the program.
    pub uses: Range<usize>,
    /// Handles that cover it.
    pub handles: Handles,
    /// Whether it is pending until its group was waited for.
    pub grouped: bool,
}

/// Effect of an operation on handles.
#[derive(Clone, Debug)]
pub(crate) enum ActKind {
    /// Starts an asynchronous operation.
    Start(StartId),
    /// `to` covers what any of `from` covers, or with `all`, what all of them cover.
    After {
        from: Handles,
        to: HandleId,
        all: bool,
    },
    /// Creates a group of copies.
    Group { from: Handles, to: HandleId },
    /// Waits for all of these.
    Wait(Handles),
    /// Waits until at most this many groups are pending.
    Drain(u32),
}

/// Effect of an operation on handles.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub block: BlockId,
    pub position: Position,
    pub kind: ActKind,
}

/// Start of an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The end of a block.
    Block(BlockId),
    /// The operation that contains the regions.
    Node(NodeId),
}

/// Handles that an edge forwards.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub to: Successor,
    pub pairs: SmallVec<[(HandleId, HandleId); 2]>,
}

/// Asynchronous operations and handles of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub handles: Vec<HandleFact>,
    pub starts: Vec<StartFact>,
    /// In program order.
    pub acts: Vec<Act>,
    /// Edges that forward handles; other edges have no entry.
    pub edges: FxHashMap<Source, Vec<Edge>>,
}
