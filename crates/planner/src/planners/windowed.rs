//! Plans for buffers that use only some of their bytes at some times ([`Window`](crate::Window)).
//!
//! The planners know no windows. Two problems without them enclose one that has them: one in which a buffer uses all
//! bytes during its windows, and one in which it uses none. A plan of the first is valid. A bound of the second holds.
//! A plan of the second is valid, too, if it happens to keep the bytes of the windows apart.
//!
//! From the best valid plan, a local search over placement orders continues. Each buffer is placed at the lowest offset
//! at which none of its ranges meets one of a placed buffer. For two buffers, the differences of offsets at which a pair
//! of their ranges meets form an open interval, so each placed buffer excludes a few intervals of offsets.

use super::meetings::{Meeting, forbidden, meetings};
use super::random::Random;
use super::{Plan, Task, complete, distances, plan};
use crate::alignment::align_up;
use crate::bounds::LowerBound;
use crate::timeline::Timeline;
use crate::validate::validate;
use crate::{Bounds, Planner, Problem, Solution};

/// Steps without a better plan, for each buffer, after which the order is perturbed.
const PATIENCE: usize = 8;

/// A plan of a problem with windows, and the name of the planner whose plan was improved. `lower` has the bound so far.
/// The local search from a better plan may end at a worse one, so that `exact` keeps the better one of its own plan and
/// that of `auto`. Then it searches over the distances of the buffers, if they are few.
pub fn solve(
    planner: Planner,
    task: &Task<'_>,
    lower: &mut LowerBound,
) -> (Solution, &'static str) {
    if planner != Planner::Exact {
        return solve_alone(planner, task, lower);
    }
    let mut best = solve_alone(Planner::Auto, task, lower);
    if best.0.peak > task.goal(lower) {
        let found = solve_alone(planner, task, lower);
        if found.0.peak < best.0.peak {
            best = found;
        }
    }
    if distances::search(task, &mut best.0, lower) {
        best.1 = Planner::Exact.name();
    }
    best
}

fn solve_alone(
    planner: Planner,
    task: &Task<'_>,
    lower: &mut LowerBound,
) -> (Solution, &'static str) {
    let problem = task.problem;
    let whole = problem.with_whole_windows();
    let timeline = Timeline::new(&whole);
    let (_, mut whole_lower) = Bounds::certified(&whole, &timeline);
    let (mut best, name) = without_windows(planner, task, &whole, &timeline, &mut whole_lower);
    if planner == Planner::Plain || best.peak <= task.goal(lower) {
        return (best, name);
    }
    let searches = matches!(planner, Planner::Auto | Planner::Exact | Planner::HillClimb);
    let Some(mut search) = Search::new(task, problem) else {
        return (best, name);
    };
    search.improve(&mut best, task.goal(lower), 0);
    if searches && best.peak > task.goal(lower) {
        let holes = problem.without_windowed_times();
        let timeline = Timeline::new(&holes);
        let (found, _) = without_windows(planner, task, &holes, &timeline, lower);
        if found.peak < best.peak && validate(&unlimited(problem), &found).is_ok() {
            best = found;
        }
        search.improve(&mut best, task.goal(lower), task.options.effort.steps());
    }
    (best, name)
}

/// The plan of a planner for a problem without windows.
fn without_windows(
    planner: Planner,
    task: &Task<'_>,
    problem: &Problem,
    timeline: &Timeline,
    lower: &mut LowerBound,
) -> (Solution, &'static str) {
    // Its plans are of another problem.
    let task = Task {
        problem,
        watch: None,
        ..*task
    };
    let found: Plan = plan(planner, &task, timeline, lower);
    let solution = complete(problem, timeline, &found.offsets);
    (solution, found.planner)
}

fn unlimited(problem: &Problem) -> Problem {
    Problem {
        capacity: None,
        ..problem.clone()
    }
}

struct Search<'p> {
    task: &'p Task<'p>,
    problem: &'p Problem,
    /// For each buffer, where it meets others.
    meetings: Vec<Vec<Meeting>>,
    /// For each buffer, offsets at which it meets a forbidden range: from the first up to the second, without these.
    forbidden: Vec<Vec<(i64, i64)>>,
    random: Random,
    /// The steps of one placement of all buffers.
    pass: u64,
}

/// An offset that is not decided yet.
const OPEN: u64 = u64::MAX;

impl<'p> Search<'p> {
    /// `None` if there are too many pairs of ranges that are in use at once.
    fn new(task: &'p Task<'p>, problem: &'p Problem) -> Option<Self> {
        let meetings = meetings(problem)?;
        let pairs: usize = meetings.iter().map(Vec::len).sum();
        Some(Search {
            task,
            problem,
            forbidden: problem
                .buffers
                .iter()
                .map(|buffer| forbidden(problem, buffer))
                .collect(),
            random: Random::new(task.options.seed),
            // An order is copied, intervals are sorted: more than a look at each.
            pass: 8 * (pairs + problem.buffers.len()) as u64 + 64,
            meetings,
        })
    }

    /// Looks for better plans than `best`, for that many steps or until one is at the goal. Without steps, it places the
    /// buffers once in each of a few orders.
    fn improve(&mut self, best: &mut Solution, goal: u64, steps: u64) {
        let buffers = &self.problem.buffers;
        let count = buffers.len() as u32;
        let by = |key: &dyn Fn(u32) -> (u64, u64)| {
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|&at| (key(at), at));
            order
        };
        let of = |at: u32| &buffers[at as usize];
        let first = |at: u32| {
            of(at)
                .uses()
                .map(|(time, ..)| time.start)
                .min()
                .unwrap_or(0)
        };
        let time = |at: u32| {
            let all = of(at).uses().map(|(time, ..)| time.end - time.start);
            all.fold(0, u64::saturating_add)
        };
        let orders = [
            by(&|at| (best.offsets[at as usize], 0)),
            by(&|at| (u64::MAX - of(at).size, u64::MAX - time(at))),
            by(&|at| (u64::MAX - of(at).size.saturating_mul(time(at)), 0)),
            by(&|at| (first(at), u64::MAX - of(at).size)),
        ];
        let mut kept: Option<(u64, Vec<u32>)> = None;
        for order in orders {
            let found = self.place(&order);
            if kept.as_ref().is_none_or(|(peak, _)| found.peak < *peak) {
                kept = Some((found.peak, order));
            }
            keep_better(best, found);
        }
        let Some((mut peak, mut order)) = kept else {
            return;
        };
        let mut idle = 0;
        let mut left = steps;
        while best.peak > goal && left >= self.pass && !self.task.is_late() {
            left -= self.pass;
            let mut next = order.clone();
            let moves = match idle > PATIENCE * next.len() {
                true => 1 + next.len() / 8,
                false => 1,
            };
            for _ in 0..moves {
                let from = self.random.below(next.len());
                let item = next.remove(from);
                next.insert(self.random.below(from + 1), item);
            }
            let found = self.place(&next);
            idle += 1;
            if found.peak <= peak || moves > 1 {
                if found.peak < peak || moves > 1 {
                    idle = 0;
                }
                (peak, order) = (found.peak, next);
            }
            keep_better(best, found);
            self.task.note(best.peak, &LowerBound::default());
        }
    }

    /// Places the buffers in this order, after the fixed ones, each at its lowest offset.
    fn place(&self, order: &[u32]) -> Solution {
        let buffers = &self.problem.buffers;
        let fixed = buffers
            .iter()
            .map(|buffer| buffer.fixed_offset.unwrap_or(OPEN));
        let mut offsets: Vec<u64> = fixed.collect();
        let mut excluded: Vec<(i64, i64)> = Vec::new();
        for &at in order {
            let at = at as usize;
            if offsets[at] != OPEN {
                continue;
            }
            excluded.clear();
            excluded.extend(&self.forbidden[at]);
            for meeting in &self.meetings[at] {
                let offset = offsets[meeting.other as usize];
                if offset != OPEN {
                    let offset = offset as i64;
                    excluded.push((offset + meeting.above, offset + meeting.below));
                }
            }
            excluded.sort_unstable();
            let mut lowest = 0;
            for &(above, below) in &excluded {
                if above >= lowest as i64 {
                    break;
                }
                if (lowest as i64) < below {
                    lowest = align_up(below as u64, buffers[at].alignment);
                }
            }
            offsets[at] = lowest;
        }
        Solution::new(self.problem, offsets)
    }
}

fn keep_better(best: &mut Solution, found: Solution) {
    if found.peak < best.peak {
        *best = found;
    }
}
