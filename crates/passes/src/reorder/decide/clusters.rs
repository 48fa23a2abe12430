//! Operations that go together: one that needs no more than the next one goes right in front of it.
//!
//! If an operation touches nothing that `next` does not touch, and whatever must come behind it must come behind `next`,
//! too, then what it touches is live from there to `next` in every order. So an order in which it stands right in front of
//! `next` is as good. This sinks what fills a buffer to its use.

use crate::reorder::graph::{Graph, Item, Takeover, defaults};
use smallvec::SmallVec;

/// What one operation of a unit touches.
#[derive(Clone, Debug, Default)]
pub struct ClusterStep {
    /// Items that no operation of the unit has touched before.
    pub first: SmallVec<[u32; 4]>,
    /// Items that no operation of the unit touches behind.
    pub last: SmallVec<[u32; 4]>,
    /// Bytes that it needs for itself.
    pub inside: i64,
    /// Takeovers whose item ends with this operation in the unit, and whose other begins.
    pub takeovers: SmallVec<[Takeover; 1]>,
}

/// Operations that are run in a row.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The operations, by their numbers.
    pub nodes: SmallVec<[u32; 1]>,
    /// What each touches.
    pub steps: SmallVec<[ClusterStep; 1]>,
    /// All items that they touch.
    pub items: SmallVec<[u32; 4]>,
    /// Units that must come before.
    pub before: u32,
    /// Units that must come behind, sorted.
    pub behind: SmallVec<[u32; 4]>,
}

/// The units of a block.
#[derive(Clone, Debug, Default)]
pub struct Clusters {
    /// In an order that is allowed: that of the last operation of each.
    pub units: Vec<Cluster>,
    /// The items.
    pub items: Vec<Item>,
    /// For each item the units that touch it.
    pub touching: Vec<SmallVec<[u32; 4]>>,
    /// Bytes that are live all the time.
    pub through: u64,
}

/// Operations with more behind them than that are not looked at.
const MOST_BEHIND: usize = 16;

impl Clusters {
    /// Each operation by itself.
    pub fn apart(graph: &Graph) -> Self {
        let own: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        Self::of(graph, &own)
    }

    /// Operations together where that costs nothing.
    pub fn together(graph: &Graph) -> Self {
        let mut behind: Vec<SmallVec<[u32; 4]>> = defaults(graph.nodes.len());
        for (index, node) in graph.nodes.iter().enumerate() {
            for before in &node.before {
                behind[*before as usize].push(index as u32);
            }
        }
        let mut heads: Vec<u32> = (0..graph.nodes.len() as u32).collect();
        for index in (0..graph.nodes.len()).rev() {
            let (node, behind) = (&graph.nodes[index], &behind[index]);
            let Some(&next) = behind.first().filter(|_| behind.len() <= MOST_BEHIND) else {
                continue;
            };
            let touched = &graph.nodes[next as usize].touches;
            let others = || {
                behind[1..]
                    .iter()
                    .map(|other| &graph.nodes[*other as usize])
            };
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

    /// The units of operations that have the same head, which is the last of them.
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
                units[other as usize].behind.push(index as u32);
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

    /// The same, run backwards: an order of one, read backwards, is an order of the other, with the same load.
    pub fn reversed(&self) -> Self {
        let last = self.units.len() as u32;
        let turned = |unit: &u32| last - 1 - unit;
        let mut units: Vec<Cluster> = self.units.iter().rev().map(Cluster::reversed).collect();
        for (index, unit) in self.units.iter().enumerate() {
            for behind in &unit.behind {
                units[turned(behind) as usize]
                    .behind
                    .push(turned(&(index as u32)));
            }
            units[turned(&(index as u32)) as usize].before = unit.behind.len() as u32;
        }
        for unit in &mut units {
            unit.behind.sort_unstable();
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

    /// The operations of units, in their order.
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
            // What was last so far is not any more.
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
            behind: SmallVec::new(),
        }
    }
}
