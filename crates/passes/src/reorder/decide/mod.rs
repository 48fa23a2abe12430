//! Decides an order: pure functions on a [`Graph`].
//!
//! 1. [`clusters`]: operations that cost nothing before the next one are placed there.
//! 2. [`search`] from the lower bound upwards, forwards and then backwards. If it finishes within its steps,
//!    its order is optimal.
//! 3. Otherwise with limits halfway between the proven bound and the best order: a limit that is not reached
//!    allows more orders.
//! 4. [`float`]: operations that only define values move directly before their first use.
//!
//! All orders are compared with the given one.

mod check;
mod clusters;
mod float;
mod search;
mod state;

use super::graph::Graph;
use clusters::Clusters;
use search::{Terms, search};
use smallvec::SmallVec;
use state::load;
use std::cell::LazyCell;

/// The decision for a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// A better order of the operations, if one was found.
    pub order: Option<Vec<u32>>,
    /// The most bytes live at once in the given order.
    pub before: u64,
    /// The same in the order that was found.
    pub after: u64,
    /// Lower bound for any order.
    pub bound: u64,
    /// Whether no search was done, as a better order would not help.
    pub needless: bool,
}

impl Decision {
    /// The decision to keep the order.
    pub const fn stay(before: u64, bound: u64, needless: bool) -> Self {
        Self {
            order: None,
            before,
            after: before,
            bound,
            needless,
        }
    }
}

/// Share of the steps that may be spent between two valleys.
const PATIENCE: u64 = 8;

impl Graph {
    /// The most bytes live at once in the given order.
    pub fn load(&self) -> u64 {
        load(&Clusters::apart(self), 0..self.nodes.len() as u32)
    }

    /// Lower bound for any order: the bytes that are live at the start, at the end, or at one operation.
    /// `less`: operations that need less inside, and by how many bytes.
    pub fn floor(&self, less: &[(usize, i64)]) -> u64 {
        let graph = self;
        let sum = |wanted: &dyn Fn(&super::graph::Item) -> bool| -> u64 {
            let items = graph.items.iter().filter(|item| wanted(item));
            items.map(|item| item.size).sum()
        };
        let throughout = sum(&|item| item.before && item.after);
        let ends = sum(&|item| item.before).max(sum(&|item| item.after));
        let mut less = less.iter().peekable();
        let mut at = |(place, node): (usize, &super::graph::Node)| -> u64 {
            let less = less
                .next_if(|less| less.0 == place)
                .map_or(0, |less| less.1);
            let items = node.touches.iter().map(|item| &graph.items[*item as usize]);
            let own: u64 = items
                .filter(|item| !(item.before && item.after))
                .map(|item| item.size)
                .sum();
            // As many takeovers as possible, whichever these are.
            let (mut taken, mut used) = (0, SmallVec::<[u32; 4]>::new());
            for takeover in &node.takeovers {
                if !used.contains(&takeover.to) {
                    used.push(takeover.to);
                    taken += graph.items[takeover.to as usize].size;
                }
            }
            throughout
                .saturating_add(own.saturating_sub(taken))
                .saturating_add_signed(node.inside.saturating_sub(less))
        };
        let most = graph
            .nodes
            .iter()
            .enumerate()
            .map(&mut at)
            .max()
            .unwrap_or(0);
        graph.through + ends.max(most)
    }
}

/// Searches for an order with a lower load, with this effort. `known`: a proven lower bound.
pub fn decide(graph: &Graph, effort: u64, known: u64) -> Decision {
    let apart = Clusters::apart(graph);
    let before = load(&apart, 0..graph.nodes.len() as u32);
    let mut decision = Decision::stay(before, graph.floor(&[]).max(known).min(before), false);
    if decision.bound == before {
        return decision;
    }
    let forwards = Clusters::together(graph);
    let given: Vec<u32> = (0..forwards.units.len() as u32).collect();
    decision.offer(&apart, graph, forwards.nodes(&given));
    let backwards = LazyCell::new(|| forwards.reversed());
    let mut steps = effort;
    for (direction, share) in [(Direction::Forwards, 3), (Direction::Backwards, 2)] {
        if decision.bound == decision.after {
            return decision;
        }
        let all = match direction {
            Direction::Forwards => &forwards,
            Direction::Backwards => &*backwards,
        };
        let mut own = steps / share;
        steps -= own;
        let terms = Terms {
            limit: decision.bound,
            under: decision.after,
            rises: true,
            patience: own / PATIENCE,
        };
        let found = search(all, &terms, &mut own);
        steps += own;
        decision.bound = decision.bound.max(found.bound.min(decision.after));
        if let Some(order) = found.order {
            decision.offer(&apart, graph, direction.nodes(all, order));
        }
    }
    decision.bisect(graph, &apart, [&forwards, &backwards], steps);
    decision
}

/// Direction in which clusters are executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forwards,
    Backwards,
}

impl Direction {
    /// Operations of an order of clusters, forwards.
    fn nodes(self, all: &Clusters, order: Vec<u32>) -> Vec<u32> {
        let mut nodes = all.nodes(&order);
        if self == Self::Backwards {
            nodes.reverse();
        }
        nodes
    }
}

impl Decision {
    /// Keeps an order if it is better.
    fn offer(&mut self, apart: &Clusters, graph: &Graph, order: Vec<u32>) -> bool {
        let order = float::float(graph, &order);
        let load = load(apart, order.iter().copied());
        let better = load < self.after;
        if better {
            self.after = load;
            self.order = Some(order);
        }
        better
    }

    /// Tries limits between the proven bound and the best order.
    fn bisect(&mut self, graph: &Graph, apart: &Clusters, both: [&Clusters; 2], steps: u64) {
        let mut failed = self.bound.saturating_sub(1);
        let mut steps = steps;
        let share = steps / 16;
        while failed + 1 < self.after && steps > 0 {
            let limit = failed + (self.after - failed) / 2;
            let mut found = false;
            for (direction, all) in [Direction::Forwards, Direction::Backwards]
                .into_iter()
                .zip(both)
            {
                let mut own = share.min(steps);
                steps -= own;
                let terms = Terms {
                    limit,
                    under: limit + 1,
                    rises: false,
                    patience: own / PATIENCE,
                };
                let order = search(all, &terms, &mut own).order;
                steps += own;
                found = order
                    .is_some_and(|order| self.offer(apart, graph, direction.nodes(all, order)));
                if found {
                    break;
                }
            }
            if !found {
                failed = limit;
            }
        }
    }
}
