//! Beam search over time: places the items in program order within a given height and keeps the
//! most promising states.
//!
//! An item goes to the bottom or to the top of a free gap. Placed items matter later only through
//! the *frontier*: the items that conflict with one that is not placed yet. Two placements with the
//! same offsets of the frontier are one state. In a network few buffers are live at once, so a
//! small beam comes close to dynamic programming over all plans of this kind. If there are more
//! states than the beam holds, it keeps those whose free bytes are the least fragmented.
//!
//! Source: the frontier as the state is that of dynamic programming over a path decomposition.
//! Placing at either end of a gap is from the bottom-left-top-right placements of strip packing.

use super::conflicts::Conflicts;
use super::steps::Steps;
use super::{Plan, align_down, align_up};
use crate::timeline::Timeline;

/// The width of a beam that takes about `steps`.
pub fn affordable(timeline: &Timeline, conflicts: &Conflicts, steps: u64) -> u64 {
    // Each state looks at the conflicts of the item, and each of its few candidates at the
    // frontier.
    steps / (10 * timeline.items.len() as u64 + 3 * conflicts.count()).max(1)
}

/// Looks for a plan of at most `height` bytes, with `width` states, and places in `order`.
///
/// `None` if no state is left or the steps run out.
pub fn plan(
    timeline: &Timeline,
    conflicts: &Conflicts,
    order: &[u32],
    height: u64,
    width: usize,
    steps: &mut Steps,
) -> Option<Plan> {
    let mut beam = Beam::new(timeline, conflicts, order, height);
    for rank in 0..beam.order.len() {
        if steps.spent() {
            return None;
        }
        beam.expand(rank, steps);
        beam.choose(rank, width, steps);
        if beam.states.is_empty() {
            return None;
        }
    }
    Some(Plan::new(timeline, beam.offsets(), "beam"))
}

/// A link of the chain of a state's offsets: the offset of its last item, and the link of the state
/// before.
#[derive(Clone, Copy)]
struct Link {
    before: u32,
    offset: u64,
}

/// A state that may enter the beam.
#[derive(Clone, Copy)]
struct Candidate {
    /// The index of the state that it extends.
    from: u32,
    offset: u64,
    /// Higher is better.
    score: u128,
    hash: u64,
}

struct Beam<'a> {
    timeline: &'a Timeline,
    conflicts: &'a Conflicts,
    order: Vec<u32>,
    height: u64,
    /// The rank of each item in the order.
    rank: Vec<u32>,
    /// The last rank at which each item is in the frontier.
    until: Vec<u32>,
    /// The slot of each item's offset in a state.
    slot: Vec<u32>,
    slots: usize,
    /// The items of the frontier.
    frontier: Vec<u32>,
    /// Offsets of the frontier, `slots` for each state.
    states: Vec<u64>,
    next: Vec<u64>,
    /// The last link of each state.
    ends: Vec<u32>,
    links: Vec<Link>,
    candidates: Vec<Candidate>,
    occupied: Vec<(u64, u64)>,
}

/// The rank of items that are not in the order.
const FIXED: u32 = u32::MAX;

impl<'a> Beam<'a> {
    fn new(timeline: &'a Timeline, conflicts: &'a Conflicts, order: &[u32], height: u64) -> Self {
        let count = timeline.items.len();
        let free = order
            .iter()
            .copied()
            .filter(|&item| timeline.items[item as usize].fixed.is_none());
        let mut beam = Beam {
            timeline,
            conflicts,
            order: free.collect(),
            height,
            rank: vec![FIXED; count],
            until: vec![0; count],
            slot: vec![0; count],
            slots: 0,
            frontier: Vec::new(),
            states: Vec::new(),
            next: Vec::new(),
            ends: vec![0],
            links: vec![Link {
                before: 0,
                offset: 0,
            }],
            candidates: Vec::new(),
            occupied: Vec::new(),
        };
        for (rank, &item) in (0..).zip(&beam.order) {
            beam.rank[item as usize] = rank;
        }
        beam.assign_slots();
        beam.states = vec![0; beam.slots];
        beam
    }

    /// Gives each item a slot that no other item uses while it is in the frontier.
    fn assign_slots(&mut self) {
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); self.order.len()];
        let mut unused = Vec::new();
        for rank in 0..self.order.len() {
            let item = self.order[rank];
            let ranks = self
                .conflicts
                .of(item)
                .iter()
                .map(|&other| self.rank[other as usize]);
            let until = ranks
                .filter(|&rank| rank != FIXED)
                .max()
                .unwrap_or(0)
                .max(rank as u32);
            self.until[item as usize] = until;
            self.slot[item as usize] = unused.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots as u32 - 1
            });
            leaving[until as usize].push(item);
            unused.extend(leaving[rank].iter().map(|&item| self.slot[item as usize]));
        }
        self.slots = self.slots.max(1);
    }

    /// Collects the candidates: all placements of the item of this rank in all states.
    fn expand(&mut self, rank: usize, steps: &mut Steps) {
        self.candidates.clear();
        let item = self.order[rank];
        let subject = &self.timeline.items[item as usize];
        for (from, state) in (0u32..).zip(self.states.chunks_exact(self.slots)) {
            self.occupied.clear();
            for &other in self.conflicts.of(item) {
                let neighbour = &self.timeline.items[other as usize];
                let offset = match neighbour.fixed {
                    Some(offset) => offset,
                    None if self.rank[other as usize] < rank as u32 => {
                        state[self.slot[other as usize] as usize]
                    }
                    None => continue,
                };
                self.occupied.push((offset, offset + neighbour.size));
            }
            steps.take(self.conflicts.of(item).len() as u64 + 4);
            self.occupied.sort_unstable();
            let mut top = 0;
            for &(start, end) in self.occupied.iter().chain([&(self.height, self.height)]) {
                let low = align_up(top, subject.alignment);
                if low + subject.size <= start.min(self.height) {
                    let high = align_down(start.min(self.height) - subject.size, subject.alignment);
                    let candidate = Candidate {
                        from,
                        offset: low,
                        score: 0,
                        hash: 0,
                    };
                    self.candidates.push(candidate);
                    if high > low && rank > 0 {
                        self.candidates.push(Candidate {
                            offset: high,
                            ..candidate
                        });
                    }
                }
                top = top.max(end);
            }
        }
    }

    /// Makes the best `width` candidates the new states.
    fn choose(&mut self, rank: usize, width: usize, steps: &mut Steps) {
        let item = self.order[rank];
        self.frontier.push(item);
        let until = &self.until;
        self.frontier
            .retain(|&item| until[item as usize] > rank as u32);
        let mut candidates = std::mem::take(&mut self.candidates);
        let crowded = candidates.len() > width;
        for candidate in &mut candidates {
            self.rate(candidate, item, crowded);
            steps.take(self.frontier.len() as u64 + 1);
        }
        candidates.sort_unstable_by_key(|c| (c.hash, c.from, c.offset));
        candidates.dedup_by_key(|c| c.hash);
        if candidates.len() > width {
            candidates.sort_unstable_by_key(|c| (std::cmp::Reverse(c.score), c.hash));
            candidates.truncate(width);
        }
        self.next.clear();
        let mut ends = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            let from = candidate.from as usize * self.slots;
            let start = self.next.len();
            self.next
                .extend_from_slice(&self.states[from..from + self.slots]);
            self.next[start + self.slot[item as usize] as usize] = candidate.offset;
            ends.push(self.links.len() as u32);
            self.links.push(Link {
                before: self.ends[candidate.from as usize],
                offset: candidate.offset,
            });
        }
        self.ends = ends;
        std::mem::swap(&mut self.states, &mut self.next);
        self.candidates = candidates;
    }

    /// Computes the hash of the candidate's frontier and, if `score` is set, the score of its free
    /// bytes.
    fn rate(&mut self, candidate: &mut Candidate, item: u32, score: bool) {
        let state = &self.states[candidate.from as usize * self.slots..][..self.slots];
        self.occupied.clear();
        let mut hash = 0u64;
        for &other in &self.frontier {
            let offset = if other == item {
                candidate.offset
            } else {
                state[self.slot[other as usize] as usize]
            };
            hash = (hash.rotate_left(5) ^ offset).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.occupied
                .push((offset, offset + self.timeline.items[other as usize].size));
        }
        candidate.hash = hash ^ (hash >> 32);
        if score {
            self.occupied.sort_unstable();
            let mut top = 0;
            for &(start, end) in self.occupied.iter().chain([&(self.height, self.height)]) {
                let gap = u128::from(start.saturating_sub(top));
                candidate.score += gap * gap;
                top = top.max(end);
            }
        }
    }

    /// The offsets of the first state.
    fn offsets(&self) -> Vec<u64> {
        let mut offsets: Vec<u64> = self
            .timeline
            .items
            .iter()
            .map(|item| item.fixed.unwrap_or(0))
            .collect();
        let mut link = self.ends[0];
        for &item in self.order.iter().rev() {
            let Link { before, offset } = self.links[link as usize];
            offsets[item as usize] = offset;
            link = before;
        }
        offsets
    }
}
