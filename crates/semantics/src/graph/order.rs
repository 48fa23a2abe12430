//! The blocks of a region, in orders with definitions before uses.

use super::{BlockId, ControlGraph, EdgeKind, RegionId};
use memplan_flow::{Components, Graph, ids, reachable, reverse_postorder};
use smallvec::SmallVec;

ids! {
    /// A block, by its index in its region.
    BlockIndex,
}

type BlockIndices = SmallVec<[BlockIndex; 2]>;

impl ControlGraph<'_> {
    /// The blocks of a region in reverse postorder, each after its dominators, then the unreachable ones in textual
    /// order. With `last_first`, the search visits the last successor of each block first.
    pub fn in_order(&self, region: RegionId, last_first: bool) -> Vec<BlockId> {
        let all = self.blocks_of(region);
        if all.len() <= 1 {
            return all.collect();
        }
        let graph = self.branches(region, last_first);
        let entry = [BlockIndex::new(0)];
        let mut order = reverse_postorder(&graph, entry);
        if order.len() < graph.len() {
            let reached = reachable(&graph, entry);
            order.extend(graph.nodes().filter(|index| !reached.contains(*index)));
        }
        let first = self.first(region);
        let block = |index: BlockIndex| BlockId::new(first + index.index());
        order.into_iter().map(block).collect()
    }

    /// For each block of a region: may its branches lead back to it? No branch leads to the first block.
    pub fn on_cycles(&self, region: RegionId) -> Vec<bool> {
        let blocks = self.blocks_of(region).len();
        if blocks <= 1 {
            return vec![false; blocks];
        }
        let graph = self.branches(region, false);
        let components = Components::of(&graph);
        let indices = graph.nodes();
        indices.map(|index| components.is_cyclic(index)).collect()
    }

    /// The graph of the branches between the blocks of a region.
    fn branches(&self, region: RegionId, last_first: bool) -> Graph<BlockIndex> {
        let first = self.first(region);
        Graph::new(self.blocks_of(region).len(), |index: BlockIndex| {
            let block = &self.blocks[BlockId::new(first + index.index())];
            let branches = self.edges_from(block.last);
            let branches = branches.filter(|edge| matches!(edge.kind, EdgeKind::Branch(..)));
            let targets = branches.filter_map(|edge| Some(self.segments[edge.to?].block));
            let mut targets: BlockIndices = targets
                .map(|to| BlockIndex::new(to.index() - first))
                .collect();
            if last_first {
                targets.reverse();
            }
            targets
        })
    }

    /// The index of the first block of a region.
    fn first(&self, region: RegionId) -> usize {
        self.entry(region).map_or(0, BlockId::index)
    }
}
