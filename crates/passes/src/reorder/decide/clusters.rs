//! Clusters of operations: an operation that needs no more than the next one is placed directly before it.
//!
//! Suppose an operation touches only items that `next` touches, and all operations that must follow it must
//! also follow `next`. Then its items are live from there to `next` in every order. So an order with it
//! directly before `next` is as good. This moves the fill of a buffer to its use.

use crate::reorder::graph::{Graph, Item, Takeover, defaults};
use smallvec::SmallVec;

/// Items that one operation of a cluster touches.
#[derive(Clone, Debug, Default)]
pub struct ClusterStep {
    /// Items that no earlier operation of the cluster touches.
    pub first: SmallVec<[u32; 4]>,
    /// Items that no later operation of the cluster touches.
    pub last: SmallVec<[u32; 4]>,
    /// Bytes that it needs for itself.
    pub inside: i64,
    /// Takeovers from an item that ends with this operation of the cluster, to one that begins there.
    pub takeovers: SmallVec<[Takeover; 1]>,
}

/// Operations that execute consecutively.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// Indices of the operations.
    pub nodes: SmallVec<[u32; 1]>,
    /// Items of each operation.
    pub steps: SmallVec<[ClusterStep; 1]>,
    /// All items that they touch.
    pub items: SmallVec<[u32; 4]>,
    /// Number of clusters that must precede it.
    pub before: u32,
    /// Clusters that must follow it, sorted.
    pub after: SmallVec<[u32; 4]>,
}

/// Clusters of a block.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// The clusters in a valid order: that of the last operation of each.
    pub units: Vec<Cluster>,
    /// The items.
    pub items: Vec<Item>,
    /// For each item, the clusters that touch it.
    pub touching: Vec<SmallVec<[u32; 4]>>,
    /// Bytes that are live throughout the block.
    pub through: u64,
}

/// Operations with more successors than this are not clustered.
const MOST_SUCCESSORS: usize = 16;

impl Clusters {
    /// One cluster for each operation.
    pub fn apart(graph: &Graph) -> Self {
        let own: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        Self::of(graph, &own)
    }

    /// Clusters operations where that costs nothing.
    pub fn together(graph: &Graph) -> Self {
        let mut after: Vec<SmallVec<[u32; 4]>> = defaults(graph.nodes.len());
        for (index, node) in graph.nodes.iter().enumerate() {
            for before in &node.before {
                after[*before as usize].push(index as u32);
            }
        }
        let mut heads: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        for index in (0..graph.nodes.len()).rev() {
            let (node, after) = (&graph.nodes[index], &after[index]);
            let Some(&next) = after.first().filter(|_| after.len() <= MOST_SUCCESSORS) else {
                continue;
            };
            let touched = &graph.nodes[next as usize].touches;
            let others = || after[1..].iter().map(|other| &graph.nodes[*other as usize]);
            if node.inside <= 0
                && node
                    .touches
                    .iter()
                    .all(|item| touched.binary_search(item).is_ok())
                && others().all(|other| other.before.binary_search(&next).is_ok())
            {
                heads[index] = heads[next as usize];
            }
        }
        Self::of(graph, &heads)
    }

    /// Clusters of operations with the same head, which is the last of them.
    fn of(graph: &Graph, heads: &[u32]) -> Self {
        let mut places = vec![0; heads.len()];
        let mut count = 0;
        for (index, head) in heads.iter().enumerate() {
            if *head as usize == index {
                places[index] = count;
                count += 1;
            }
        }
        let mut units: Vec<Cluster> = defaults(count as usize);
        for (index, head) in heads.iter().enumerate() {
            units[places[*head as usize] as usize]
                .nodes
                .push(index as u32);
        }
        let mut touching: Vec<SmallVec<[u32; 4]>> = defaults(graph.items.len());
        for index in 0..units.len() {
            let mut before: SmallVec<[u32; 8]> = SmallVec::new();
            for node in &units[index].nodes {
                let all = graph.nodes[*node as usize].before.iter();
                before.extend(all.map(|other| places[heads[*other as usize] as usize]));
            }
            before.sort_unstable();
            before.dedup();
            before.retain(|other| *other as usize != index);
            units[index].before = before.len() as u32;
            for other in before {
                units[other as usize].after.push(index as u32);
            }
            let unit = &mut units[index];
            unit.fill(graph);
            for item in &unit.items {
                touching[*item as usize].push(index as u32);
            }
        }
        Self {
            units,
            items: graph.items.clone(),
            touching,
            through: graph.through,
        }
    }

    /// The reversed block: an order of one, reversed, is an order of the other with the same load.
    pub fn reversed(&self) -> Self {
        let last = self.units.len() as u32;
        let turned = |unit: &u32| last - 1 - unit;
        let mut units: Vec<Cluster> = self.units.iter().rev().map(Cluster::reversed).collect();
        for (index, unit) in self.units.iter().enumerate() {
            for after in &unit.after {
                units[turned(after) as usize]
                    .after
                    .push(turned(&(index as u32)));
            }
            units[turned(&(index as u32)) as usize].before = unit.after.len() as u32;
        }
        for unit in &mut units {
            unit.after.sort_unstable();
        }
        let turned_item = |item: &Item| Item {
            size: item.size,
            before: item.after,
            after: item.before,
        };
        let touching = self.touching.iter();
        Self {
            units,
            items: self.items.iter().map(turned_item).collect(),
            touching: touching
                .map(|units| units.iter().rev().map(turned).collect())
                .collect(),
            through: self.through,
        }
    }

    /// Operations of clusters, in order.
    pub fn nodes(&self, order: &[u32]) -> Vec<u32> {
        let nodes = order
            .iter()
            .flat_map(|unit| &self.units[*unit as usize].nodes);
        nodes.copied().collect()
    }
}

impl Cluster {
    fn fill(&mut self, graph: &Graph) {
        for node in &self.nodes {
            let node = &graph.nodes[*node as usize];
            let known = self.items.len();
            let is_new = |item: &u32| !self.items[..known].contains(item);
            let first: SmallVec<[u32; 4]> = node.touches.iter().copied().filter(is_new).collect();
            self.items.extend(first.iter().copied());
            // The operation that was last so far is not any more.
            for step in &mut self.steps {
                let again = |item: &u32| node.touches.binary_search(item).is_ok();
                step.last.retain(|item| !again(item));
                step.takeovers.retain(|takeover| !again(&takeover.from));
            }
            let begins = |takeover: &&Takeover| first.contains(&takeover.to);
            self.steps.push(ClusterStep {
                takeovers: node.takeovers.iter().filter(begins).copied().collect(),
                first,
                last: node.touches.clone(),
                inside: node.inside,
            });
        }
    }

    fn reversed(&self) -> Self {
        let step = |step: &ClusterStep| ClusterStep {
            first: step.last.clone(),
            last: step.first.clone(),
            inside: step.inside,
            takeovers: step
                .takeovers
                .iter()
                .map(|takeover| Takeover {
                    from: takeover.to,
                    to: takeover.from,
                })
                .collect(),
        };
        Self {
            nodes: self.nodes.iter().rev().copied().collect(),
            steps: self.steps.iter().rev().map(step).collect(),
            items: self.items.clone(),
            before: 0,
            after: SmallVec::new(),
        }
    }
}
