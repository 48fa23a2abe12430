//! A block as plain data: its operations, their dependences, and the buffers that they need.
//!
//! Operations are numbered in the given order, which is valid. A buffer that is overwritten when its contents
//! are dead is one item for each live range.

use smallvec::SmallVec;

/// A live range of a buffer: from its first touch in the block to the last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Item {
    /// Bytes.
    pub size: u64,
    /// Whether it is live at the start of the block.
    pub before: bool,
    /// Whether it is live at the end of the block.
    pub after: bool,
}

/// At an operation, one item may reuse the bytes of another that ends there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takeover {
    /// The item that ends.
    pub from: u32,
    /// The item that begins, of the same size.
    pub to: u32,
}

/// An operation.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Operations that must precede it, sorted.
    pub before: SmallVec<[u32; 4]>,
    /// Items that it needs, sorted.
    pub touches: SmallVec<[u32; 4]>,
    /// Bytes that it needs besides the live items, for buffers that are live only within it; negative if not
    /// all items are needed all the time that it takes.
    pub inside: i64,
    /// It touches no memory and defines values: it belongs directly before its first use.
    pub floats: bool,
    /// It frees memory: it belongs directly after the last operation that must precede it.
    pub frees: bool,
    /// Takeovers at the operation.
    pub takeovers: SmallVec<[Takeover; 1]>,
}

/// Operations of a block, without the terminator.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Operations, in the given order.
    pub nodes: Vec<Node>,
    /// Items; each is touched.
    pub items: Vec<Item>,
    /// Bytes that are live throughout the block.
    pub through: u64,
}

/// A vector of `count` defaults. `vec![x; n]` clones, which is slower for types with small vectors.
pub fn defaults<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}
