//! What writing a chain works on.

use super::{
    super::read::BlockReading,
    ChainFacts,
    block::Maps,
    numbers::{Constants, Known, Numbers},
};
use memplan_mlir::{build::Builder, ir::Val};
use memplan_semantics::Semantics;
use memplan_strips::{
    chain::{Link, Spread},
    frontiers::{BufferFrontier, Frontier, Frontiers},
    in_place::Pairs,
    program::Role,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a strip does.
#[derive(Clone, Copy)]
pub enum Item {
    /// Executes a link of the chain.
    Link(usize),
    /// Copies the border of a buffer into its strip.
    Load(usize),
    /// Copies the strip of a buffer to its border.
    Store(usize),
}

/// Memory with its shape.
pub type Memory<'c> = (Val<'c>, SmallVec<[i64; 4]>);

/// What the strips are.
#[derive(Clone, Copy)]
pub enum Kind<'w, 'c> {
    /// Strips of a known number.
    Strips(&'w ChainFacts),
    /// Items of a number that is known only at run time.
    Items(Val<'c>),
}

impl<'w, 'c> Kind<'w, 'c> {
    /// The number of items, if strips are items.
    pub const fn items(self) -> Option<Val<'c>> {
        match self {
            Self::Strips(_) => None,
            Self::Items(count) => Some(count),
        }
    }

    /// What is recorded of strips.
    pub const fn facts(self) -> Option<&'w ChainFacts> {
        match self {
            Self::Strips(facts) => Some(facts),
            Self::Items(_) => None,
        }
    }
}

pub struct Writer<'w, 'c> {
    pub reading: &'w BlockReading<'c>,
    pub pairs: &'w Pairs,
    pub maps: &'w Maps<'c>,
    pub splits: &'w [(&'w Spread, &'w Frontiers)],
    pub semantics: &'w mut Semantics,
    pub constants: &'w Constants<'c>,
    pub known: &'w Known<'c>,
    /// What the strips are.
    pub kind: Kind<'w, 'c>,
    /// Whether the memory of strips is freed.
    pub frees_strips: bool,
    pub work: Vec<Item>,
    /// For each dimension and split buffer, whether strips of it start at a row that exists.
    pub clamped: Vec<Vec<bool>>,
    /// Borders by buffer.
    pub borders: FxHashMap<usize, Memory<'c>>,
}

impl<'c> Writer<'_, 'c> {
    pub fn spread(&self) -> &Spread {
        self.splits[0].0
    }

    pub fn link(&self, at: usize) -> &Link {
        &self.spread().links[at]
    }

    pub fn numbers<'n>(&'n self, builder: &'n Builder<'c>) -> Numbers<'n, 'c> {
        Numbers {
            builder,
            constants: self.constants,
            known: self.known,
        }
    }

    pub fn front(&self, dimension: usize, item: Item) -> Frontier {
        let frontiers = self.splits[dimension].1;
        match item {
            Item::Link(link) => frontiers.nodes[link],
            Item::Load(place) | Item::Store(place) => frontiers.buffers[place].made,
        }
    }

    pub fn buffer_front(&self, dimension: usize, place: usize) -> &BufferFrontier {
        &self.splits[dimension].1.buffers[place]
    }

    pub fn is_between(&self, place: usize) -> bool {
        self.spread().buffers[place].role == Role::Between
    }

    pub fn has_border(&self, place: usize) -> bool {
        self.splits.len() > 1 && self.is_between(place) && self.buffer_front(1, place).is_carried()
    }

    pub fn has_lines(&self, place: usize) -> bool {
        self.is_between(place) && self.buffer_front(0, place).is_carried()
    }
}
