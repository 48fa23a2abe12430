//! The blocks of a region, definitions before uses.

use super::{BlockId, ControlGraph, EdgeKind, RegionId};
use memplan_flow::{Graph, ids, reachable, reverse_postorder};
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
        let Some(first) = all.clone().next().filter(|_| all.len() > 1) else {
            return all.collect();
        };
        let graph = Graph::new(all.len(), |place: Place| {
            let block = &self.blocks[BlockId::new(first.index() + place.index())];
            let branches = self.edges_from(block.last);
            let branches = branches.filter(|edge| matches!(edge.kind, EdgeKind::Branch(..)));
            let targets = branches.filter_map(|edge| Some(self.segments[edge.to?].block));
            let mut targets: Places = targets
                .map(|to| Place::new(to.index() - first.index()))
                .collect();
            if last_first {
                targets.reverse();
            }
            targets
        });
        let entry = [Place::new(0)];
        let mut order = reverse_postorder(&graph, entry);
        if order.len() < graph.len() {
            let reached = reachable(&graph, entry);
            order.extend(graph.nodes().filter(|place| !reached.contains(*place)));
        }
        let block = |place: Place| BlockId::new(first.index() + place.index());
        order.into_iter().map(block).collect()
    }
}
