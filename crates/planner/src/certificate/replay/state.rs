//! What is known of the buffers at one node, and how going down a tree changes it.

use super::super::meetings::{Lists, meetings};
use super::super::obstacles::{NOWHERE, Places};
use super::{is_free, nodes, presences};
use crate::{Buffer, Node, Problem, Refutation};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What is known of the buffers, by position, at one node.
pub struct State {
    sizes: Vec<u64>,
    places: Places,
    /// For each buffer that a node branches on or a lemma lists, those that are not fixed and live
    /// at once, with itself.
    neighbours: Lists,
    /// For each buffer that a lemma lists, and its twins, the number of their class.
    class: Vec<u32>,
    /// For each class its buffers.
    twins: Vec<Vec<u32>>,
    /// Whether the tree is about the buffer, or it is fixed. What is not present counts nowhere.
    pub present: Vec<bool>,
    /// The least offset of each; [`NOWHERE`] where there is no such plan.
    low: Vec<u64>,
    pub placed: Vec<bool>,
    /// Buffers whose `low` was changed, and what it was, in order.
    pub changes: Vec<(u32, u64)>,
    /// `low`, size and grain of the buffers of a stack.
    stack: Vec<(u64, u64, u64)>,
    /// The grains in a stack that are more than 1.
    coarse: Vec<u64>,
    /// Of what the offset of each is known to be a multiple, in bytes: its alignment, or 1 if it is
    /// fixed.
    grains: Vec<u64>,
    /// The `low` of the buffers of a class.
    lows: Vec<u64>,
}

impl State {
    /// Nothing is present but what is fixed.
    pub fn new(problem: &Problem, refutation: &Refutation) -> Self {
        let count = problem.buffers.len();
        let mut named = vec![false; count];
        for node in nodes(refutation) {
            if let Node::Branch(position) = node {
                named[position as usize] = true;
            }
        }
        // Any buffer may be the twin of one that is listed.
        let with_twins = !refutation.lemmas.is_empty();
        let free = presences(problem, is_free);
        let mut subjects = free.clone();
        subjects.retain(|&(position, _)| named[position as usize] || with_twins);
        let places = Places::new(problem);
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
            neighbours: meetings(count, &subjects, &free),
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

    /// A tree begins, about these buffers: each lies at the offset or higher.
    pub fn assume(&mut self, least: &[(u32, u64)]) {
        for &(position, offset) in least {
            let buffer = position as usize;
            self.present[buffer] = true;
            self.low[buffer] = self.places.least_from(buffer, offset);
        }
    }

    /// The tree has ended; returns what it assumed of each class, ordered.
    pub fn forget(&mut self, least: &[(u32, u64)]) -> Vec<(u32, u64)> {
        for &(position, _) in least {
            self.present[position as usize] = false;
        }
        let class = |&(position, offset): &(u32, u64)| (self.class[position as usize], offset);
        let mut premises: Vec<(u32, u64)> = least.iter().map(class).collect();
        premises.sort_unstable_by_key(|&(class, offset)| (class, Reverse(offset)));
        premises
    }

    /// Whether each premise has a buffer of its own, of its class, that lies so high: the highest
    /// serve the highest.
    pub fn implies(&mut self, premises: &[(u32, u64)]) -> bool {
        premises
            .chunk_by(|a, b| a.0 == b.0)
            .all(|premises| self.implies_of(premises))
    }

    /// The same where all are of one class.
    fn implies_of(&mut self, premises: &[(u32, u64)]) -> bool {
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

    /// Where a buffer ends at the least.
    fn top(&self, buffer: usize) -> u64 {
        self.low[buffer].saturating_add(self.sizes[buffer])
    }

    fn lift(&mut self, buffer: usize, low: u64) {
        if low > self.low[buffer] {
            self.changes.push((buffer as u32, self.low[buffer]));
            self.low[buffer] = low;
        }
    }

    /// `buffer` lies higher than at `low`: on one of its neighbours.
    pub fn raise(&mut self, buffer: usize) {
        let low = self.low[buffer];
        let mut least = NOWHERE;
        for &neighbour in self.neighbours.of(buffer) {
            let neighbour = neighbour as usize;
            if neighbour == buffer || !self.present[neighbour] {
                continue;
            }
            let top = self.top(neighbour);
            if top > low {
                least = least.min(top);
            } else if !self.placed[neighbour] {
                least = least.min(low.saturating_add(1)); // it may lie higher yet
            }
        }
        self.lift(buffer, self.places.least_from(buffer, least));
    }

    /// `buffer` lies at `low`: neighbours that cannot be below are above.
    pub fn place(&mut self, buffer: usize) {
        let (low, top) = (self.low[buffer], self.top(buffer));
        self.placed[buffer] = true;
        for index in 0..self.neighbours.of(buffer).len() {
            let neighbour = self.neighbours.of(buffer)[index] as usize;
            let open = self.present[neighbour] && !self.placed[neighbour];
            if open && self.top(neighbour) > low {
                self.lift(neighbour, self.places.least_from(neighbour, top));
            }
        }
    }

    /// Takes back all changes but the first `keep`.
    pub fn undo(&mut self, keep: usize) {
        for (buffer, low) in self.changes.drain(keep..).rev() {
            self.low[buffer as usize] = low;
        }
    }

    /// Where `crowd`, which is live at one time, ends at the least: stacked in order of `low`, with
    /// the bytes of `taken` left out.
    pub fn stack(&mut self, crowd: &[u32], mut taken: &[(u64, u64)]) -> u64 {
        self.stack.clear();
        self.coarse.clear();
        for &buffer in crowd {
            let buffer = buffer as usize;
            if !self.present[buffer] {
                continue;
            }
            let grain = self.grains[buffer];
            self.stack
                .push((self.low[buffer], self.sizes[buffer], grain));
            if grain > 1 && !self.coarse.contains(&grain) {
                self.coarse.push(grain); // at most 64
            }
        }
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
        let rounded = self.coarse.iter().map(|&grain| self.stack_rounded(grain));
        top.max(rounded.max().unwrap_or(0))
    }

    /// The same for a stack that is in order, by what alignment adds: of those aligned at least so,
    /// each but the topmost takes its size rounded up to `grain`, of which all their offsets are
    /// multiples.
    fn stack_rounded(&self, grain: u64) -> u64 {
        let (mut sum, mut most, mut best) = (0u64, 0, 0);
        for &(low, size, own) in self.stack.iter().rev() {
            if own < grain {
                continue;
            }
            let rounded = size.checked_next_multiple_of(grain).unwrap_or(NOWHERE);
            sum = sum.saturating_add(rounded);
            most = most.max(rounded - size);
            best = best.max(low.saturating_add(sum - most));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cliques::meet;
    use super::super::crowds::Crowds;
    use super::*;
    use crate::Forbidden;
    use proptest::collection::vec;
    use proptest::prelude::{ProptestConfig, Strategy, any, proptest};

    /// A buffer of a few bytes, live for a few points in time, maybe with a hole.
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

    /// Some of the buffers with fixed offsets.
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

    /// Places the buffers in order of their `ranks`, each at the lowest offset that is free.
    fn plan(problem: &Problem, ranks: &[u8]) -> Vec<u64> {
        plan_from(problem, ranks, &vec![0; problem.buffers.len()])
    }

    /// The same, but each at its `least` offset or higher: so none can be moved down to that.
    fn plan_from(problem: &Problem, ranks: &[u8], least: &[u64]) -> Vec<u64> {
        let buffers = &problem.buffers;
        let mut offsets: Vec<Option<u64>> = buffers.iter().map(|it| it.fixed_offset).collect();
        let mut order: Vec<usize> = (0..buffers.len()).collect();
        order.sort_by_key(|&position| ranks[position]);
        for position in order {
            let subject = &buffers[position];
            let allowed = |at| {
                let mut ranges = problem.forbidden.iter();
                ranges.all(|range| !range.holds_some_of(subject, at))
            };
            let clear = |&at: &u64| {
                allowed(at)
                    && buffers.iter().zip(&offsets).all(|(other, offset)| {
                        !meet(&subject.live, &other.live)
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

        /// Whatever is branched on, a plan stays in one of the subtrees, and no leaf says more than
        /// it needs.
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
            let crowds = Crowds::new(&problem, &refutation);
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
                    let (crowd, taken) = crowds.at(time);
                    assert!(state.stack(crowd, taken) <= peak);
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

        /// Whatever is branched on, a tree over some of the buffers says no more than they need where
        /// they lie no lower than it assumes.
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
            let crowds = Crowds::new(&problem, &refutation);
            let mut state = State::new(&problem, &refutation);
            state.assume(&least);
            let open: Vec<usize> = least.iter().map(|&(position, _)| position as usize).collect();
            let mut picks = picks.into_iter();
            assert!(tree(&mut state, &crowds, open, &mut picks) <= peak);
        }
    }

    /// The bound of a tree that branches on what is picked, with all times at each leaf.
    fn tree(
        state: &mut State,
        crowds: &Crowds,
        mut open: Vec<usize>,
        picks: &mut impl Iterator<Item = u8>,
    ) -> u64 {
        let Some(pick) = picks.next().filter(|_| !open.is_empty()) else {
            let mut ends = (0..16).map(|time| {
                let (crowd, taken) = crowds.at(time);
                state.stack(crowd, taken)
            });
            return ends.by_ref().max().unwrap_or(0);
        };
        let index = usize::from(pick) % open.len();
        let (buffer, changes) = (open[index], state.changes.len());
        state.raise(buffer);
        let raised = tree(state, crowds, open.clone(), picks);
        state.undo(changes);
        state.place(buffer);
        open.swap_remove(index);
        let placed = tree(state, crowds, open, picks);
        state.undo(changes);
        state.placed[buffer] = false;
        raised.min(placed)
    }
}
