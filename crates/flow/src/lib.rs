//! Typed ids and graph algorithms for analyses. The data structures are plain and independent of MLIR.
//!
//! [`ids!`] defines ids; the maps and sets keyed by ids are those of cranelift-entity, which this crate reexports. A
//! [`Graph`] stores the successors of each node. The algorithms on graphs are [`depth_first`] search,
//! [`reverse_postorder`], [`Dominators`] (of the [reversed](Graph::reversed) graph: post-dominators) and strongly
//! connected [`Components`]. [`Nesting`] answers ancestor queries in a tree, [`UnionFind`] merges sets, and
//! [`Liveness`] computes where values are live.
//!
//! All algorithms take linear or nearly linear time in the number of nodes and edges, use no recursion, and are
//! deterministic: no result depends on hashes or addresses.
//!
//! Why cranelift-entity: its maps are vectors whose keys are ids of one type, its only dependency is its own bit set,
//! and compilers have relied on it for years. The version is the newest one whose minimum Rust version is not above
//! the workspace's. Its `entity_impl!` is not used: in release builds it truncates indices that do not fit, and its
//! ids cannot be created in constants.
//!
//! ```
//! use memplan_flow::{Dominators, Graph, ids};
//!
//! ids! {
//!     /// A block.
//!     pub BlockId,
//! }
//!
//! // 0 -> 1 -> 3, 0 -> 2 -> 3
//! let edges = [vec![1, 2], vec![3], vec![3], vec![]];
//! let graph = Graph::new(4, |block: BlockId| {
//!     edges[block.index()].iter().copied().map(BlockId::new)
//! });
//! let dominators = Dominators::of(&graph, BlockId::new(0));
//! assert_eq!(dominators.immediate(BlockId::new(3)), Some(BlockId::new(0)));
//! assert!(!dominators.dominates(BlockId::new(1), BlockId::new(3)));
//! ```

#![forbid(unsafe_code)]

mod components;
mod dominators;
mod graph;
mod ids;
mod liveness;
mod nesting;
mod search;
mod union_find;

pub use components::{ComponentId, Components};
pub use cranelift_entity::{
    EntityRef, EntitySet, PrimaryMap, SecondaryMap,
    packed_option::{PackedOption, ReservedValue},
};
pub use dominators::Dominators;
pub use graph::Graph;
pub use liveness::{Live, Liveness};
pub use nesting::Nesting;
pub use search::{DepthFirst, Event, depth_first, reachable, reached_from, reverse_postorder};
pub use union_find::UnionFind;

#[cfg(test)]
mod tests {
    use crate::Graph;

    crate::ids! {
        /// A node.
        pub Node,
    }

    /// A graph with this number of nodes and these edges.
    pub fn graph(count: usize, edges: &[(u32, u32)]) -> Graph<Node> {
        Graph::new(count, |node: Node| {
            let edges = edges.iter().filter(move |(from, _)| *from == node.0);
            edges.map(|(_, to)| Node(*to)).collect::<Vec<Node>>()
        })
    }

    /// A chain: each node has an edge to the next one.
    pub fn chain(count: usize) -> Graph<Node> {
        Graph::new(count, |node: Node| {
            (node.index() + 1 < count).then(|| Node(node.0 + 1))
        })
    }

    /// The nodes with these numbers.
    pub fn nodes<const N: usize>(numbers: [u32; N]) -> [Node; N] {
        numbers.map(Node)
    }
}
