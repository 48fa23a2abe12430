//! The planners, one file each, and their shared data structures.
//!
//! | file | contents |
//! |---|---|
//! | `plain`, `first_fit`, `best_fit`, `by_size`, `by_area`, `by_conflicts`, `locality`, `hill_climb`, `large`, `exact_planner` | the planners with a name |
//! | `auto` | selects planners and searches |
//! | `exact` | exact search, for `auto` and `exact_planner` |
//! | `dissection` | perfect packings, recovered in linear time |
//! | `compaction` | moves the items of a plan down as far as possible |
//! | `skyline`, `unplaced` | fills the lowest segment first with the best item that fits there; for any size |
//! | `core`, `obstacle_skyline` | plans items live in crowded sections first, the others around them |
//! | `feedback` | skylines that learn from the peak of the previous one |
//! | `beam` | beam search in program order |
//! | `search` | local search over placement orders |
//! | `windowed` | buffers that use only some of their bytes at some times |
//! | `distances` | exact search for few of these |
//! | `banks` | memory with banks |
//! | `meetings` | at which offsets these have bytes in common |
//! | `conflicts`, `place` | the conflict graph, and placement in any order, for small graphs |
//! | `sweep`, `gaps` | placement in program order into the free gaps, for large graphs |
//! | `orders`, `random`, `steps`, `budget` | orders of items; pseudo-random numbers; effort |

mod auto;
pub(crate) mod banks;
mod beam;
mod best_fit;
mod budget;
mod by_area;
mod by_conflicts;
mod by_size;
mod compaction;
mod conflicts;
mod core;
mod dissection;
mod distances;
mod exact;
mod exact_planner;
mod feedback;
mod first_fit;
mod gaps;
mod hill_climb;
mod large;
mod locality;
mod meetings;
mod obstacle_skyline;
mod orders;
mod place;
mod plain;
mod random;
mod search;
mod skyline;
mod steps;
mod sweep;
mod unplaced;
mod windowed;

use crate::alignment::{align_down, align_up, common};
use crate::bounds::LowerBound;
use crate::timeline::Timeline;
use crate::watch::{Until, Watch};
use crate::{Options, Planner, Problem, Solution};
use conflicts::Conflicts;
use std::time::Instant;

/// Offsets for the items of a timeline.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The offset of each item, in bytes.
    pub offsets: Vec<u64>,
    /// The largest `offset + size`, without forbidden ranges.
    pub peak: u64,
    /// The name of the planner.
    pub planner: &'static str,
}

impl Plan {
    fn new(timeline: &Timeline, offsets: Vec<u64>, planner: &'static str) -> Self {
        let ends = timeline
            .items
            .iter()
            .zip(&offsets)
            .filter(|(item, _)| !item.reserved)
            .map(|(item, offset)| offset + item.size);
        let peak = ends.max().unwrap_or(0);
        Plan {
            offsets,
            peak,
            planner,
        }
    }

    /// Replaces this plan if `plan` has a lower peak.
    fn keep_better(&mut self, plan: Plan) {
        if plan.peak < self.peak {
            *self = plan;
        }
    }

    fn named(self, planner: Planner) -> Self {
        Plan {
            planner: planner.name(),
            ..self
        }
    }
}

/// The task of a planner.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub problem: &'a Problem,
    pub options: &'a Options,
    /// When to stop. A pass over the items may exceed it.
    pub until: Until<'a>,
    /// Who looks at the plans, if they are of all buffers.
    pub watch: Option<&'a Watch>,
    /// Bytes that buffers need which the plans are not of.
    pub others: u64,
    /// Steps for passes over very many items. Each pass takes [`budget::pass`] steps.
    pub passes: u64,
}

impl<'a> Task<'a> {
    /// A task whose time limit starts now.
    pub fn new(problem: &'a Problem, options: &'a Options, watch: Option<&'a Watch>) -> Self {
        let deadline = options
            .time_limit
            .and_then(|limit| Instant::now().checked_add(limit));
        Task {
            problem,
            options,
            until: Until { deadline, watch },
            watch,
            others: 0,
            passes: options.effort.steps(),
        }
    }

    /// Whether the time is over.
    fn is_late(&self) -> bool {
        self.until.is_over()
    }

    /// Tells how good a plan and a bound are.
    fn note(&self, peak: u64, lower: &LowerBound) {
        if let Some(watch) = self.watch {
            watch.note(peak.max(self.others), lower.bound);
        }
    }

    /// The peak at which to stop: the capacity, or the lower bound if that is higher.
    fn goal(&self, lower: &LowerBound) -> u64 {
        self.problem.capacity.unwrap_or(0).max(lower.bound)
    }

    /// A target height between the goal and just below `best`: the goal plus `part` 64ths of the
    /// distance.
    fn target(&self, lower: &LowerBound, best: &Plan, part: u64) -> u64 {
        let goal = self.goal(lower);
        let distance = u128::from(best.peak.saturating_sub(goal + 1)) * u128::from(part);
        goal + (distance >> 6) as u64
    }
}

/// The solution of a planner, and the name of the one whose plan it is. Raises `lower` if a higher bound is proven.
pub(crate) fn solve(
    planner: Planner,
    task: &Task<'_>,
    timeline: &Timeline,
    lower: &mut LowerBound,
) -> (Solution, &'static str) {
    if task.problem.has_windows() {
        return windowed::solve(planner, task, lower);
    }
    let plan = plan(planner, task, timeline, lower);
    let solution = complete(task.problem, timeline, &plan.offsets);
    (solution, plan.planner)
}

/// The offsets of all buffers. Those that conflict with nothing lie where they are fixed, or at
/// offset 0.
fn complete(problem: &Problem, timeline: &Timeline, item_offsets: &[u64]) -> Solution {
    let mut offsets: Vec<u64> = problem
        .buffers
        .iter()
        .map(|buffer| buffer.fixed_offset.unwrap_or(0))
        .collect();
    let items = timeline.items.iter().zip(item_offsets);
    for (item, &offset) in items.filter(|(item, _)| !item.reserved) {
        offsets[item.buffer as usize] = offset;
    }
    Solution::new(problem, offsets)
}

/// Places the items of `timeline`; every planner succeeds. Planners that can stop early do so at
/// the goal. Planners that can prove a higher bound raise `lower`.
fn plan(planner: Planner, task: &Task<'_>, timeline: &Timeline, lower: &mut LowerBound) -> Plan {
    let conflicts = match planner {
        Planner::Auto | Planner::Exact | Planner::Plain | Planner::Locality | Planner::Large => {
            None
        }
        _ => Conflicts::new(timeline),
    };
    let conflicts = conflicts.as_ref();
    match planner {
        Planner::Auto => auto::plan(task, timeline, lower),
        Planner::Plain => plain::plan(timeline),
        Planner::FirstFit => first_fit::plan(timeline, conflicts),
        Planner::BestFit => best_fit::plan(timeline, conflicts),
        Planner::BySize => by_size::plan(timeline, conflicts),
        Planner::ByArea => by_area::plan(timeline, conflicts),
        Planner::ByConflicts => by_conflicts::plan(timeline, conflicts),
        Planner::Locality => locality::plan(timeline),
        Planner::Large => large::plan(task, timeline, task.goal(lower)),
        Planner::Exact => exact_planner::plan(task, timeline, lower),
        Planner::HillClimb => hill_climb::plan(task, timeline, conflicts, lower),
        Planner::Custom(name) => unreachable!("'{name}' places buffers, not items"),
    }
}
