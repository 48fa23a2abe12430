//! What is true of tiny problems, by definition and by trying everything; and proofs of it.

use memplan_planner::certificate::Certificate;
use memplan_planner::{Buffer, Forbidden, Node, Problem, Refutation, Solution};

/// Whether two buffers are live at one time.
pub fn meet(a: &Buffer, b: &Buffer) -> bool {
    a.live
        .iter()
        .any(|x| b.live.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// Whether two buffers at these offsets are in nobody's way.
fn apart((a, at): (&Buffer, u64), (b, bt): (&Buffer, u64)) -> bool {
    a.size == 0 || b.size == 0 || !meet(a, b) || at + a.size <= bt || bt + b.size <= at
}

/// The definition of a right solution, by every pair.
pub fn right_by_pairs(problem: &Problem, solution: &Solution) -> bool {
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
        && (0..all.len()).all(|i| (0..i).all(|j| apart(all[i], all[j])))
}

/// What is where it is, with the offset: everything that a buffer has to go around in any plan.
pub fn obstacles(problem: &Problem) -> Vec<(Buffer, u64)> {
    let Problem {
        buffers,
        capacity: _,
        forbidden,
    } = problem;
    let fixed = |buffer: &Buffer| buffer.fixed_offset.map(|offset| (buffer.clone(), offset));
    let fixed = buffers.iter().filter_map(fixed);
    fixed.chain(forbidden.iter().map(block)).collect()
}

/// A buffer that needs the bytes of a forbidden range, and where.
pub fn block(range: &Forbidden) -> (Buffer, u64) {
    let during = range
        .during
        .map_or((0, u64::MAX), |time| (time.start, time.end));
    let block = Buffer::new(u64::MAX, range.end - range.start, [during]);
    (block, range.start)
}

fn is_clear(obstacles: &[(Buffer, u64)], buffer: &Buffer, at: u64) -> bool {
    let mut obstacles = obstacles.iter();
    obstacles.all(|(obstacle, offset)| apart((obstacle, *offset), (buffer, at)))
}

/// The offsets that need no decision: where buffers are fixed, and 0 for those in nobody's way.
fn decided(buffers: &[Buffer]) -> Vec<Option<u64>> {
    let aside = |buffer: &Buffer| buffer.size == 0 || buffer.live.is_empty();
    buffers
        .iter()
        .map(|buffer| buffer.fixed_offset.or(aside(buffer).then_some(0)))
        .collect()
}

/// The largest sum of sizes of buffers live at once, and where those end that need no decision.
fn obvious(buffers: &[Buffer]) -> u64 {
    let decided = decided(buffers);
    let ends = buffers.iter().zip(&decided);
    let ends = ends.filter_map(|(buffer, offset)| offset.map(|at| at + buffer.size));
    let loads = starts(buffers).into_iter().map(|time| {
        let live = buffers.iter().filter(|buffer| is_live(buffer, time));
        live.map(|buffer| buffer.size).sum()
    });
    ends.chain(loads).max().unwrap_or(0)
}

/// Every point in time at which a buffer becomes live: all maximal sets are live at some of them.
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

/// The least peak, by trying every order of placement at the lowest free offset: some order gives
/// an optimal plan, since in one pushed down as far as possible, bottom to top is such an order.
pub fn optimum(problem: &Problem) -> u64 {
    let buffers = &problem.buffers;
    let mut orders = Orders {
        buffers,
        obstacles: obstacles(problem),
        enough: obvious(buffers),
        best: u64::MAX,
    };
    orders.explore(&mut decided(buffers));
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
            // Of buffers that are alike the first comes first.
            let earlier =
                |other: usize| offsets[other].is_none() && alike(&buffers[other], &buffers[index]);
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
        let clear = |&at: &u64| others.iter().all(|&other| apart(other, (subject, at)));
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

/// Whether two buffers differ in nothing but their names.
fn alike(a: &Buffer, b: &Buffer) -> bool {
    (a.size, a.alignment) == (b.size, b.alignment) && a.live == b.live
}

/// The least peak, by trying every offset for every buffer; takes nothing for granted about where
/// buffers lie in good plans. For a handful of bytes.
pub fn optimum_by_address(problem: &Problem) -> u64 {
    let mut peak = obvious(&problem.buffers);
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
        if placed.all(|other| apart(other, (buffer, offset))) {
            offsets.push(offset);
            if try_addresses(problem, obstacles, offsets, peak) {
                return true;
            }
            offsets.pop();
        }
    }
    false
}

/// Which of the buffers to branch on, by position, where these have these least offsets.
pub type Choice<'a> = &'a mut dyn FnMut(&[(u64, usize)]) -> usize;

/// Of those that lie lowest the first.
pub fn lowest_first(open: &[(u64, usize)]) -> usize {
    open.iter().min().map_or(0, |&(_, position)| position)
}

/// A proof that no plan has a peak of at most `capacity`; `None` where a plan was found that has,
/// or where the choice leads nowhere in as many nodes.
pub fn refute(
    problem: &Problem,
    capacity: u64,
    nodes: usize,
    choice: Choice,
) -> Option<Certificate> {
    let mut prover = Prover::new(problem, capacity, nodes);
    let last = decided(&problem.buffers).into_iter().zip(&problem.buffers);
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

/// A tree like that of [`refute`] which goes on where that gives up.
pub fn explore(problem: &Problem, capacity: u64, nodes: usize, choice: Choice) -> Certificate {
    let mut prover = Prover::new(problem, capacity, nodes);
    let state = prover.state();
    if !prover.times.is_empty() {
        prover.prove(&state, choice, true);
    }
    prover.certificate()
}

/// What is known of a buffer.
#[derive(Clone, Copy)]
struct Least {
    low: u64,
    placed: bool,
}

/// Above every offset.
const NOWHERE: u64 = 1 << 62;

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

    fn state(&self) -> Vec<Least> {
        let least = |(position, decided): (usize, &Option<u64>)| Least {
            low: self.fit(position, 0),
            placed: decided.is_some(),
        };
        decided(self.buffers)
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

    /// The least offset from `offset` that alignment and fixed buffers allow.
    fn fit(&self, position: usize, offset: u64) -> u64 {
        let buffer = &self.buffers[position];
        if let Some(fixed) = buffer.fixed_offset {
            return fixed;
        }
        let mut at = offset.next_multiple_of(buffer.alignment);
        while at < NOWHERE && !is_clear(&self.obstacles, buffer, at) {
            at += buffer.alignment;
        }
        at
    }

    fn neighbours(&self, position: usize) -> impl Iterator<Item = usize> {
        let buffer = &self.buffers[position];
        (0..self.buffers.len()).filter(move |&other| {
            let neighbour = &self.buffers[other];
            let free = neighbour.size > 0 && neighbour.fixed_offset.is_none();
            other != position && free && meet(buffer, neighbour)
        })
    }

    /// What the buffers live at `time` need.
    fn stack(&self, state: &[Least], time: u64) -> u64 {
        let live = || {
            let all = self.buffers.iter().zip(state);
            all.filter(|(buffer, _)| is_live(buffer, time))
        };
        let blocks: Vec<(Buffer, u64)> = self.forbidden.iter().map(block).collect();
        let taken = |byte: u64| {
            let mut blocks = blocks.iter();
            blocks.any(|(block, at)| is_live(block, time) && (*at..at + block.size).contains(&byte))
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

    /// Whether what is known of the buffers rules out all plans within the capacity. Where it does
    /// not, the tree is complete nevertheless if `complete`.
    fn prove(&mut self, state: &[Least], choice: Choice, complete: bool) -> bool {
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

    fn raised(&self, state: &[Least], position: usize) -> Vec<Least> {
        let low = state[position].low;
        let tops = self.neighbours(position).filter_map(|neighbour| {
            let Least { low: under, placed } = state[neighbour];
            let top = under + self.buffers[neighbour].size;
            match top > low {
                true => Some(top),
                false => (!placed).then_some(low + 1),
            }
        });
        let mut state = state.to_vec();
        state[position].low = tops.min().map_or(NOWHERE, |top| self.fit(position, top));
        state
    }

    fn placed(&self, state: &[Least], position: usize) -> Vec<Least> {
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
