//! A plan: where each buffer is at each touch, and in each gap.

use crate::problem::{Buffer, Problem, SpaceSet};

/// The spaces that hold a buffer during a touch or a gap. At a touch, the operation uses the one that costs least; more than
/// one holds the same contents.
pub type Holding = SpaceSet;

/// Where a buffer is, layer by layer: its first touch, the gap after it, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// One for each layer.
    pub holdings: Vec<Holding>,
}

/// Where all buffers are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One for each buffer.
    pub sequences: Vec<Sequence>,
    /// What all touches and copies cost.
    pub cost: u128,
}

/// The space that a touch uses, of those that hold the buffer: the cheapest one that it accepts.
#[must_use]
pub fn used(problem: &Problem, buffer: &Buffer, touch: usize, holding: Holding) -> Option<usize> {
    let accepted = buffer.touches[touch].spaces;
    let spaces = holding.iter().filter(|space| accepted.has(*space));
    spaces.min_by_key(|space| (buffer.touch_cost(touch, &problem.spaces[*space]), *space))
}

/// What getting from one layer to the next one costs: copies to the spaces that are new. `None` if that is impossible.
#[must_use]
pub fn step_cost(
    problem: &Problem,
    buffer: &Buffer,
    layer: usize,
    (from, to): (Holding, Holding),
) -> Option<u128> {
    let new = to.without(from);
    if new.is_empty() {
        return Some(0);
    }
    if from.is_empty() {
        // Only a gap holds nothing.
        let gap = &buffer.gaps[layer / 2];
        let mut spaces = to.iter();
        let (Some(space), None) = (spaces.next(), spaces.next()) else {
            return None;
        };
        return match (gap.is_dead, gap.again) {
            (true, _) => Some(0),
            (false, again) => again.map(|again| again.cost_in(&problem.spaces[space])),
        };
    }
    let cost = |to: usize| {
        let sources = from.iter();
        let costs =
            sources.map(|source| buffer.copy_cost(&problem.spaces[source], &problem.spaces[to]));
        // Where bytes cost nothing, staying still beats copying.
        costs.min().unwrap_or(0).max(1)
    };
    Some(new.iter().map(cost).sum())
}

/// Whether a layer may hold a buffer so, by itself.
#[must_use]
pub fn is_possible(problem: &Problem, buffer: &Buffer, layer: usize, holding: Holding) -> bool {
    if layer % 2 == 1 {
        let gap = &buffer.gaps[layer / 2];
        return match holding.is_empty() {
            true => gap.is_dead || gap.again.is_some(),
            false => holding.len() <= 2 && holding.without(gap.spaces).is_empty(),
        };
    }
    let touch = &buffer.touches[layer / 2];
    // Other copies are stale after a write. Nothing was copied before the first touch.
    let most = if touch.writes > 0 || layer == 0 { 1 } else { 2 };
    (1..=most).contains(&holding.len()) && used(problem, buffer, layer / 2, holding).is_some()
}

impl Sequence {
    /// What the touches and copies of the buffer cost; `None` if it is not a sequence of this buffer.
    #[must_use]
    pub fn cost(&self, problem: &Problem, buffer: &Buffer) -> Option<u128> {
        if self.holdings.len() != buffer.layers() {
            return None;
        }
        let mut total: u128 = 0;
        for (layer, holding) in self.holdings.iter().enumerate() {
            if !is_possible(problem, buffer, layer, *holding) {
                return None;
            }
            if layer % 2 == 0 {
                let space = used(problem, buffer, layer / 2, *holding)?;
                total += buffer.touch_cost(layer / 2, &problem.spaces[space]);
            }
            if layer > 0 {
                let pair = (self.holdings[layer - 1], *holding);
                total += step_cost(problem, buffer, layer - 1, pair)?;
            }
        }
        Some(total)
    }
}

impl Plan {
    /// The bytes that uses and copies read and write in a space. Contents that are computed again do not count.
    #[must_use]
    pub fn traffic(&self, problem: &Problem, space: usize) -> u128 {
        // With that space alone having a cost, the cost is the bytes.
        let mut counted = problem.clone();
        for (index, one) in counted.spaces.iter_mut().enumerate() {
            let cost = u64::from(index == space);
            (one.read, one.write) = (cost, cost);
        }
        let pairs = self.sequences.iter().zip(&problem.buffers);
        let all = pairs.map(|(sequence, buffer)| sequence.bytes_in(problem, &counted, buffer));
        all.sum()
    }

    /// The bytes that copies move.
    #[must_use]
    pub fn copied(&self, problem: &Problem) -> u128 {
        let pairs = self.sequences.iter().zip(&problem.buffers);
        let all = pairs.map(|(sequence, buffer)| {
            let copies = sequence.copies(problem, buffer).count() as u128;
            copies * u128::from(buffer.copied)
        });
        all.sum()
    }
}

impl Sequence {
    /// What the sequence would cost at other costs, where uses and copies stay as they are.
    fn bytes_in(&self, problem: &Problem, counted: &Problem, buffer: &Buffer) -> u128 {
        let mut total = 0;
        for (layer, holding) in self.holdings.iter().enumerate() {
            if layer % 2 == 0
                && let Some(space) = used(problem, buffer, layer / 2, *holding)
            {
                total += buffer.touch_cost(layer / 2, &counted.spaces[space]);
            }
        }
        let copies = self.copies(problem, buffer);
        let copies =
            copies.map(|(from, to)| buffer.copy_cost(&counted.spaces[from], &counted.spaces[to]));
        total + copies.sum::<u128>()
    }

    /// The spaces of each copy: from, and to.
    fn copies(&self, problem: &Problem, buffer: &Buffer) -> impl Iterator<Item = (usize, usize)> {
        let cost =
            |from: usize, to: usize| buffer.copy_cost(&problem.spaces[from], &problem.spaces[to]);
        self.holdings.windows(2).flat_map(move |pair| {
            let new = pair[1].without(pair[0]);
            new.iter().filter_map(move |to| {
                let from = pair[0].iter().min_by_key(|from| (cost(*from, to), *from));
                from.map(|from| (from, to))
            })
        })
    }
}
