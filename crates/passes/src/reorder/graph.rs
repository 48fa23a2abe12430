//! A block as plain data: its operations, what must come before what, and the buffers that they need.
//!
//! Operations are numbered in the order given, which is one that is allowed. Of a buffer whose contents end before it
//! is written anew, each life is an item of its own.

use smallvec::SmallVec;

/// A life of a buffer: from the first operation that touches it to the last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Item {
    /// Bytes.
    pub size: u64,
    /// It is live when the block starts.
    pub before: bool,
    /// It is live when the block is over.
    pub after: bool,
}

/// At an operation, one item may take over the bytes of another that ends there.
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
    /// Operations that must come before, sorted.
    pub before: SmallVec<[u32; 4]>,
    /// Items that it needs, sorted.
    pub touches: SmallVec<[u32; 4]>,
    /// Bytes that it needs while it runs besides the items that are live: for what lives in it alone; fewer than none
    /// where not all items are needed all the time that it takes.
    pub inside: i64,
    /// It needs nothing and makes values: right in front of the first use is the place for it.
    pub floats: bool,
    /// It gives memory back: the place for it is right behind the last that must come before.
    pub frees: bool,
    /// Where items may take over.
    pub takeovers: SmallVec<[Takeover; 1]>,
}

/// The operations of a block, but for the last one, which stays last.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Operations, in the order given.
    pub nodes: Vec<Node>,
    /// Items; each is touched.
    pub items: Vec<Item>,
    /// Bytes that are live all the time.
    pub through: u64,
}

/// So many defaults, made one by one: `vec![x; n]` clones, which costs more where there are small vectors in `x`.
pub fn defaults<T: Default>(count: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(count).collect()
}
