//! The blocks of a region as a graph.

use memplan_flow::{EntitySet, Graph, PrimaryMap, ids, reachable};
use memplan_mlir::ir::{
    Block, Identity, Key, Op, Region, blocks, ops, regions, successors, terminator,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

ids! {
    /// A block, by its position in its region.
    pub BlockId,
}

/// The blocks of a region in textual order, and their edges in the order of the successors.
pub struct BlockGraph<'c> {
    /// The blocks; the first one is the entry.
    pub blocks: PrimaryMap<BlockId, Block<'c>>,
    /// The edges between the blocks.
    pub edges: Graph<BlockId>,
}

impl<'c> BlockGraph<'c> {
    /// The graph of a region.
    pub fn of(region: Region<'c>) -> Self {
        let blocks: PrimaryMap<BlockId, Block<'c>> = blocks(region).collect();
        let mut ids: FxHashMap<Key, BlockId> = FxHashMap::default();
        if blocks.len() > 1 {
            ids.extend(blocks.iter().map(|(id, block)| (block.key(), id)));
        }
        // The last operation of a block may name successors even if it is not registered.
        let edges = Graph::new(blocks.len(), |id| {
            if ids.is_empty() {
                return Targets::new();
            }
            let targets = terminator(blocks[id]).into_iter().flat_map(successors);
            targets
                .filter_map(|to| ids.get(&to.key()).copied())
                .collect()
        });
        Self { blocks, edges }
    }

    /// The entry block; `None` if the region is empty.
    pub fn entry(&self) -> Option<BlockId> {
        self.blocks.keys().next()
    }

    /// The reachable blocks.
    pub fn reached(&self) -> EntitySet<BlockId> {
        reachable(&self.edges, self.entry())
    }
}

type Targets = SmallVec<[BlockId; 2]>;

/// The reachable blocks of a region, in textual order.
pub fn reached_blocks(region: Region<'_>) -> Vec<Block<'_>> {
    let graph = BlockGraph::of(region);
    let reached = graph.reached();
    let blocks = graph.blocks.iter();
    let blocks = blocks.filter(|(id, _)| reached.contains(*id));
    blocks.map(|(_, block)| *block).collect()
}

/// Calls `visit` for all operations in reachable blocks of a region, and of the regions in it.
pub fn walk<'c>(region: Region<'c>, visit: &mut impl FnMut(Op<'c>)) {
    for op in reached_blocks(region).into_iter().flat_map(ops) {
        visit(op);
        for nested in regions(op) {
            walk(nested, visit);
        }
    }
}
