//! Local search over placement orders.
//!
//! A plan is an order in which the items are placed, each at its lowest free offset. While some
//! item ends above the target, a step moves one of them, or an item that supports it, to an earlier
//! position in the order. The items that this displaces are placed again. The move is kept if no
//! more items end above the target than before. After some steps without improvement, the order is
//! perturbed.
//!
//! Only items whose earlier neighbours have moved are placed again, so a step costs what it changes
//! and not the size of the problem.
//!
//! Source: moving blamed elements forward is squeaky-wheel optimization (Joslin and Clements,
//! 1999). Counting the items above a target is the min-conflicts heuristic (Minton et al., 1992).

use super::Plan;
use super::conflicts::Conflicts;
use super::place::{Fit, choose};
use super::random::Random;
use super::steps::Steps;
use crate::timeline::Timeline;

/// Steps without improvement, for each item, after which the order is perturbed.
const PATIENCE: usize = 4;

/// The most items that a perturbation moves.
const MOST_PERTURBED: usize = 64;

/// Numbers copied in one step.
const COPIED: u64 = 32;

/// A placement order with its offsets.
pub struct Search<'a> {
    timeline: &'a Timeline,
    conflicts: &'a Conflicts,
    random: Random,
    /// The items that are not fixed.
    order: Vec<u32>,
    /// The position of each item in the order, from 1; 0 for fixed items.
    position: Vec<u32>,
    offsets: Vec<u64>,
    target: u64,
    /// The items that end above the target.
    above: Vec<u32>,
    /// The index of each item in `above`.
    slot: Vec<u32>,
    /// A bit for each position whose item must be placed again.
    dirty: Vec<u64>,
    /// The changes of the last move: items and their old offsets.
    undo: Vec<(u32, u64)>,
    occupied: Vec<(u64, u64)>,
    candidates: Vec<u32>,
}

/// The slot of an item that is not in `above`.
const ABSENT: u32 = u32::MAX;

impl<'a> Search<'a> {
    /// A search whose random choices follow from `seed`.
    pub fn new(timeline: &'a Timeline, conflicts: &'a Conflicts, seed: u64) -> Self {
        let count = timeline.items.len();
        Search {
            timeline,
            conflicts,
            random: Random::new(seed),
            order: Vec::with_capacity(count),
            position: vec![0; count],
            offsets: vec![0; count],
            target: 0,
            above: Vec::new(),
            slot: vec![ABSENT; count],
            dirty: vec![0; count / 64 + 1],
            undo: Vec::new(),
            occupied: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Starts from `order` and searches for plans better than `best`, until the steps run out or no
    /// item ends above `target`.
    pub fn run(&mut self, order: &[u32], target: u64, best: &mut Plan, steps: &mut Steps) {
        self.target = target;
        self.start(order, steps);
        self.record_best(best);
        let patience = PATIENCE * self.order.len() + 64;
        let (mut fewest, mut idle) = (self.above.len(), 0);
        let mut kept = self.order.clone();
        while !self.above.is_empty() && !steps.spent() {
            self.advance(steps);
            self.record_best(best);
            idle += 1;
            if self.above.len() < fewest {
                (fewest, idle) = (self.above.len(), 0);
                kept.clone_from(&self.order);
                steps.take(self.order.len() as u64 / COPIED);
            } else if idle > patience {
                idle = 0;
                self.perturb(&kept, steps);
            }
        }
    }

    /// Places all items in `order`.
    fn start(&mut self, order: &[u32], steps: &mut Steps) {
        let items = &self.timeline.items;
        self.order.clear();
        self.order.extend(
            order
                .iter()
                .filter(|&&item| items[item as usize].fixed.is_none()),
        );
        self.above.clear();
        self.slot.fill(ABSENT);
        for (position, &item) in (1..).zip(&self.order) {
            self.position[item as usize] = position;
        }
        for item in 0..items.len() as u32 {
            if let Some(offset) = items[item as usize].fixed {
                self.set(item, offset);
            }
        }
        for index in 0..self.order.len() {
            let item = self.order[index];
            let offset = self.lowest(item, steps);
            self.set(item, offset);
        }
    }

    fn end(&self, item: u32) -> u64 {
        self.offsets[item as usize] + self.timeline.items[item as usize].size
    }

    fn is_fixed(&self, item: u32) -> bool {
        self.position[item as usize] == 0
    }

    fn set(&mut self, item: u32, offset: u64) {
        self.offsets[item as usize] = offset;
        let slot = self.slot[item as usize];
        let reserved = self.timeline.items[item as usize].reserved;
        let above = self.end(item) > self.target && !reserved;
        if above && slot == ABSENT {
            self.slot[item as usize] = self.above.len() as u32;
            self.above.push(item);
        } else if !above && slot != ABSENT {
            self.above.swap_remove(slot as usize);
            if let Some(&moved) = self.above.get(slot as usize) {
                self.slot[moved as usize] = slot;
            }
            self.slot[item as usize] = ABSENT;
        }
    }

    /// The lowest offset of `item` given the items before it in the order.
    fn lowest(&mut self, item: u32, steps: &mut Steps) -> u64 {
        let position = self.position[item as usize];
        let others = self.conflicts.of(item);
        steps.take(others.len() as u64 + 4);
        self.occupied.clear();
        for &other in others {
            if self.position[other as usize] < position {
                self.occupied
                    .push((self.offsets[other as usize], self.end(other)));
            }
        }
        self.occupied.sort_unstable();
        let subject = &self.timeline.items[item as usize];
        choose(&self.occupied, subject.size, subject.alignment, Fit::Lowest)
    }

    /// Replaces `best` if the current plan is better.
    fn record_best(&self, best: &mut Plan) {
        let peak = self
            .above
            .iter()
            .map(|&item| self.end(item))
            .max()
            .unwrap_or(self.target);
        if peak < best.peak {
            *best = Plan::new(self.timeline, self.offsets.clone(), "search");
        }
    }

    /// Makes one move, and undoes it if more items end above the target.
    fn advance(&mut self, steps: &mut Steps) {
        steps.take(4);
        let item = self.blame();
        let from = self.position[item as usize];
        if from <= 1 {
            return;
        }
        let to = self.place_before(item, from);
        let before = self.above.len();
        steps.take(u64::from(from - to) / COPIED);
        self.shift(from, to);
        self.undo.clear();
        self.replace(to, from, steps);
        if self.above.len() > before {
            self.shift(to, from);
            while let Some((item, offset)) = self.undo.pop() {
                self.set(item, offset);
            }
        }
    }

    /// Chooses one of the items above the target, or one that supports it.
    fn blame(&mut self) -> u32 {
        let mut item = self.above[self.random.below(self.above.len())];
        while self.random.below(3) == 0 {
            let offset = self.offsets[item as usize];
            self.candidates.clear();
            for &other in self.conflicts.of(item) {
                if self.end(other) <= offset && !self.is_fixed(other) {
                    self.candidates.push(other);
                }
            }
            if self.candidates.is_empty() {
                break;
            }
            item = self.candidates[self.random.below(self.candidates.len())];
        }
        item
    }

    /// Chooses a position before `from`: usually that of an item that conflicts with `item`.
    fn place_before(&mut self, item: u32, from: u32) -> u32 {
        self.candidates.clear();
        for &other in self.conflicts.of(item) {
            if self.position[other as usize] < from && !self.is_fixed(other) {
                self.candidates.push(self.position[other as usize]);
            }
        }
        if self.candidates.is_empty() || self.random.below(4) == 0 {
            1 + self.random.below(from as usize - 1) as u32
        } else {
            self.candidates[self.random.below(self.candidates.len())]
        }
    }

    /// Moves the item at position `from` to position `to`; those between shift by one.
    fn shift(&mut self, from: u32, to: u32) {
        let (low, high) = (from.min(to) as usize, from.max(to) as usize);
        let part = &mut self.order[low - 1..high];
        if to < from {
            part.rotate_right(1);
        } else {
            part.rotate_left(1);
        }
        for (position, &item) in (low as u32..).zip(part.iter()) {
            self.position[item as usize] = position;
        }
    }

    /// Places the item at `to`, which came from `from`, and all items that this displaces.
    fn replace(&mut self, to: u32, from: u32, steps: &mut Steps) {
        let moved = self.order[to as usize - 1];
        self.mark(to);
        for &other in self.conflicts.of(moved) {
            let position = self.position[other as usize];
            if position > to && position <= from {
                self.mark(position);
            }
        }
        let mut word = to as usize / 64;
        while word < self.dirty.len() {
            if self.dirty[word] == 0 {
                word += 1;
                continue;
            }
            let bit = self.dirty[word].trailing_zeros();
            self.dirty[word] &= self.dirty[word] - 1;
            let position = word as u32 * 64 + bit;
            let item = self.order[position as usize - 1];
            let offset = self.lowest(item, steps);
            let old = self.offsets[item as usize];
            if offset != old {
                self.undo.push((item, old));
                self.set(item, offset);
                for &other in self.conflicts.of(item) {
                    if self.position[other as usize] > position {
                        self.mark(self.position[other as usize]);
                    }
                }
            }
        }
    }

    fn mark(&mut self, position: u32) {
        self.dirty[position as usize / 64] |= 1 << (position % 64);
    }

    /// Restores the `kept` order and moves some items to random positions.
    fn perturb(&mut self, kept: &[u32], steps: &mut Steps) {
        let mut order = kept.to_vec();
        for _ in 0..1 + (order.len() / 8).min(MOST_PERTURBED) {
            let from = self.random.below(order.len());
            let to = self.random.below(order.len());
            let item = order.remove(from);
            order.insert(to, item);
        }
        self.start(&order, steps);
    }
}
