//! The blocks of a region, definitions before uses.

use super::{BlockId, ControlGraph, EdgeKind, RegionId};
use memplan_flow::{Components, Graph, ids, reachable, reverse_postorder};
use smallvec::SmallVec;

ids! {
    /// A block, by its place in its region.
    Place,
}

type Places = SmallVec<[Place; 2]>;

impl ControlGraph<'_> {
    /// The blocks of a region in reverse postorder, each after those that dominate it; then those that are never reached,
    /// in the order of the text. `last_first`: each block with its last successor first.
    pub fn in_order(&self, region: RegionId, last_first: bool) -> Vec<BlockId> {
        let all = self.blocks_of(region);
        if all.len() <= 1 {
            return all.collect();
        }
        let graph = self.branches(region, last_first);
        let entry = [Place::new(0)];
        let mut order = reverse_postorder(&graph, entry);
        if order.len() < graph.len() {
            let reached = reachable(&graph, entry);
            order.extend(graph.nodes().filter(|place| !reached.contains(*place)));
        }
        let first = self.first(region);
        let block = |place: Place| BlockId::new(first + place.index());
        order.into_iter().map(block).collect()
    }

    /// For each block of a region, whether its branches may lead back to it. None leads to the first.
    pub fn on_cycles(&self, region: RegionId) -> Vec<bool> {
        let blocks = self.blocks_of(region).len();
        if blocks <= 1 {
            return vec![false; blocks];
        }
        let graph = self.branches(region, false);
        let components = Components::of(&graph);
        let places = graph.nodes();
        places.map(|place| components.is_cyclic(place)).collect()
    }

    /// The blocks of a region, and the branches between them.
    fn branches(&self, region: RegionId, last_first: bool) -> Graph<Place> {
        let first = self.first(region);
        Graph::new(self.blocks_of(region).len(), |place: Place| {
            let block = &self.blocks[BlockId::new(first + place.index())];
            let branches = self.edges_from(block.last);
            let branches = branches.filter(|edge| matches!(edge.kind, EdgeKind::Branch(..)));
            let targets = branches.filter_map(|edge| Some(self.segments[edge.to?].block));
            let mut targets: Places = targets.map(|to| Place::new(to.index() - first)).collect();
            if last_first {
                targets.reverse();
            }
            targets
        })
    }

    /// The number of the first block of a region.
    fn first(&self, region: RegionId) -> usize {
        self.entry(region).map_or(0, BlockId::index)
    }
}
