//! Operations that go on when control has passed them: what they touch is needed until a wait that
//! covers them, on every path.
//!
//! A *handle* is what is waited for: a token, a value or a group of values to come, a group of
//! copies, or the tag of a transfer. While an operation that was started may still go on it is
//! *pending*, and has a *cover*: the handles of which each, once waited for, is a proof that it is
//! done. `pending` runs this forward from each start, over blocks and regions:
//!
//! * A start makes an instance that the operation's own results cover. What was started there before
//!   and is still pending is kept as the *older* instances, which have one cover together.
//! * What waits for a handle itself (the token of an operation that depends on it, the group that it
//!   was added to) covers whatever that covers. A choice among handles covers what all of them do.
//! * Along an edge, a block argument or result covers what is handed over for it there. A handle that
//!   is made anew in a block covers nothing of before when control enters that block again.
//! * Where paths meet, what is pending on one is pending, with the handles that cover it on all paths
//!   on which it is.
//! * A wait ends all that its handle covers.
//!
//! Copies that are put into groups are done in the order of their groups, so that a later group
//! covers the earlier ones, and a wait that lets N groups go on ends all but the last N. A copy that
//! is in no group yet is not ended by anything.
//!
//! A wait for a tag ends the one transfer on it. If two may go on with one tag at once, it is not
//! known which of them a wait is for: then none of them is ever done.
//!
//! What is pending where its scope is left is left alone altogether.

mod flow;
#[cfg(test)]
mod fuzz;
mod solve;

/// Something that is waited for; some.
pub(crate) use memplan_summaries::asynchronous::state::{TokenId as HandleId, Tokens as Handles};
pub(crate) use solve::pending;

use crate::program::{BlockId, NodeId, Position, ScopeId, Successor, ValueId};
use memplan_flow::ids;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

ids! {
    /// A place in [`Facts::starts`].
    pub(crate) StartId,
}

/// An index of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Index {
    /// Known.
    Constant(i64),
    /// That of a value, by number.
    Value(u32),
}

/// An element of a memref that transfers are waited for by. The memref is an allocation that is used
/// for nothing else.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tag {
    pub memref: ValueId,
    pub indices: SmallVec<[Index; 1]>,
}

impl Tag {
    /// May both be one element?
    fn may_be(&self, other: &Self) -> bool {
        let apart = |pair: (&Index, &Index)| match pair {
            (Index::Constant(one), Index::Constant(other)) => one != other,
            _ => false,
        };
        self.memref == other.memref && !self.indices.iter().zip(&other.indices).any(apart)
    }
}

/// Something that is waited for.
#[derive(Clone, Debug)]
pub(crate) struct HandleFact {
    /// Entering one of these blocks makes it another.
    pub made_in: SmallVec<[BlockId; 1]>,
    /// What it is, if it is no value.
    pub tag: Option<Tag>,
}

/// An operation that goes on when control has passed it.
#[derive(Clone, Debug)]
pub(crate) struct StartFact {
    pub scope: ScopeId,
    /// From where it starts to where what is nested in it ends.
    pub span: (Position, Position),
    /// Which of the program's uses are its own.
    pub uses: Range<usize>,
    /// What covers it.
    pub handles: Handles,
    /// It goes on until its group is waited for.
    pub grouped: bool,
}

/// What an operation does with handles.
#[derive(Clone, Debug)]
pub(crate) enum ActKind {
    /// It starts something.
    Start(StartId),
    /// `to` covers what any of `from` covers, or what all of them do.
    After {
        from: Handles,
        to: HandleId,
        all: bool,
    },
    /// It makes a group of copies.
    Group { from: Handles, to: HandleId },
    /// It waits for all of these.
    Wait(Handles),
    /// It waits until no more than so many groups go on.
    Drain(u32),
}

/// What an operation does with handles.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub block: BlockId,
    pub position: Position,
    pub kind: ActKind,
}

/// Where an edge starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// The end of a block.
    Block(BlockId),
    /// The operation whose regions these are.
    Node(NodeId),
}

/// Handles that are handed over along an edge.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub to: Successor,
    pub pairs: SmallVec<[(HandleId, HandleId); 2]>,
}

/// What a function does with handles.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub handles: Vec<HandleFact>,
    pub starts: Vec<StartFact>,
    /// In the order of the text.
    pub acts: Vec<Act>,
    /// Edges that hand handles over; others have no entry.
    pub edges: FxHashMap<Source, Vec<Edge>>,
}
