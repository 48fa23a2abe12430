//! Reference results for tiny problems, by definition and by exhaustive search, with proofs.

use memplan_planner::certificate::Certificate;
use memplan_planner::{Buffer, Forbidden, LiveRange, Node, Problem, Refutation, Solution};

/// Whether the live ranges of two buffers overlap.
pub fn overlap_in_time(a: &Buffer, b: &Buffer) -> bool {
    a.live
        .iter()
        .any(|x| b.live.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// Whether two buffers at these offsets do not share a byte while both use it.
fn are_disjoint((a, at): (&Buffer, u64), (b, bt): (&Buffer, u64)) -> bool {
    uses(a).all(|(time, low, high)| {
        uses(b).all(|(other, bottom, top)| {
            let apart_in_time = time.end <= other.start || other.end <= time.start;
            let is_empty = low == high || bottom == top;
            apart_in_time || is_empty || at + high <= bt + bottom || bt + top <= at + low
        })
    })
}

/// The times at which a buffer uses bytes, with the first of them and the one after the last.
fn uses(buffer: &Buffer) -> impl Iterator<Item = (LiveRange, u64, u64)> {
    let whole = buffer.live.iter().map(|range| (*range, 0, buffer.size));
    let windows = buffer.windows.iter();
    whole.chain(windows.map(|window| (window.during, window.low, window.high)))
}

/// Whether a solution is valid, by definition: compares every pair of buffers.
pub fn is_valid_by_pairs(problem: &Problem, solution: &Solution) -> bool {
    let all: Vec<(&Buffer, u64)> = problem
        .buffers
        .iter()
        .zip(solution.offsets.iter().copied())
        .collect();
    let alone = |&(buffer, offset): &(&Buffer, u64)| {
        offset % buffer.alignment == 0 && buffer.fixed_offset.is_none_or(|fixed| fixed == offset)
    };
    let obstacles = obstacles(problem);
    let clear = |&(buffer, offset): &(&Buffer, u64)| {
        buffer.fixed_offset.is_some() || is_clear(&obstacles, buffer, offset)
    };
    all.iter().all(alone)
        && all.iter().all(clear)
        && (0..all.len()).all(|i| (0..i).all(|j| are_disjoint(all[i], all[j])))
}

/// The obstacles of a free buffer in any plan, with their offsets: fixed buffers and forbidden
/// ranges.
pub fn obstacles(problem: &Problem) -> Vec<(Buffer, u64)> {
    let Problem {
        buffers,
        capacity: _,
        forbidden,
        banks: _,
    } = problem;
    let fixed = |buffer: &Buffer| buffer.fixed_offset.map(|offset| (buffer.clone(), offset));
    let fixed = buffers.iter().filter_map(fixed);
    fixed.chain(forbidden.iter().map(range_as_buffer)).collect()
}

/// A forbidden range as a buffer with its offset.
pub fn range_as_buffer(range: &Forbidden) -> (Buffer, u64) {
    let during = range
        .during
        .map_or((0, u64::MAX), |time| (time.start, time.end));
    let buffer = Buffer::new(u64::MAX, range.end - range.start, [during]);
    (buffer, range.start)
}

fn is_clear(obstacles: &[(Buffer, u64)], buffer: &Buffer, at: u64) -> bool {
    let mut obstacles = obstacles.iter();
    obstacles.all(|(obstacle, offset)| are_disjoint((obstacle, *offset), (buffer, at)))
}

/// The offsets that are decided in advance: those of fixed buffers, and 0 for buffers that conflict
/// with nothing.
fn decided_offsets(buffers: &[Buffer]) -> Vec<Option<u64>> {
    let aside = |buffer: &Buffer| buffer.size == 0 || buffer.live.is_empty();
    buffers
        .iter()
        .map(|buffer| buffer.fixed_offset.or(aside(buffer).then_some(0)))
        .collect()
}

/// A simple lower bound: the largest sum of sizes of buffers that are live at once, and the ends of
/// the buffers that are decided in advance.
fn simple_bound(buffers: &[Buffer]) -> u64 {
    let decided_offsets = decided_offsets(buffers);
    let ends = buffers.iter().zip(&decided_offsets);
    let ends = ends.filter_map(|(buffer, offset)| offset.map(|at| at + buffer.size));
    let loads = starts(buffers).into_iter().map(|time| {
        let live = buffers.iter().filter(|buffer| is_live(buffer, time));
        live.map(|buffer| buffer.size).sum()
    });
    ends.chain(loads).max().unwrap_or(0)
}

/// Every point in time at which a buffer becomes live. Every maximal set of live buffers is live at
/// one of them.
fn starts(buffers: &[Buffer]) -> Vec<u64> {
    let ranges = buffers.iter().flat_map(|buffer| &buffer.live);
    let mut starts: Vec<u64> = ranges.map(|range| range.start).collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

fn is_live(buffer: &Buffer, time: u64) -> bool {
    let mut ranges = buffer.live.iter();
    ranges.any(|range| range.start <= time && time < range.end)
}

/// The least peak, by trying every order of placement at the lowest free offset. Some order gives
/// an optimal plan: push an optimal plan down as far as possible and take its order from bottom to
/// top.
pub fn optimum(problem: &Problem) -> u64 {
    let buffers = &problem.buffers;
    let mut orders = Orders {
        buffers,
        obstacles: obstacles(problem),
        enough: simple_bound(buffers),
        best: u64::MAX,
    };
    orders.explore(&mut decided_offsets(buffers));
    orders.best
}

struct Orders<'a> {
    buffers: &'a [Buffer],
    obstacles: Vec<(Buffer, u64)>,
    enough: u64,
    best: u64,
}

impl Orders<'_> {
    fn explore(&mut self, offsets: &mut [Option<u64>]) {
        let buffers = self.buffers;
        let ends = buffers
            .iter()
            .zip(&*offsets)
            .filter_map(|(buffer, offset)| offset.map(|at| at + buffer.size));
        let peak = ends.max().unwrap_or(0);
        if peak >= self.best || self.best == self.enough {
            return;
        }
        if offsets.iter().all(Option::is_some) {
            self.best = peak;
            return;
        }
        for index in 0..buffers.len() {
            // Of equal buffers the first comes first.
            let earlier = |other: usize| {
                offsets[other].is_none() && are_equal(&buffers[other], &buffers[index])
            };
            if offsets[index].is_none() && !(0..index).any(earlier) {
                offsets[index] = Some(self.lowest(offsets, index));
                self.explore(offsets);
                offsets[index] = None;
            }
        }
    }

    fn lowest(&self, offsets: &[Option<u64>], index: usize) -> u64 {
        let subject = &self.buffers[index];
        let placed = self.buffers.iter().zip(offsets);
        let placed = placed.filter_map(|(other, offset)| offset.map(|at| (other, at)));
        let fixed = self.obstacles.iter().map(|(other, at)| (other, *at));
        let others: Vec<(&Buffer, u64)> = placed.chain(fixed).collect();
        let clear = |&at: &u64| {
            others
                .iter()
                .all(|&other| are_disjoint(other, (subject, at)))
        };
        let ends = others.iter().map(|(other, at)| at + other.size);
        let candidates = ends
            .chain([0])
            .map(|end| end.next_multiple_of(subject.alignment));
        candidates
            .filter(clear)
            .min()
            .expect("above everything there is room")
    }
}

/// Whether two buffers differ only in their ids.
fn are_equal(a: &Buffer, b: &Buffer) -> bool {
    (a.size, a.alignment) == (b.size, b.alignment) && a.live == b.live
}

/// The least peak, by trying every offset for every buffer. It makes no assumption about good
/// plans. For a handful of bytes.
pub fn optimum_by_address(problem: &Problem) -> u64 {
    let mut peak = simple_bound(&problem.buffers);
    while !try_addresses(problem, &obstacles(problem), &mut Vec::new(), peak) {
        peak += 1;
    }
    peak
}

fn try_addresses(
    problem: &Problem,
    obstacles: &[(Buffer, u64)],
    offsets: &mut Vec<u64>,
    peak: u64,
) -> bool {
    let Some(buffer) = problem.buffers.get(offsets.len()) else {
        return true;
    };
    let last = peak.saturating_sub(buffer.size);
    let all = (0..=last).filter(|at| at % buffer.alignment == 0);
    let free = |&at: &u64| match buffer.fixed_offset {
        Some(fixed) => fixed == at,
        None => is_clear(obstacles, buffer, at),
    };
    for offset in all.filter(free) {
        let mut placed = problem.buffers.iter().zip(offsets.iter().copied());
        if placed.all(|other| are_disjoint(other, (buffer, offset))) {
            offsets.push(offset);
            if try_addresses(problem, obstacles, offsets, peak) {
                return true;
            }
            offsets.pop();
        }
    }
    false
}

/// A branching rule: chooses a buffer by position from the unplaced buffers, which are given with
/// their least offsets.
pub type BranchingRule<'a> = &'a mut dyn FnMut(&[(u64, usize)]) -> usize;

/// Chooses the first of the lowest buffers.
pub fn lowest_first(open: &[(u64, usize)]) -> usize {
    open.iter().min().map_or(0, |&(_, position)| position)
}

/// A proof that no plan has a peak of at most `capacity`. `None` if a plan was found that has, or
/// if the node limit was reached.
pub fn refute(
    problem: &Problem,
    capacity: u64,
    nodes: usize,
    choice: BranchingRule,
) -> Option<Certificate> {
    let mut prover = Prover::new(problem, capacity, nodes);
    let last = decided_offsets(&problem.buffers)
        .into_iter()
        .zip(&problem.buffers);
    let last = last.max_by_key(|(at, buffer)| at.map(|at| at + buffer.size));
    if let Some((Some(at), buffer)) = last
        && at + buffer.size > capacity
    {
        return Some(Certificate::End { buffer: buffer.id });
    }
    let state = prover.state();
    let proven = prover.prove(&state, choice, false);
    proven.then(|| prover.certificate())
}

/// A tree like that of [`refute`], which continues where that gives up.
pub fn explore(
    problem: &Problem,
    capacity: u64,
    nodes: usize,
    choice: BranchingRule,
) -> Certificate {
    let mut prover = Prover::new(problem, capacity, nodes);
    let state = prover.state();
    if !prover.times.is_empty() {
        prover.prove(&state, choice, true);
    }
    prover.certificate()
}

/// The state of a buffer.
#[derive(Clone, Copy)]
struct BufferState {
    low: u64,
    placed: bool,
}

/// An offset above every other one.
const NO_OFFSET: u64 = 1 << 62;

struct Prover<'a> {
    buffers: &'a [Buffer],
    obstacles: Vec<(Buffer, u64)>,
    forbidden: &'a [Forbidden],
    times: Vec<u64>,
    capacity: u64,
    limit: usize,
    nodes: Vec<Node>,
}

impl<'a> Prover<'a> {
    fn new(problem: &'a Problem, capacity: u64, limit: usize) -> Self {
        Prover {
            buffers: &problem.buffers,
            obstacles: obstacles(problem),
            forbidden: &problem.forbidden,
            times: starts(&problem.buffers),
            capacity,
            limit,
            nodes: Vec::new(),
        }
    }

    fn state(&self) -> Vec<BufferState> {
        let least = |(position, offset): (usize, &Option<u64>)| BufferState {
            low: self.fit(position, 0),
            placed: offset.is_some(),
        };
        decided_offsets(self.buffers)
            .iter()
            .enumerate()
            .map(least)
            .collect()
    }

    fn certificate(self) -> Certificate {
        Certificate::Search(Refutation {
            times: self.times,
            nodes: self.nodes,
            ..Refutation::default()
        })
    }

    /// The least offset from `offset` on that alignment and obstacles allow.
    fn fit(&self, position: usize, offset: u64) -> u64 {
        let buffer = &self.buffers[position];
        if let Some(fixed) = buffer.fixed_offset {
            return fixed;
        }
        let mut at = offset.next_multiple_of(buffer.alignment);
        while at < NO_OFFSET && !is_clear(&self.obstacles, buffer, at) {
            at += buffer.alignment;
        }
        at
    }

    fn neighbours(&self, position: usize) -> impl Iterator<Item = usize> {
        let buffer = &self.buffers[position];
        (0..self.buffers.len()).filter(move |&other| {
            let neighbour = &self.buffers[other];
            let free = neighbour.size > 0 && neighbour.fixed_offset.is_none();
            other != position && free && overlap_in_time(buffer, neighbour)
        })
    }

    /// The bytes that the buffers live at `time` need.
    fn stack(&self, state: &[BufferState], time: u64) -> u64 {
        let live = || {
            let all = self.buffers.iter().zip(state);
            all.filter(|(buffer, _)| is_live(buffer, time))
        };
        let blocks: Vec<(Buffer, u64)> = self.forbidden.iter().map(range_as_buffer).collect();
        let taken = |byte: u64| {
            let mut blocks = blocks.iter();
            blocks.any(|(buffer, at)| {
                is_live(buffer, time) && (*at..at + buffer.size).contains(&byte)
            })
        };
        let above = |low: u64| {
            let above = live().filter(|(_, least)| least.low >= low);
            let need = above.map(|(buffer, _)| buffer.size).sum::<u64>();
            let mut free = (low..).filter(|&byte| !taken(byte));
            (0..need)
                .filter_map(|_| free.next())
                .last()
                .map_or(low, |last| last + 1)
        };
        live().map(|(_, least)| above(least.low)).max().unwrap_or(0)
    }

    /// Whether the state rules out all plans within the capacity. If it does not, the tree is
    /// completed nevertheless if `complete` is set.
    fn prove(&mut self, state: &[BufferState], choice: BranchingRule, complete: bool) -> bool {
        let need = |&time: &usize| self.stack(state, self.times[time]);
        let time = (0..self.times.len()).max_by_key(need).unwrap_or(0);
        let open: Vec<(u64, usize)> = (0..state.len())
            .filter(|&position| !state[position].placed)
            .map(|position| (state[position].low, position))
            .collect();
        let enough = !self.times.is_empty() && need(&time) > self.capacity;
        let stuck = open.is_empty() || self.nodes.len() >= self.limit;
        if enough || stuck {
            self.nodes.push(Node::Leaf(time as u32));
            return enough;
        }
        let position = choice(&open);
        self.nodes.push(Node::Branch(position as u32));
        let above = self.raised(state, position);
        let above = self.prove(&above, choice, complete);
        if !above && !complete {
            return false;
        }
        let at = self.placed(state, position);
        self.prove(&at, choice, complete) && above
    }

    fn raised(&self, state: &[BufferState], position: usize) -> Vec<BufferState> {
        let low = state[position].low;
        let tops = self.neighbours(position).filter_map(|neighbour| {
            let BufferState { low: under, placed } = state[neighbour];
            let top = under + self.buffers[neighbour].size;
            match top > low {
                true => Some(top),
                false => (!placed).then_some(low + 1),
            }
        });
        let mut state = state.to_vec();
        state[position].low = tops.min().map_or(NO_OFFSET, |top| self.fit(position, top));
        state
    }

    fn placed(&self, state: &[BufferState], position: usize) -> Vec<BufferState> {
        let low = state[position].low;
        let top = low + self.buffers[position].size;
        let mut next = state.to_vec();
        next[position].placed = true;
        for neighbour in self.neighbours(position) {
            let least = &mut next[neighbour];
            if !least.placed && least.low + self.buffers[neighbour].size > low {
                least.low = least.low.max(self.fit(neighbour, top));
            }
        }
        next
    }
}
