//! The IR of the ids of the facts.

use super::facts::{DimId, SitePosition};
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    ir::{Block, Identity, Key, Op, Val, parent},
    melior::ir::{Location, operation::OperationLike},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A product of dimensions and a constant.
#[derive(Clone)]
pub struct Factors {
    /// The constant.
    pub constant: u64,
    /// The dimensions, sorted.
    pub dims: SmallVec<[DimId; 2]>,
}

/// A condition in the IR.
#[derive(Clone, Copy)]
pub enum Condition<'c> {
    /// An `i1`.
    Value(Val<'c>),
    /// A loop has an iteration: the lower bound is below the upper one; whether the comparison is unsigned.
    Runs(Val<'c>, Val<'c>, bool),
}

/// The IR of the ids.
#[derive(Default)]
pub struct Sources<'c> {
    /// For each dimension, the value that is ready first.
    pub dims: Vec<Val<'c>>,
    /// Conditions.
    pub guards: Vec<Condition<'c>>,
    /// Dimensions of each candidate's type, in order; `None` for a product, which is the operand of the allocation itself.
    pub operands: FxHashMap<BufferId, Vec<Option<DimId>>>,
    /// Each candidate's size in bytes, as a product.
    pub factors: FxHashMap<BufferId, Factors>,
    /// Sites.
    pub sites: Vec<Site<'c>>,
    /// Number of sites to choose from for each candidate.
    pub depths: FxHashMap<BufferId, usize>,
}

/// A block in which arenas may be allocated.
pub struct Site<'c> {
    /// The block.
    pub block: Block<'c>,
    /// Its parent operation.
    pub owner: Op<'c>,
    /// Where arenas are freed; for the entry block of a scope, at the scope's exits.
    pub exit: Option<Op<'c>>,
    /// Its operations.
    pub ops: Vec<Op<'c>>,
    /// Their indices.
    pub places: FxHashMap<Key, SitePosition>,
}

impl<'c> Site<'c> {
    /// Location of its parent operation.
    pub fn location(&self) -> Location<'c> {
        self.owner.location()
    }

    /// Whether an operation is in its parent operation.
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
