//! The IR behind the ids of the facts.

use super::facts::{DimId, SitePosition};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    ir::{Block, Identity, Key, Op, Val, parent},
    melior::ir::{Location, operation::OperationLike},
};
use rustc_hash::FxHashMap;

/// A condition in the IR.
#[derive(Clone, Copy)]
pub enum Condition<'c> {
    /// An `i1`.
    Value(Val<'c>),
    /// A loop runs: lower bound below upper bound; unsigned?
    Runs(Val<'c>, Val<'c>, bool),
}

/// The IR behind the ids.
#[derive(Default)]
pub struct Sources<'c> {
    /// Dimensions: the value that is ready first.
    pub dims: Vec<Val<'c>>,
    /// Conditions.
    pub guards: Vec<Condition<'c>>,
    /// The dimensions of each candidate's type, in its order.
    pub operands: FxHashMap<BufferId, Vec<DimId>>,
    /// Sites.
    pub sites: Vec<Site<'c>>,
    /// How many sites each candidate has to choose from.
    pub depths: FxHashMap<BufferId, usize>,
}

/// A block that arenas may stand in.
pub struct Site<'c> {
    /// It.
    pub block: Block<'c>,
    /// The operation that it is in.
    pub owner: Op<'c>,
    /// Where arenas are freed; for the first block of a scope, on the scope's exits.
    pub exit: Option<Op<'c>>,
    /// Its operations.
    pub ops: Vec<Op<'c>>,
    /// Their places.
    pub places: FxHashMap<Key, SitePosition>,
}

impl<'c> Site<'c> {
    /// Where the operation around it is.
    pub fn location(&self) -> Location<'c> {
        self.owner.location()
    }

    /// Is an operation in the operation around it?
    pub fn holds(&self, op: Op<'c>) -> bool {
        let mut at = parent(op);
        while let Some(op) = at {
            if op.key() == self.owner.key() {
                return true;
            }
            at = parent(op);
        }
        false
    }
}
