//! Places buffers one after another, each by its cheapest sequence within what is left of the spaces.

use crate::{
    bound::{Prices, price},
    loads::Load,
    plan::{Holding, Plan, Sequence},
    problem::{Buffer, Problem},
    sequence::cheapest,
};

/// A plan that is made or changed: buffers may be missing.
pub struct Partial<'p> {
    problem: &'p Problem,
    holdings: &'p [Holding],
    /// For each limited space, the bytes in use.
    loads: Vec<Option<Load>>,
    pub sequences: Vec<Option<Sequence>>,
    pub costs: Vec<u128>,
}

impl<'p> Partial<'p> {
    /// Nothing but fixed bytes.
    pub fn new(problem: &'p Problem, holdings: &'p [Holding]) -> Self {
        let spaces = problem.spaces.iter();
        let mut loads: Vec<Option<Load>> = spaces
            .map(|space| space.capacity.map(|_| Load::new(problem.positions)))
            .collect();
        for fixed in &problem.fixed {
            if let Some(load) = &mut loads[fixed.space] {
                load.add(fixed.range, fixed.bytes);
            }
        }
        Self {
            problem,
            holdings,
            loads,
            sequences: vec![None; problem.buffers.len()],
            costs: vec![0; problem.buffers.len()],
        }
    }

    /// The same with the buffers of a plan.
    pub fn of(problem: &'p Problem, holdings: &'p [Holding], plan: &Plan) -> Self {
        let mut partial = Self::new(problem, holdings);
        for (index, sequence) in plan.sequences.iter().enumerate() {
            let cost = sequence.cost(problem, &problem.buffers[index]);
            partial.put(index, sequence.clone(), cost.unwrap_or(0));
        }
        partial
    }

    /// What all placed buffers cost.
    pub fn cost(&self) -> u128 {
        self.costs.iter().sum()
    }

    /// The plan, if no buffer is missing.
    pub fn plan(&self) -> Option<Plan> {
        let sequences: Option<Vec<Sequence>> = self.sequences.iter().cloned().collect();
        Some(Plan {
            sequences: sequences?,
            cost: self.cost(),
        })
    }

    fn has_room(&self, buffer: &Buffer, layer: usize, space: usize) -> bool {
        let (Some(load), Some(capacity)) =
            (&self.loads[space], self.problem.spaces[space].capacity)
        else {
            return true;
        };
        let Some(most) = capacity.checked_sub(buffer.size) else {
            return buffer.ranges(layer).iter().all(|range| range.0 >= range.1);
        };
        let mut ranges = buffer.ranges(layer).iter();
        ranges.all(|range| load.most(*range) <= most)
    }

    /// Places a buffer; false if nothing is left for it. With prices, it avoids what others need more.
    pub fn place(&mut self, index: usize, sums: Option<&[Vec<u128>]>) -> bool {
        let buffer = &self.problem.buffers[index];
        let found = cheapest(
            self.problem,
            buffer,
            self.holdings,
            |_, _| true,
            |layer, space| {
                let is_free = self.has_room(buffer, layer, space);
                let price = sums.map_or(0, |sums| price(sums, buffer, layer, space));
                is_free.then_some(price)
            },
        );
        let Some((_, sequence)) = found else {
            return false;
        };
        let cost = sequence.cost(self.problem, buffer);
        self.put(index, sequence, cost.unwrap_or(0));
        true
    }

    /// Places a buffer like this.
    pub fn put(&mut self, index: usize, sequence: Sequence, cost: u128) {
        self.change(index, &sequence, Load::add);
        self.sequences[index] = Some(sequence);
        self.costs[index] = cost;
    }

    /// Takes a buffer out.
    pub fn take(&mut self, index: usize) -> Option<Sequence> {
        let sequence = self.sequences[index].take()?;
        self.change(index, &sequence, Load::remove);
        self.costs[index] = 0;
        Some(sequence)
    }

    fn change(
        &mut self,
        index: usize,
        sequence: &Sequence,
        change: fn(&mut Load, (u32, u32), u64),
    ) {
        let buffer = &self.problem.buffers[index];
        for (layer, holding) in sequence.holdings.iter().enumerate() {
            for space in holding.iter() {
                if let Some(load) = &mut self.loads[space] {
                    for range in buffer.ranges(layer) {
                        change(load, *range, buffer.size);
                    }
                }
            }
        }
    }
}

/// Most orders that are tried until one has room for all.
const MOST_ORDERS: usize = 32;

/// Places all buffers, those first that lose most for each byte elsewhere. A buffer for which nothing is left goes first in
/// the next attempt.
pub fn insert(problem: &Problem, holdings: &[Holding], prices: &Prices) -> Option<Plan> {
    let sums = prices.sums();
    let mut best: Option<Plan> = None;
    for guided in [true, false] {
        let sums = guided.then_some(&*sums);
        let mut order = by_loss(problem, holdings);
        for _ in 0..MOST_ORDERS {
            let mut partial = Partial::new(problem, holdings);
            let missing = order.iter().position(|index| !partial.place(*index, sums));
            let Some(missing) = missing else {
                let plan = partial.plan();
                let is_better =
                    |plan: &Plan| best.as_ref().is_none_or(|best| plan.cost < best.cost);
                best = plan.filter(is_better).or(best);
                break;
            };
            let index = order.remove(missing);
            order.insert(0, index);
        }
    }
    best
}

/// The buffers, those first whose bytes cost most more in the most expensive spaces than in the cheapest ones.
fn by_loss(problem: &Problem, holdings: &[Holding]) -> Vec<usize> {
    let key = |buffer: &Buffer| {
        let whole = |space: usize| {
            let touches = 0..buffer.touches.len();
            let costs = touches.map(|touch| buffer.touch_cost(touch, &problem.spaces[space]));
            costs.sum::<u128>()
        };
        let most = (0..problem.spaces.len()).map(whole).max().unwrap_or(0);
        let least = cheapest(problem, buffer, holdings, |_, _| true, |_, _| Some(0));
        let loss = most.saturating_sub(least.map_or(0, |(cost, _)| cost));
        // For each byte and position, in fractions that order well.
        let ranges = (0..buffer.layers()).flat_map(|layer| buffer.ranges(layer));
        let time: u64 = ranges.map(|range| u64::from(range.1 - range.0)).sum();
        let bytes = u128::from(buffer.size.max(1)) * u128::from(time.max(1));
        (loss << 20) / bytes
    };
    let keys: Vec<u128> = problem.buffers.iter().map(key).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|index| (std::cmp::Reverse(keys[*index]), *index));
    order
}
