//! Which operations run strip by strip together: a dimension spreads from one of them through the buffers between.
//!
//! A chain is a range of nodes with a *seed*, one of its nodes, and a loop of the seed. The dimension spreads from a node to
//! each buffer that it accesses by that loop, and from each buffer that a node of the range writes to all nodes of the range
//! that access it. Nodes of the range that are not reached run before the strips.

mod dense;
mod facts;
mod spreader;
mod window;

pub use self::{spreader::Spreader, window::Window};

use crate::{
    program::{BufferId, NodeId, Program, Role},
    refusal::Refusal,
};
use smallvec::SmallVec;
use std::{
    ops::{Deref, Range},
    rc::Rc,
};

/// A node with a split loop.
#[derive(Clone, Debug)]
pub struct SplitNode {
    /// The node.
    pub node: NodeId,
    /// Its loop that is split.
    pub split: u32,
    /// The iterations of that.
    pub extent: i64,
    /// The accesses that write, as bits.
    writes: u64,
    /// The accesses whose rows have to be there, as bits.
    sees: u64,
    /// For each of its accesses, what it touches; `None` if it touches the same in all strips.
    pub windows: SmallVec<[Option<Window>; 3]>,
}

/// A node of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// What it is in many chains.
    split: Rc<SplitNode>,
    /// For each of its accesses, the place of the buffer among the split ones of the chain.
    pub places: SmallVec<[Option<u32>; 3]>,
}

impl SplitNode {
    /// How many accesses write.
    pub const fn writers(&self) -> u32 {
        self.writes.count_ones()
    }

    /// Whether an access writes.
    pub const fn writes(&self, access: usize) -> bool {
        self.writes & bit(access) != 0
    }

    /// Whether the rows of an access have to be there.
    pub const fn sees(&self, access: usize) -> bool {
        self.sees & bit(access) != 0
    }
}

/// The bit of an access, in a set of those of a node.
const fn bit(number: usize) -> u64 {
    1 << number
}

impl Deref for Link {
    type Target = SplitNode;

    fn deref(&self) -> &SplitNode {
        &self.split
    }
}

impl Link {
    /// Its accesses of split buffers that depend on the strip: the number of each, what it touches, and the place of the buffer.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &Window, usize)> {
        let both = self.windows.iter().zip(&self.places).enumerate();
        both.filter_map(|(at, (window, place))| Some((at, window.as_ref()?, (*place)? as usize)))
    }
}

/// A buffer that the dimension spreads to.
#[derive(Clone, Debug)]
pub struct SplitBuffer {
    /// The buffer.
    pub buffer: BufferId,
    /// Its dimension that is split.
    pub dimension: u32,
    /// The rows of that.
    pub rows: i64,
    /// What it is to the chain.
    pub role: Role,
}

/// A dimension, spread over a chain.
#[derive(Clone, Debug)]
pub struct Spread {
    /// The nodes of the range.
    pub nodes: Range<usize>,
    /// The seed and its loop.
    pub seed: (NodeId, u32),
    /// The nodes in the strips, in order.
    pub links: Vec<Link>,
    /// The nodes that run before the strips, in order.
    pub before: Vec<NodeId>,
    /// The split buffers, in order.
    pub buffers: Vec<SplitBuffer>,
    /// Allocations of the block that only the range uses, and that are not split.
    pub whole: Vec<BufferId>,
    /// Whether a result accumulates over strips.
    pub accumulates: bool,
}

impl Spread {
    /// The place of a buffer among the split ones.
    pub fn place(&self, buffer: BufferId) -> Option<usize> {
        let of = |split: &SplitBuffer| split.buffer;
        self.buffers.binary_search_by_key(&buffer, of).ok()
    }

    /// Spreads a loop of a node over a range of nodes.
    pub fn of(
        program: &Program,
        nodes: Range<usize>,
        seed: NodeId,
        split: u32,
    ) -> Result<Self, Refusal> {
        Spreader::new(program).spread(nodes, seed, split)
    }
}
