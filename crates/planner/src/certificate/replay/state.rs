//! The state at one node of a tree, and the effect of a branch on it.

use super::super::cliques::common_divisor;
use super::super::obstacles::{NO_OFFSET, PossibleOffsets};
use super::super::overlaps::{AdjacencyLists, overlaps};
use super::{is_free, nodes, numbered_ranges};
use crate::{Buffer, Node, Problem, Refutation};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The most grains of a stack that are looked at, from which no further divisors follow. Alignments that are powers of
/// two are fewer.
const MOST_GRAINS: usize = 64;

/// The least offsets of the buffers at one node. Buffers are numbered by position.
pub struct State {
    sizes: Vec<u64>,
    places: PossibleOffsets,
    /// For each buffer that a node branches on or a lemma lists: the buffers that conflict with it
    /// and are not fixed, and itself.
    neighbours: AdjacencyLists,
    /// For each buffer that is not fixed the number of its class of twins.
    class: Vec<u32>,
    /// The buffers of each class.
    twins: Vec<Vec<u32>>,
    /// Whether the buffer is in the current tree or fixed. Other buffers are ignored.
    pub present: Vec<bool>,
    /// The least offset of each buffer; [`NO_OFFSET`] if there is no such plan.
    low: Vec<u64>,
    pub placed: Vec<bool>,
    /// The changes of `low` in order: the buffer and its old `low`.
    pub changes: Vec<(u32, u64)>,
    /// `low`, size and grain of the buffers of a stack.
    stack: Vec<(u64, u64, u64)>,
    /// The distinct grains of a stack that are more than 1, and divisors that they have in common.
    coarse: Vec<u64>,
    /// The known divisor of each buffer's offset, in bytes: its alignment, or 1 for a fixed buffer.
    grains: Vec<u64>,
    /// The `low` of the buffers of a class.
    lows: Vec<u64>,
}

impl State {
    /// The state in which only fixed buffers are present.
    pub fn new(problem: &Problem, refutation: &Refutation) -> Self {
        let count = problem.buffers.len();
        let mut named = vec![false; count];
        for node in nodes(refutation) {
            if let Node::Branch(position) = node {
                named[position as usize] = true;
            }
        }
        // Any buffer may be the twin of a listed one.
        let with_twins = !refutation.lemmas.is_empty();
        let free = numbered_ranges(problem, is_free);
        let mut subjects = free.clone();
        subjects.retain(|&(position, _)| named[position as usize] || with_twins);
        let places = PossibleOffsets::new(problem);
        let grain = |buffer: &Buffer| match buffer.fixed_offset {
            Some(_) => 1,
            None => buffer.alignment,
        };
        let mut state = State {
            grains: problem.buffers.iter().map(grain).collect(),
            sizes: problem.buffers.iter().map(|buffer| buffer.size).collect(),
            low: (0..count)
                .map(|buffer| places.least_from(buffer, 0))
                .collect(),
            present: problem.buffers.iter().map(|it| !is_free(it)).collect(),
            neighbours: overlaps(count, &subjects, &free),
            class: vec![u32::MAX; count],
            twins: Vec::new(),
            places,
            placed: vec![false; count],
            changes: Vec::new(),
            stack: Vec::new(),
            coarse: Vec::new(),
            lows: Vec::new(),
        };
        if with_twins {
            state.find_twins(problem);
        }
        state
    }

    fn find_twins(&mut self, problem: &Problem) {
        let mut classes = BTreeMap::new();
        for (position, buffer) in problem.buffers.iter().enumerate() {
            if !is_free(buffer) {
                continue;
            }
            let others = self.neighbours.of(position);
            let gaps = self.places.gaps(position);
            let key = (buffer.size, buffer.alignment, gaps, others);
            let class = *classes.entry(key).or_insert(self.twins.len());
            if class == self.twins.len() {
                self.twins.push(Vec::new());
            }
            self.twins[class].push(position as u32);
            self.class[position] = class as u32;
        }
    }

    /// Begins a tree over these buffers: each lies at its offset or higher.
    pub fn begin_tree(&mut self, least: &[(u32, u64)]) {
        for &(position, offset) in least {
            let buffer = position as usize;
            self.present[buffer] = true;
            self.low[buffer] = self.places.least_from(buffer, offset);
        }
    }

    /// Ends a tree. Returns its premises as classes of twins and least offsets, sorted.
    pub fn end_tree(&mut self, least: &[(u32, u64)]) -> Vec<(u32, u64)> {
        for &(position, _) in least {
            self.present[position as usize] = false;
        }
        let class = |&(position, offset): &(u32, u64)| (self.class[position as usize], offset);
        let mut premises: Vec<(u32, u64)> = least.iter().map(class).collect();
        premises.sort_unstable_by_key(|&(class, offset)| (class, Reverse(offset)));
        premises
    }

    /// Whether each premise has a present buffer of its own, of the same class, whose `low` is high
    /// enough. Greedy: the highest premise takes the highest buffer.
    pub fn implies(&mut self, premises: &[(u32, u64)]) -> bool {
        premises
            .chunk_by(|a, b| a.0 == b.0)
            .all(|premises| self.implies_class(premises))
    }

    /// The same for premises of one class.
    fn implies_class(&mut self, premises: &[(u32, u64)]) -> bool {
        self.lows.clear();
        for &position in &self.twins[premises[0].0 as usize] {
            if self.present[position as usize] {
                self.lows.push(self.low[position as usize]);
            }
        }
        self.lows.sort_unstable_by_key(|&low| Reverse(low));
        let mut pairs = premises.iter().zip(&self.lows);
        premises.len() <= self.lows.len() && pairs.all(|((_, least), low)| low >= least)
    }

    /// The lowest possible end of a buffer.
    fn top(&self, buffer: usize) -> u64 {
        self.low[buffer].saturating_add(self.sizes[buffer])
    }

    fn raise_low(&mut self, buffer: usize, low: u64) {
        if low > self.low[buffer] {
            self.changes.push((buffer as u32, self.low[buffer]));
            self.low[buffer] = low;
        }
    }

    /// Enters the raised subtree: `buffer` lies above `low`, on one of its neighbours.
    pub fn raise(&mut self, buffer: usize) {
        let low = self.low[buffer];
        let mut least = NO_OFFSET;
        for &neighbour in self.neighbours.of(buffer) {
            let neighbour = neighbour as usize;
            if neighbour == buffer || !self.present[neighbour] {
                continue;
            }
            let top = self.top(neighbour);
            if top > low {
                least = least.min(top);
            } else if !self.placed[neighbour] {
                least = least.min(low.saturating_add(1)); // it may lie higher
            }
        }
        self.raise_low(buffer, self.places.least_from(buffer, least));
    }

    /// Enters the placed subtree: `buffer` lies at `low`, and neighbours that cannot be below it
    /// are above it.
    pub fn place(&mut self, buffer: usize) {
        let (low, top) = (self.low[buffer], self.top(buffer));
        self.placed[buffer] = true;
        for index in 0..self.neighbours.of(buffer).len() {
            let neighbour = self.neighbours.of(buffer)[index] as usize;
            let open = self.present[neighbour] && !self.placed[neighbour];
            if open && self.top(neighbour) > low {
                self.raise_low(neighbour, self.places.least_from(neighbour, top));
            }
        }
    }

    /// Undoes all changes except the first `keep`.
    pub fn undo(&mut self, keep: usize) {
        for (buffer, low) in self.changes.drain(keep..).rev() {
            self.low[buffer as usize] = low;
        }
    }

    /// The lowest possible end of `buffers`, which conflict pairwise: stacked in order of
    /// `low`, around the `taken` bytes.
    pub fn stack_end(&mut self, buffers: &[u32], mut taken: &[(u64, u64)]) -> u64 {
        self.stack.clear();
        self.coarse.clear();
        for &buffer in buffers {
            let buffer = buffer as usize;
            if !self.present[buffer] {
                continue;
            }
            let grain = self.grains[buffer];
            self.stack
                .push((self.low[buffer], self.sizes[buffer], grain));
            if grain > 1 && !self.coarse.contains(&grain) {
                self.coarse.push(grain); // few: at most 64 powers of two
            }
        }
        self.add_common_divisors();
        self.stack.sort_unstable();
        let mut top = 0u64;
        for &(low, size, _) in &self.stack {
            top = top.max(low);
            let mut end = top.saturating_add(size);
            while let Some((&(first, after), rest)) = taken.split_first() {
                if first >= end {
                    break;
                }
                if after > top {
                    end = end.saturating_add(after - first.max(top));
                }
                taken = rest;
            }
            top = end;
        }
        let rounded = self
            .coarse
            .iter()
            .map(|&grain| self.rounded_stack_end(grain));
        top.max(rounded.max().unwrap_or(0))
    }

    /// Adds the divisors that grains have in common. Those of powers of two are among them already.
    fn add_common_divisors(&mut self) {
        let mut next = 0;
        while next < self.coarse.len() && self.coarse.len() < MOST_GRAINS {
            for other in 0..next {
                let divisor = common_divisor(self.coarse[next], self.coarse[other]);
                if divisor > 1 && !self.coarse.contains(&divisor) {
                    self.coarse.push(divisor);
                }
            }
            next += 1;
        }
    }

    /// The lowest possible end of the sorted stack by alignment. The offsets of buffers whose grain
    /// `grain` divides are multiples of it. Each of them except the topmost takes its size
    /// rounded up.
    fn rounded_stack_end(&self, grain: u64) -> u64 {
        let (mut sum, mut most, mut best) = (0u64, 0, 0);
        for &(low, size, own) in self.stack.iter().rev() {
            if !own.is_multiple_of(grain) {
                continue;
            }
            let rounded = size.checked_next_multiple_of(grain).unwrap_or(NO_OFFSET);
            sum = sum.saturating_add(rounded);
            most = most.max(rounded - size);
            best = best.max(low.saturating_add(sum - most));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cliques::overlap;
    use super::super::leaf_buffers::LeafBuffers;
    use super::*;
    use crate::Forbidden;
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, Strategy, any, proptest};

    /// A buffer of a few bytes with a short live range, which may have a hole.
    fn buffer() -> impl Strategy<Value = Buffer> {
        let times = (0u64..6, 1u64..4, 0u64..3, 1u64..3);
        (1u64..6, 0u32..8, times).prop_map(|(size, alignment, (start, length, hole, rest))| {
            let end = start + length;
            let mut live = vec![(start, end)];
            if hole > 0 {
                live.push((end + hole, end + hole + rest));
            }
            Buffer::new(0, size, live).aligned(1 << alignment.saturating_sub(5))
        })
    }

    /// Addresses that are forbidden for some time or always.
    fn forbidden() -> impl Strategy<Value = Forbidden> {
        let during = proptest::option::of((0u64..6, 1u64..4));
        (0u64..20, 1u64..5, during).prop_map(|(start, length, during)| {
            let range = Forbidden::new(start, start + length);
            match during {
                Some((time, length)) => range.during(time, time + length),
                None => range,
            }
        })
    }

    /// A problem in which some buffers have fixed offsets.
    fn problem() -> impl Strategy<Value = Problem> {
        let forbidden = vec(forbidden(), 0..3);
        (vec((buffer(), 0u64..24), 1..8), forbidden).prop_map(|(raw, forbidden)| {
            let mut buffers: Vec<Buffer> = Vec::new();
            for (id, (free, fixed)) in (0..).zip(raw) {
                let offset = fixed * free.alignment;
                buffers.push(Buffer { id, ..free });
                let last = buffers.len() - 1;
                if fixed < 8 {
                    buffers[last].fixed_offset = Some(offset);
                    if Problem::new(buffers.clone()).is_err() {
                        buffers[last].fixed_offset = None;
                    }
                }
            }
            let mut problem = Problem::new(buffers).expect("a valid problem");
            for range in forbidden {
                problem.forbidden.push(range);
                if problem.check().is_err() {
                    problem.forbidden.pop();
                }
            }
            problem
        })
    }

    /// Places the buffers in order of `ranks`, each at the lowest free offset.
    fn plan(problem: &Problem, ranks: &[u8]) -> Vec<u64> {
        plan_from(problem, ranks, &vec![0; problem.buffers.len()])
    }

    /// The same with each buffer at its `least` offset or higher, so that none can move down to it.
    fn plan_from(problem: &Problem, ranks: &[u8], least: &[u64]) -> Vec<u64> {
        let buffers = &problem.buffers;
        let mut offsets: Vec<Option<u64>> = buffers.iter().map(|it| it.fixed_offset).collect();
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.sort_by_key(|&position| ranks[position]);
        for position in order {
            let subject = &buffers[position];
            let allowed = |at| {
                let mut ranges = problem.forbidden.iter();
                ranges.all(|range| !range.overlaps(subject, at))
            };
            let clear = |&at: &u64| {
                allowed(at)
                    && buffers.iter().zip(&offsets).all(|(other, offset)| {
                        !overlap(&subject.live, &other.live)
                            || offset.is_none_or(|o| at + subject.size <= o || o + other.size <= at)
                    })
            };
            let aligned = (0..).map(|index| index * subject.alignment);
            let mut aligned = aligned.skip_while(|&at| at < least[position]);
            offsets[position] = offsets[position].or_else(|| aligned.find(clear));
        }
        offsets.into_iter().map(Option::unwrap_or_default).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        /// For any sequence of branches, a plan stays in one of the subtrees, and no leaf states
        /// more than the plan needs.
        #[test]
        fn no_plan_gets_lost(
            problem in problem(),
            ranks in vec(any::<u8>(), 8),
            picks in vec(any::<u8>(), 1..60),
        ) {
            let plan = plan(&problem, &ranks);
            let peak = crate::Solution::new(&problem, plan.clone()).peak;
            let times: Vec<u64> = (0..16).collect();
            let leaves = (0..16).map(Node::Leaf);
            let count = problem.buffers.len();
            let branches = (0..count as u32).map(Node::Branch);
            let nodes = leaves.chain(branches).collect();
            let refutation = Refutation { times, nodes, ..Refutation::default() };
            let leaf_buffers = LeafBuffers::new(&problem, &refutation);
            let mut state = State::new(&problem, &refutation);
            state.present.fill(true);
            let mut open: Vec<usize> =
                (0..count).filter(|&position| is_free(&problem.buffers[position])).collect();
            for pick in picks {
                for (position, &offset) in plan.iter().enumerate() {
                    let low = state.low[position];
                    assert!(low == offset || low < offset && !state.placed[position]);
                }
                for time in 0..refutation.times.len() {
                    let (buffers, taken) = leaf_buffers.at_time(time);
                    assert!(state.stack_end(buffers, taken) <= peak);
                }
                if open.is_empty() {
                    break;
                }
                let index = usize::from(pick) % open.len();
                let position = open[index];
                if plan[position] > state.low[position] {
                    state.raise(position);
                } else {
                    state.place(position);
                    open.swap_remove(index);
                }
            }
        }

        /// For any sequence of branches, a tree over some of the buffers states no more than they
        /// need if they lie no lower than its premises.
        #[test]
        fn a_lemma_holds_wherever_its_buffers_lie(
            problem in problem(),
            ranks in vec(any::<u8>(), 8),
            floors in vec(0u64..12, 8),
            less in vec(0u64..4, 8),
            listed in vec(any::<bool>(), 8),
            picks in vec(any::<u8>(), 1..40),
        ) {
            let plan = plan_from(&problem, &ranks, &floors);
            let count = problem.buffers.len();
            let is_listed = |position: usize| listed[position] && is_free(&problem.buffers[position]);
            let least: Vec<(u32, u64)> = (0..count)
                .filter(|&position| is_listed(position))
                .map(|position| (position as u32, plan[position].saturating_sub(less[position])))
                .collect();
            let counts = |position: usize| is_listed(position) || !is_free(&problem.buffers[position]);
            let ends = (0..count).filter(|&it| counts(it)).map(|it| plan[it] + problem.buffers[it].size);
            let peak = ends.max().unwrap_or(0);
            let times: Vec<u64> = (0..16).collect();
            let leaves = (0..16).map(Node::Leaf);
            let branches = (0..count as u32).map(Node::Branch);
            let nodes = leaves.chain(branches).collect();
            let refutation = Refutation { times, nodes, ..Refutation::default() };
            let leaf_buffers = LeafBuffers::new(&problem, &refutation);
            let mut state = State::new(&problem, &refutation);
            state.begin_tree(&least);
            let open: Vec<usize> = least.iter().map(|&(position, _)| position as usize).collect();
            let mut picks = picks.into_iter();
            assert!(tree(&mut state, &leaf_buffers, open, &mut picks) <= peak);
        }
    }

    /// The bound of a tree with the branches `picks` and with all times at each leaf.
    fn tree(
        state: &mut State,
        leaf_buffers: &LeafBuffers,
        mut open: Vec<usize>,
        picks: &mut impl Iterator<Item = u8>,
    ) -> u64 {
        let Some(pick) = picks.next().filter(|_| !open.is_empty()) else {
            let mut ends = (0..16).map(|time| {
                let (buffers, taken) = leaf_buffers.at_time(time);
                state.stack_end(buffers, taken)
            });
            return ends.by_ref().max().unwrap_or(0);
        };
        let index = usize::from(pick) % open.len();
        let (buffer, changes) = (open[index], state.changes.len());
        state.raise(buffer);
        let raised = tree(state, leaf_buffers, open.clone(), picks);
        state.undo(changes);
        state.place(buffer);
        open.swap_remove(index);
        let placed = tree(state, leaf_buffers, open, picks);
        state.undo(changes);
        state.placed[buffer] = false;
        raised.min(placed)
    }
}
