//! Branch and bound: whether a buffer is in a space during a layer, one decision after another.

use crate::{
    bound::{Bound, Prices, raise},
    insert::Partial,
    plan::{Holding, Plan},
    problem::Problem,
};

/// Rounds of prices in a node.
const ROUNDS: u32 = 24;

/// A decision: buffer, layer, space, and whether it is there.
type Decision = (usize, usize, usize, bool);

struct Search<'p> {
    problem: &'p Problem,
    holdings: &'p [Holding],
    best: Option<Plan>,
    nodes: u64,
    decided: Vec<Decision>,
}

/// The cheapest plan, if it is found within so many nodes: then the second result is true, and `None` means that there is no
/// plan at all. Otherwise the best one that is known.
pub fn search(
    problem: &Problem,
    holdings: &[Holding],
    (best, prices): (Option<Plan>, Prices),
    nodes: u64,
) -> (Option<Plan>, bool) {
    let mut search = Search {
        problem,
        holdings,
        best,
        nodes,
        decided: Vec::new(),
    };
    let is_done = search.node(prices).is_some();
    (search.best, is_done)
}

impl Search<'_> {
    /// Searches all plans with the decisions so far. `None` if too many nodes are needed.
    fn node(&mut self, prices: Prices) -> Option<()> {
        self.nodes = self.nodes.checked_sub(1)?;
        let decided = self.decided.clone();
        let rule = |buffer: usize, layer: usize, space: usize| {
            let mut all = decided.iter();
            let known = all.find(|one| (one.0, one.1, one.2) == (buffer, layer, space));
            known.map(|one| one.3)
        };
        let upper = self.best.as_ref().map(|best| best.cost);
        let mut found: Option<Plan> = None;
        let bound = raise(
            self.problem,
            self.holdings,
            (prices, ROUNDS),
            upper,
            &rule,
            |plan| {
                if found.as_ref().is_none_or(|found| plan.cost < found.cost) {
                    found = Some(plan);
                }
            },
        );
        if let Some(plan) = found {
            self.offer(plan);
        }
        let Some(bound) = bound else {
            return Some(());
        };
        if self.is_beaten(bound.cost) {
            return Some(());
        }
        self.complete(&bound);
        if self.is_beaten(bound.cost) {
            return Some(());
        }
        let Some((buffer, layer, space)) = self.choose(&bound, &rule) else {
            return Some(());
        };
        // What the prices suggest is tried last: the other one changes more.
        let is_there = bound.last.sequences[buffer].holdings[layer].has(space);
        for decision in [!is_there, is_there] {
            self.decided.push((buffer, layer, space, decision));
            let done = self.node(bound.prices.clone());
            self.decided.pop();
            done?;
        }
        Some(())
    }

    fn is_beaten(&self, bound: u128) -> bool {
        self.best.as_ref().is_some_and(|best| best.cost <= bound)
    }

    fn offer(&mut self, plan: Plan) {
        if self.best.as_ref().is_none_or(|best| plan.cost < best.cost) {
            self.best = Some(plan);
        }
    }

    /// A plan near the relaxed one: the buffers of the fullest positions are placed again.
    fn complete(&mut self, bound: &Bound) {
        let mut partial = Partial::new(self.problem, self.holdings);
        let sums = bound.prices.sums();
        let mut all = 0..self.problem.buffers.len();
        if all.all(|buffer| partial.place(buffer, Some(&sums)))
            && let Some(plan) = partial.plan()
        {
            self.offer(plan);
        }
    }

    /// What to decide next: of the position with the most excess, or the highest price, the largest buffer; then anything that
    /// is open. `None` if all is decided: then the relaxed plan is exact, and was offered if it keeps the limits.
    fn choose(
        &self,
        bound: &Bound,
        rule: &dyn Fn(usize, usize, usize) -> Option<bool>,
    ) -> Option<(usize, usize, usize)> {
        let mut worst: Option<((i128, u64), usize, u32)> = None;
        for (space, excess) in bound.last.excess.iter().enumerate() {
            for (at, bytes) in excess.iter().enumerate() {
                let key = ((*bytes).max(0), bound.prices.of[space][at]);
                if key > (0, 0) && worst.is_none_or(|worst| key > worst.0) {
                    worst = Some((key, space, at as u32));
                }
            }
        }
        let open = |position: Option<(usize, u32)>| {
            let mut best: Option<(u64, (usize, usize, usize))> = None;
            for (index, buffer) in self.problem.buffers.iter().enumerate() {
                for layer in 0..buffer.layers() {
                    let ranges = buffer.ranges(layer);
                    let is_there = |space: usize| match position {
                        Some((own, at)) => {
                            own == space && ranges.iter().any(|range| range.0 <= at && at < range.1)
                        }
                        None => ranges.iter().any(|range| range.0 < range.1),
                    };
                    for space in 0..self.problem.spaces.len() {
                        let is_limited = self.problem.spaces[space].capacity.is_some();
                        let is_open = is_limited && rule(index, layer, space).is_none();
                        if is_open
                            && is_there(space)
                            && best.is_none_or(|best| buffer.size > best.0)
                        {
                            best = Some((buffer.size, (index, layer, space)));
                        }
                    }
                }
            }
            best.map(|(_, one)| one)
        };
        let there = worst.and_then(|(_, space, at)| open(Some((space, at))));
        there.or_else(|| open(None))
    }
}
