//! What writing a chain works on.

use super::{
    super::{length_shapes::LengthShapes, read::BlockReading},
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
use std::cell::RefCell;

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
    /// Items of a number that is known only at run time: that number, and that of the chain.
    Items(Val<'c>, u64),
    /// Strips along a length that is known only at run time, and the number of the chain.
    Lengths(&'w LengthShapes<'c>, u64),
}

impl<'w, 'c> Kind<'w, 'c> {
    /// The number of items, if strips are items.
    pub const fn items(self) -> Option<Val<'c>> {
        match self {
            Self::Strips(_) | Self::Lengths(..) => None,
            Self::Items(count, _) => Some(count),
        }
    }

    /// The number of the chain in its function.
    pub const fn chain(self) -> u64 {
        match self {
            Self::Strips(facts) => facts.number,
            Self::Items(_, number) | Self::Lengths(_, number) => number,
        }
    }

    /// The sizes that are known only at run time.
    pub const fn lengths(self) -> Option<&'w LengthShapes<'c>> {
        match self {
            Self::Strips(_) | Self::Items(..) => None,
            Self::Lengths(lengths, _) => Some(lengths),
        }
    }
}

pub struct Writer<'w, 'c> {
    pub reading: &'w BlockReading<'c>,
    pub pairs: &'w Pairs,
    pub maps: &'w Maps<'c>,
    pub splits: &'w [(&'w Spread, &'w Frontiers)],
    pub semantics: &'w mut Semantics,
    pub constants: &'w Constants<'w, 'c>,
    pub known: &'w Known<'c>,
    /// What the strips are.
    pub kind: Kind<'w, 'c>,
    /// Sizes that are known only at run time, in the order in which they are recorded.
    pub lengths: RefCell<Vec<i64>>,
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

    /// Whether each strip has either no iteration of a node, or as many as the others.
    pub fn is_even(&self, front: &Frontier) -> bool {
        match self.kind.lengths() {
            Some(_) => front.rate == 1,
            None => front.is_even(),
        }
    }

    /// Whether the memory of strips of a buffer is allocated before them: rows stay in it, or its size is known only at run
    /// time.
    pub fn is_before_strips(&self, place: usize) -> bool {
        self.has_lines(place) || (self.is_between(place) && self.has_length(place))
    }

    /// Whether another size of a buffer than that of the split dimension is known only at run time.
    fn has_length(&self, place: usize) -> bool {
        let split = &self.spread().buffers[place];
        let shape = &self.reading.program.buffer(split.buffer).shape;
        let mut sizes = shape.iter().enumerate();
        self.kind.lengths().is_some_and(|lengths| {
            sizes.any(|(at, size)| {
                at as u32 != split.dimension && lengths.expression(*size).is_some()
            })
        })
    }

    pub fn has_lines(&self, place: usize) -> bool {
        self.is_between(place) && self.buffer_front(0, place).is_carried()
    }
}
