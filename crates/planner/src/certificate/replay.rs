//! The bound of a tree: a walk over its nodes that keeps one state and undoes what it leaves.

use super::check::CertificateError;
use super::meetings::{Lists, Presence, meetings};
use super::obstacles::{NOWHERE, Places};
use crate::{Buffer, Forbidden, LiveRange, Node, Problem, Refutation};

/// The bound in bytes that `refutation` proves for `problem`, which has been checked.
pub fn bound(problem: &Problem, refutation: &Refutation) -> Result<u64, CertificateError> {
    check_names(problem, refutation)?;
    let nodes = &refutation.nodes;
    let mut state = State::new(problem, nodes);
    let crowds = crowds(problem, &refutation.times, nodes);
    let taken = taken(problem, &refutation.times);
    let mut open: Vec<Open> = Vec::new();
    let mut bound = NOWHERE;
    for (index, &node) in nodes.iter().enumerate() {
        match node {
            Node::Branch(position) => {
                if state.placed[position as usize] {
                    let node = index;
                    return Err(CertificateError::Placed { node, position });
                }
                open.push(Open {
                    buffer: position,
                    changes: state.changes.len(),
                });
                state.raise(position as usize);
            }
            Node::Leaf(time) => {
                let taken = taken.get(time as usize).map_or(&[][..], Vec::as_slice);
                bound = bound.min(state.stack(crowds.of(time as usize), taken));
                if !next_subtree(&mut state, &mut open) {
                    return match index + 1 {
                        end if end < nodes.len() => Err(CertificateError::Trailing { node: end }),
                        _ => Ok(bound),
                    };
                }
            }
        }
    }
    let nodes = nodes.len();
    Err(CertificateError::Truncated { nodes })
}

/// A branch whose subtrees are not all done; whether it is at the second is whether its buffer is
/// placed.
struct Open {
    buffer: u32,
    /// How many changes had been made before.
    changes: usize,
}

/// Goes to the second subtree of the last branch that has not been there; false at the tree's end.
fn next_subtree(state: &mut State, open: &mut Vec<Open>) -> bool {
    while let Some(branch) = open.last() {
        let buffer = branch.buffer as usize;
        state.undo(branch.changes);
        if !state.placed[buffer] {
            state.place(buffer);
            return true;
        }
        state.placed[buffer] = false;
        open.pop();
    }
    false
}

/// Whether the buffer is neither fixed nor aside of all others.
fn is_free(buffer: &Buffer) -> bool {
    buffer.is_active() && buffer.fixed_offset.is_none()
}

/// Every node names a buffer that can be placed, or a time that is listed.
fn check_names(problem: &Problem, refutation: &Refutation) -> Result<(), CertificateError> {
    let times = refutation.times.len();
    for (index, &name) in refutation.nodes.iter().enumerate() {
        let node = index;
        match name {
            Node::Branch(position) => {
                if !problem.buffers.get(position as usize).is_some_and(is_free) {
                    return Err(CertificateError::NothingToPlace { node, position });
                }
            }
            Node::Leaf(time) => {
                if time as usize >= times {
                    return Err(CertificateError::UnknownTime { node, time, times });
                }
            }
        }
    }
    Ok(())
}

/// For each listed time that a leaf names the buffers that are live then.
///
/// As large as all these together; a proof names few times, each for many leaves.
fn crowds(problem: &Problem, times: &[u64], nodes: &[Node]) -> Lists {
    let mut named = vec![false; times.len()];
    for node in nodes {
        if let &Node::Leaf(time) = node {
            named[time as usize] = true;
        }
    }
    let points: Vec<[LiveRange; 1]> = times
        .iter()
        .map(|&time| [LiveRange::from((time, time.saturating_add(1)))])
        .collect();
    let subjects: Vec<Presence> = (0u32..)
        .zip(&points)
        .filter(|&(time, point)| named[time as usize] && point[0].start < point[0].end)
        .map(|(time, point)| (time, point.as_slice()))
        .collect();
    meetings(
        times.len(),
        &subjects,
        &presences(problem, Buffer::is_active),
    )
}

/// The buffers that `keep` keeps, by position.
fn presences(problem: &Problem, keep: impl Fn(&Buffer) -> bool) -> Vec<Presence<'_>> {
    (0u32..)
        .zip(&problem.buffers)
        .filter(|(_, buffer)| keep(buffer))
        .map(|(position, buffer)| (position, buffer.live.as_slice()))
        .collect()
}

fn in_force(range: &Forbidden, time: u64) -> bool {
    let during = range.time();
    during.start <= time && time < during.end
}

/// For each listed time the bytes that are forbidden then, as ranges that share none, in order;
/// empty where nothing is forbidden at any time. Forbidden ranges are few.
fn taken(problem: &Problem, times: &[u64]) -> Vec<Vec<(u64, u64)>> {
    let mut ranges = problem.forbidden.clone();
    ranges.sort_unstable();
    if ranges.is_empty() {
        return Vec::new();
    }
    let at = |time: u64| {
        let mut taken: Vec<(u64, u64)> = Vec::new();
        for range in ranges.iter().filter(|range| in_force(range, time)) {
            match taken.last_mut() {
                Some((_, end)) if range.start <= *end => *end = range.end.max(*end),
                _ => taken.push((range.start, range.end)),
            }
        }
        taken
    };
    times.iter().map(|&time| at(time)).collect()
}

/// What is known of the buffers, by position, at one node.
struct State {
    sizes: Vec<u64>,
    places: Places,
    /// For each buffer that a node branches on, the others that are not fixed and live at once.
    neighbours: Lists,
    /// The least offset of each; [`NOWHERE`] where there is no such plan.
    low: Vec<u64>,
    placed: Vec<bool>,
    /// Buffers whose `low` was changed, and what it was, in order.
    changes: Vec<(u32, u64)>,
    /// `low` and size of the buffers of a stack.
    stack: Vec<(u64, u64)>,
    /// Of what the offset of each is known to be a multiple, in bytes: its alignment, or 1 if it is
    /// fixed.
    grains: Vec<u64>,
}

impl State {
    fn new(problem: &Problem, nodes: &[Node]) -> Self {
        let count = problem.buffers.len();
        let mut branched = vec![false; count];
        for node in nodes {
            if let &Node::Branch(position) = node {
                branched[position as usize] = true;
            }
        }
        let free = presences(problem, is_free);
        let mut subjects = free.clone();
        subjects.retain(|&(position, _)| branched[position as usize]);
        let places = Places::new(problem);
        let grain = |buffer: &Buffer| match buffer.fixed_offset {
            Some(_) => 1,
            None => buffer.alignment,
        };
        State {
            grains: problem.buffers.iter().map(grain).collect(),
            sizes: problem.buffers.iter().map(|buffer| buffer.size).collect(),
            low: (0..count)
                .map(|buffer| places.least_from(buffer, 0))
                .collect(),
            neighbours: meetings(count, &subjects, &free),
            places,
            placed: vec![false; count],
            changes: Vec::new(),
            stack: Vec::new(),
        }
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
    fn raise(&mut self, buffer: usize) {
        let low = self.low[buffer];
        let mut least = NOWHERE;
        for &neighbour in self.neighbours.of(buffer) {
            let neighbour = neighbour as usize;
            if neighbour == buffer {
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
    fn place(&mut self, buffer: usize) {
        let (low, top) = (self.low[buffer], self.top(buffer));
        self.placed[buffer] = true;
        for index in 0..self.neighbours.of(buffer).len() {
            let neighbour = self.neighbours.of(buffer)[index] as usize;
            if !self.placed[neighbour] && self.top(neighbour) > low {
                self.lift(neighbour, self.places.least_from(neighbour, top));
            }
        }
    }

    /// Takes back all changes but the first `keep`.
    fn undo(&mut self, keep: usize) {
        for (buffer, low) in self.changes.drain(keep..).rev() {
            self.low[buffer as usize] = low;
        }
    }

    /// Where `crowd`, which is live at one time, ends at the least: stacked in order of `low`, with
    /// the bytes of `taken` left out.
    fn stack(&mut self, crowd: &[u32], mut taken: &[(u64, u64)]) -> u64 {
        self.stack.clear();
        let mut grain = u64::MAX;
        for &buffer in crowd {
            let buffer = buffer as usize;
            grain = grain.min(self.grains[buffer]);
            self.stack.push((self.low[buffer], self.sizes[buffer]));
        }
        self.stack.sort_unstable();
        let mut top = 0u64;
        for &(low, size) in &self.stack {
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
        top.max(self.stack_rounded(grain))
    }

    /// The same for a stack that is in order, by what alignment adds: each but the topmost takes its
    /// size rounded up to `grain`, of which all their offsets are multiples.
    fn stack_rounded(&self, grain: u64) -> u64 {
        if grain == 1 {
            return 0;
        }
        let (mut sum, mut most, mut best) = (0u64, 0, 0);
        for &(low, size) in self.stack.iter().rev() {
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
    use super::*;
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

    fn meet(a: &Buffer, b: &Buffer) -> bool {
        let mut pairs = a
            .live
            .iter()
            .flat_map(|x| b.live.iter().map(move |y| (x, y)));
        pairs.any(|(x, y)| x.start < y.end && y.start < x.end)
    }

    /// Places the buffers in order of their `ranks`, each at the lowest offset that is free: so
    /// none can be moved down.
    fn plan(problem: &Problem, ranks: &[u8]) -> Vec<u64> {
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
                        !meet(subject, other)
                            || offset.is_none_or(|o| at + subject.size <= o || o + other.size <= at)
                    })
            };
            let mut aligned = (0..).map(|index| index * subject.alignment);
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
            let leaves: Vec<Node> = (0..16).map(Node::Leaf).collect();
            let crowds = crowds(&problem, &times, &leaves);
            let taken = taken(&problem, &times);
            let count = problem.buffers.len();
            let branches: Vec<Node> = (0..count as u32).map(Node::Branch).collect();
            let mut state = State::new(&problem, &branches);
            let mut open: Vec<usize> =
                (0..count).filter(|&position| is_free(&problem.buffers[position])).collect();
            for pick in picks {
                for (position, &offset) in plan.iter().enumerate() {
                    let low = state.low[position];
                    assert!(low == offset || low < offset && !state.placed[position]);
                }
                for time in 0..times.len() {
                    let taken = taken.get(time).map_or(&[][..], Vec::as_slice);
                    assert!(state.stack(crowds.of(time), taken) <= peak);
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
    }
}
