//! Exact search for few buffers with windows, over the distances of their offsets.
//!
//! Two buffers may not only lie above each other: one may reach into the bytes that the other one does not use. So the
//! search does not stack buffers, as `exact` does. It holds a least offset for each buffer. If these offsets make a plan,
//! it is the best of its case. Otherwise two buffers meet, and there are two cases: their distance is at least the least
//! one above at which they do not meet, or at most the greatest one below. In each, one of the two moves up, and others
//! with it. A case is closed where no plan in it can be better than the best one so far.
//!
//! Each least offset has the set of cases that it follows from. If a closed case does not depend on the choice that led
//! to it, the other case of that choice is closed, too (conflict-directed backjumping, as in `exact`).
//!
//! Of the pairs that meet, the search takes one whose cases end highest. If one of the cases is closed at once, the
//! other is no choice.
//!
//! The closed cases are a [`Certificate::Distances`].
//!
//! Source: these are the disjunctive constraints of job shop scheduling, and its branch and bound (Carlier and Pinson,
//! "An algorithm for solving the job-shop problem", 1989), with an interval for each disjunction.

use super::meetings::{forbidden, meetings};
use super::{Task, align_down, align_up, common};
use crate::bounds::LowerBound;
use crate::certificate::{self, Certificate, DistanceNode};
use crate::{Buffer, Problem, Solution};

/// The most buffers that use bytes. Problems with more are seldom solved.
const MOST_BUFFERS: usize = 64;

/// The most nested cases: the number of bits of a [`Reasons`].
const DEPTH: usize = 128;

/// The most nodes of a tree: 24 MB.
const MOST_NODES: usize = 1 << 20;

/// Looks for a better plan than `best`, and for a proof that there is none. Returns whether it found one of them.
pub fn search(task: &Task<'_>, best: &mut Solution, lower: &mut LowerBound) -> bool {
    let goal = task.goal(lower);
    if best.peak <= goal {
        return false;
    }
    let Some(mut search) = Search::new(task, goal) else {
        return false;
    };
    // The question is whether the capacity suffices, or whether there is a better plan.
    search.target = match task.problem.capacity {
        Some(capacity) if capacity == goal => goal,
        _ => best.peak - 1,
    };
    let is_complete = search.solve(search.least_offsets()).is_ok();
    let found = search.found.take();
    let is_better = found.is_some();
    if let Some(found) = found {
        *best = found;
    }
    if !is_complete {
        return is_better;
    }
    let proof = Certificate::Distances(search.nodes);
    let bound = certificate::check(task.problem, &proof).unwrap_or(0);
    debug_assert!(bound > search.target, "it shows {bound}");
    let is_proven = bound > lower.bound;
    lower.raise(bound, || proof);
    is_better || is_proven
}

/// A set of the cases that are assumed, a bit for each.
type Reasons = u128;

/// A least offset, and the cases that it follows from.
#[derive(Clone, Copy)]
struct Low {
    offset: i64,
    why: Reasons,
}

/// The search ends before the tree is complete.
struct Stopped;

/// The offset of `upper` is at least that of `lower` plus `distance`, which may be negative.
#[derive(Clone, Copy)]
struct Case {
    upper: usize,
    lower: usize,
    distance: i64,
}

/// Open intervals, sorted and disjoint. Their ends are possible.
type Intervals = Vec<(i64, i64)>;

/// Two buffers that may meet.
struct Pair {
    first: usize,
    second: usize,
    /// The distances of the first from the second at which they do.
    excluded: Intervals,
}

/// Bytes that are in use at some time: the buffer, the first byte, how many.
type UsedBytes = (usize, i64, i64);

struct Search<'a> {
    task: &'a Task<'a>,
    problem: &'a Problem,
    pairs: Vec<Pair>,
    /// For each buffer the offsets at which it meets what is fixed or forbidden.
    excluded: Vec<Intervals>,
    /// What is in use at once.
    at_once: Vec<Vec<UsedBytes>>,
    /// Peaks up to this one are of interest.
    target: u64,
    /// A peak that is good enough.
    goal: u64,
    cases: Vec<Case>,
    nodes: Vec<DistanceNode>,
    found: Option<Solution>,
    steps: u64,
    limit: u64,
}

impl<'a> Search<'a> {
    /// `None` if there are too many buffers.
    fn new(task: &'a Task<'a>, goal: u64) -> Option<Self> {
        let problem = task.problem;
        let buffers = &problem.buffers;
        if buffers.iter().filter(|buffer| buffer.is_active()).count() > MOST_BUFFERS {
            return None;
        }
        let meetings = meetings(problem)?;
        let mut pairs = Vec::new();
        let mut excluded: Vec<Vec<(i64, i64)>> = Vec::new();
        for (first, buffer) in buffers.iter().enumerate() {
            let mut own = forbidden(problem, buffer);
            for group in meetings[first].chunk_by(|a, b| a.other == b.other) {
                let second = group[0].other as usize;
                let distances = group.iter().map(|it| (it.above, it.below));
                match buffers[second].fixed_offset {
                    Some(offset) => {
                        let offset = offset as i64;
                        own.extend(
                            distances.map(|(above, below)| (offset + above, offset + below)),
                        );
                    }
                    None if first < second && buffer.fixed_offset.is_none() => {
                        let step = common(
                            [buffer, &buffers[second]]
                                .map(|it| it.alignment)
                                .into_iter(),
                        );
                        pairs.push(Pair {
                            first,
                            second,
                            excluded: intervals(distances.collect(), step),
                        });
                    }
                    None => {}
                }
            }
            excluded.push(intervals(own, buffer.alignment));
        }
        Some(Search {
            at_once: at_once(problem),
            task,
            problem,
            pairs,
            excluded,
            target: 0,
            goal,
            cases: Vec::new(),
            nodes: Vec::new(),
            found: None,
            steps: 0,
            limit: task.options.effort.steps(),
        })
    }

    /// The least offset of each buffer in any plan.
    fn least_offsets(&self) -> Vec<Low> {
        let buffers = self.problem.buffers.iter().enumerate();
        let least = buffers.map(|(at, buffer)| Low {
            offset: match buffer.fixed_offset {
                Some(offset) => offset as i64,
                None => self.fit(at, 0),
            },
            why: 0,
        });
        least.collect()
    }

    /// The least possible offset of a buffer from this one on.
    fn fit(&self, buffer: usize, offset: i64) -> i64 {
        let alignment = self.problem.buffers[buffer].alignment;
        let offset = align_up(offset.max(0) as u64, alignment) as i64;
        around(&self.excluded[buffer], offset).map_or(offset, |(_, below)| below)
    }

    /// Closes the case in which the buffers lie at `low` or higher. Returns the assumed cases that suffice for it.
    fn solve(&mut self, mut low: Vec<Low>) -> Result<Reasons, Stopped> {
        let is_due = self.nodes.len().is_multiple_of(64);
        if self.steps >= self.limit
            || self.cases.len() >= DEPTH
            || self.nodes.len() >= MOST_NODES
            || is_due && self.task.is_late()
        {
            return Err(Stopped);
        }
        self.steps += self.pairs.len() as u64;
        if let Some(why) = self.propagate(&mut low)? {
            return Ok(self.leaf(why));
        }
        if let Some(why) = self.overflow(&low) {
            return Ok(self.leaf(why));
        }
        let Some(cases) = self.choose(&low) else {
            let why = self.record(&low);
            return match self.found.as_ref().is_some_and(|it| it.peak <= self.goal) {
                true => Err(Stopped),
                false => Ok(self.leaf(why)),
            };
        };
        let split = self.nodes.len();
        let bit = 1 << self.cases.len();
        self.nodes.push(DistanceNode::Split {
            upper: cases[0].upper as u32,
            lower: cases[0].lower as u32,
            distance: cases[0].distance,
        });
        let mut all = 0;
        for case in cases {
            let start = self.nodes.len();
            self.cases.push(case);
            let why = self.solve(low.clone())?;
            self.cases.pop();
            if why & bit == 0 {
                // The same holds without the split.
                self.nodes.drain(split..start);
                return Ok(why);
            }
            all |= why;
        }
        Ok(all & !bit)
    }

    fn leaf(&mut self, why: Reasons) -> Reasons {
        self.nodes.push(DistanceNode::Leaf);
        why
    }

    /// Keeps the plan of these offsets, which is better than the one before. Returns why its case has no better one.
    fn record(&mut self, low: &[Low]) -> Reasons {
        let offsets = low.iter().map(|low| low.offset as u64);
        let found = Solution::new(self.problem, offsets.collect());
        self.target = self.target.min(found.peak.saturating_sub(1));
        self.found = Some(found);
        let highest = (0..low.len()).max_by_key(|&at| self.end(at, low[at].offset));
        highest.map_or(0, |at| low[at].why)
    }

    /// The end of a buffer at this offset.
    fn end(&self, buffer: usize, offset: i64) -> u64 {
        offset as u64 + self.problem.buffers[buffer].size
    }

    /// Moves buffers up as the cases demand. Returns the reasons if there can be no plan.
    fn propagate(&mut self, low: &mut [Low]) -> Result<Option<Reasons>, Stopped> {
        for round in 0..4 * self.cases.len() + 64 {
            self.steps += self.cases.len() as u64;
            let mut is_changed = false;
            for (number, case) in self.cases.iter().enumerate() {
                let below = low[case.lower];
                let least = below.offset + case.distance;
                if least > low[case.upper].offset {
                    let offset = self.fit(case.upper, least);
                    let why = below.why | 1 << number;
                    low[case.upper] = Low { offset, why };
                    if self.end(case.upper, offset) > self.target {
                        return Ok(Some(why));
                    }
                    is_changed = true;
                }
            }
            if !is_changed {
                return Ok(None);
            }
            if round == self.cases.len() && self.has_positive_circle(low.len()) {
                let all = Reasons::MAX >> (DEPTH - self.cases.len());
                return Ok(Some(all));
            }
        }
        Err(Stopped)
    }

    /// Whether the distances contradict each other.
    fn has_positive_circle(&self, count: usize) -> bool {
        let mut low = vec![0i64; count];
        let mut is_changed = true;
        for _ in 0..=self.cases.len() {
            is_changed = false;
            for case in &self.cases {
                let least = low[case.lower].saturating_add(case.distance);
                if least > low[case.upper] {
                    low[case.upper] = least;
                    is_changed = true;
                }
            }
        }
        is_changed
    }

    /// Why some buffers that lie at `low` or higher end above the target, if they do.
    fn overflow(&mut self, low: &[Low]) -> Option<Reasons> {
        for (at, low) in low.iter().enumerate() {
            if self.end(at, low.offset) > self.target {
                return Some(low.why);
            }
        }
        let mut bytes: Vec<(i64, i64, Reasons)> = Vec::new();
        for uses in &self.at_once {
            self.steps += uses.len() as u64;
            bytes.clear();
            let of = |&(at, first, count): &UsedBytes| (low[at].offset + first, count, low[at].why);
            bytes.extend(uses.iter().map(of));
            bytes.sort_unstable();
            let (mut top, mut why) = (0, 0);
            for &(first, count, reasons) in &bytes {
                if first > top {
                    (top, why) = (first, 0);
                }
                top += count;
                why |= reasons;
                if top as u64 > self.target {
                    return Some(why);
                }
            }
        }
        None
    }

    /// The cases of the two buffers that meet and whose cases end highest, the one that ends lower first. `None` if no
    /// two buffers meet.
    fn choose(&self, low: &[Low]) -> Option<[Case; 2]> {
        let mut best: Option<([i64; 2], [Case; 2])> = None;
        for pair in &self.pairs {
            let (first, second) = (pair.first, pair.second);
            let distance = low[first].offset - low[second].offset;
            let Some((above, below)) = around(&pair.excluded, distance) else {
                continue;
            };
            let case = |upper: usize, lower: usize, distance| {
                let offset = self.fit(upper, low[lower].offset + distance);
                let end = offset + self.problem.buffers[upper].size as i64;
                (
                    end,
                    Case {
                        upper,
                        lower,
                        distance,
                    },
                )
            };
            let mut cases = [case(first, second, below), case(second, first, -above)];
            if cases[1].0 < cases[0].0 {
                cases.swap(0, 1);
            }
            let [(least, one), (most, other)] = cases;
            // A case that is closed at once leaves no choice.
            let rank = match most as u64 > self.target {
                true => [i64::MAX, least],
                false => [least, most],
            };
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, [one, other]));
            }
        }
        best.map(|(_, cases)| cases)
    }
}

/// The interval that a number is in.
fn around(intervals: &Intervals, number: i64) -> Option<(i64, i64)> {
    let at = intervals.partition_point(|&(_, below)| below <= number);
    let found = intervals.get(at).copied();
    found.filter(|&(above, _)| above < number)
}

/// Disjoint intervals that contain the same multiples of `step`, and end at multiples.
fn intervals(mut all: Vec<(i64, i64)>, step: u64) -> Intervals {
    let up = |number: i64| match number < 0 {
        true => -(align_down(number.unsigned_abs(), step) as i64),
        false => align_up(number as u64, step) as i64,
    };
    for (above, below) in &mut all {
        (*above, *below) = (-up(-*above), up(*below));
    }
    all.sort_unstable();
    let mut intervals: Intervals = Vec::new();
    for (above, below) in all {
        match intervals.last_mut() {
            Some(last) if above < last.1 => last.1 = last.1.max(below),
            _ => intervals.push((above, below)),
        }
    }
    intervals
}

/// What is in use at each time at which a use starts.
fn at_once(problem: &Problem) -> Vec<Vec<UsedBytes>> {
    let uses = || {
        let active = problem.buffers.iter().enumerate();
        let active = active.filter(|(_, buffer)| buffer.is_active());
        active.flat_map(|(at, buffer): (usize, &Buffer)| buffer.uses().map(move |one| (at, one)))
    };
    let mut starts: Vec<u64> = uses().map(|(_, (time, ..))| time.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let live_at = |start: u64| {
        let live = uses().filter(move |(_, (time, ..))| time.start <= start && start < time.end);
        live.map(|(at, (_, low, high))| (at, low as i64, (high - low) as i64))
    };
    let all = starts.into_iter().map(|start| live_at(start).collect());
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Options};

    /// Three buffers that share bytes outside of their windows: 10 bytes in place of 20.
    fn problem() -> Problem {
        Problem::new(vec![
            Buffer::new(0, 8, [(0, 1)]).with_window((1, 3), 0, 2),
            Buffer::new(1, 6, [(1, 2)]).with_window((2, 3), 4, 6),
            Buffer::new(2, 6, [(2, 3)]).with_window((1, 2), 0, 2),
        ])
        .expect("valid")
    }

    /// Searches from a plan in which nothing is shared.
    fn searched(problem: &Problem, effort: Effort) -> (bool, Solution, LowerBound) {
        let options = Options::default().with_effort(effort);
        let mut best = Solution::new(problem, vec![0, 8, 14]);
        let mut lower = LowerBound::default();
        let found = search(&Task::new(problem, &options, None), &mut best, &mut lower);
        (found, best, lower)
    }

    #[test]
    fn the_best_plan_is_found_and_proven() {
        let problem = problem();
        let (found, best, lower) = searched(&problem, Effort::Normal);
        assert!(found);
        assert_eq!(crate::validate::validate(&problem, &best), Ok(()));
        assert_eq!((best.peak, lower.bound), (10, 10));
        let proven = certificate::check(&problem, &lower.certificate);
        assert_eq!(proven, Ok(10));
    }

    #[test]
    fn a_plan_that_fits_is_enough_and_a_capacity_is_refuted() {
        let (found, best, lower) = searched(&problem().with_capacity(13), Effort::Normal);
        assert!(found && best.peak <= 13 && lower.bound == 0);
        let (found, best, lower) = searched(&problem().with_capacity(9), Effort::Normal);
        assert!(found && best.peak == 20);
        assert_eq!(lower.bound, 10);
    }

    #[test]
    fn without_effort_nothing_changes() {
        let (found, best, lower) = searched(&problem(), Effort::Steps(0));
        assert_eq!((found, best.peak, lower.bound), (false, 20, 0));
    }

    #[test]
    fn too_many_buffers_are_left_alone() {
        let buffers = (0..65).map(|id| Buffer::new(id, 2, [(0, 1)]).with_window((1, 2), 0, 1));
        let problem = Problem::new(buffers.collect()).expect("valid");
        let options = Options::default();
        let offsets = (0..65).map(|at| 3 * at).collect();
        let mut best = Solution::new(&problem, offsets);
        let task = Task::new(&problem, &options, None);
        assert!(!search(&task, &mut best, &mut LowerBound::default()));
    }

    #[test]
    fn intervals_end_at_multiples() {
        let all = intervals(vec![(9, 10), (-3, 5), (-12, -9)], 4);
        assert_eq!(all, [(-12, -8), (-4, 8), (8, 12)]);
        assert_eq!(around(&all, -3), Some((-4, 8)));
        assert_eq!(around(&all, 8), None);
    }
}
