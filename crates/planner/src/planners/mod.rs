//! The planners, one file each, over the structures that they share.
//!
//! | file | what |
//! |---|---|
//! | `plain`, `first_fit`, `best_fit`, `by_size`, `by_area`, `by_conflicts`, `locality`, `hill_climb`, `large` | the planners that have a name |
//! | `auto` | which of all these to run, and when to stop |
//! | `dissection` | perfect packings, recovered in linear time |
//! | `settle` | items of a plan sink as low as they come |
//! | `skyline`, `waiting` | the lowest place first, with the item that fits there best; for any size |
//! | `core`, `around` | what is live in crowded sections goes first, the rest around it |
//! | `feedback` | skylines that learn from the peak of the one before |
//! | `beam` | program order, keeping the most promising of the states it leads to |
//! | `search` | local search over placement orders |
//! | `conflicts`, `place` | the conflict graph, and placement in any order, where the graph is small |
//! | `sweep`, `gaps` | placement in program order into the gaps that are free now, where it is not |
//! | `orders`, `random`, `steps` | orders of items; a fixed sequence of numbers; effort |

mod around;
mod auto;
mod beam;
mod best_fit;
mod budget;
mod by_area;
mod by_conflicts;
mod by_size;
mod conflicts;
mod core;
mod dissection;
mod exact;
mod feedback;
mod first_fit;
mod gaps;
mod hill_climb;
mod large;
mod locality;
mod orders;
mod place;
mod plain;
mod random;
mod search;
mod settle;
mod skyline;
mod steps;
mod sweep;
mod waiting;

use crate::bounds::Lower;
use crate::timeline::Timeline;
use crate::{Options, Planner, Problem};
use conflicts::Conflicts;
use std::time::Instant;

/// Offsets for the items of a timeline.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// One for each item, in bytes.
    pub offsets: Vec<u64>,
    /// The largest `offset + size`, forbidden ranges aside.
    pub peak: u64,
    /// Who made it.
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

    /// Takes the place of this plan if it is better.
    fn keep(&mut self, plan: Plan) {
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

/// What is asked of a planner.
pub(crate) struct Task<'a> {
    pub problem: &'a Problem,
    pub options: &'a Options,
    /// When to stop, where a time was given; one pass over the items may be finished.
    pub deadline: Option<Instant>,
    /// Steps for what constructs plans of very many items, a `pass` at a time.
    pub passes: u64,
}

impl<'a> Task<'a> {
    /// With the time of the options counted from now on.
    pub fn new(problem: &'a Problem, options: &'a Options) -> Self {
        let deadline = options
            .time_limit
            .and_then(|limit| Instant::now().checked_add(limit));
        Task {
            problem,
            options,
            deadline,
            passes: options.effort.steps(),
        }
    }

    /// Whether the time is over.
    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The peak at which to stop: what fits in the capacity, or is the least.
    fn goal(&self, lower: &Lower) -> u64 {
        self.problem.capacity.unwrap_or(0).max(lower.bound)
    }

    /// A height from the goal up to just below `best`; `part` is which part of that way, in 64ths.
    fn target(&self, lower: &Lower, best: &Plan, part: u64) -> u64 {
        let goal = self.goal(lower);
        let way = u128::from(best.peak.saturating_sub(goal + 1)) * u128::from(part);
        goal + (way >> 6) as u64
    }
}

/// Places the items of `timeline`; every planner succeeds. Planners that can stop early do so at
/// the goal, and those that can prove more raise `lower`.
pub(crate) fn plan(
    planner: Planner,
    task: &Task<'_>,
    timeline: &Timeline,
    lower: &mut Lower,
) -> Plan {
    let conflicts = match planner {
        Planner::Auto | Planner::Plain | Planner::Locality | Planner::Large => None,
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
        Planner::Exact => exact::plan(task, timeline, conflicts, lower),
        Planner::HillClimb => hill_climb::plan(task, timeline, conflicts, lower),
        Planner::Custom(name) => unreachable!("'{name}' places buffers, not items"),
    }
}

/// The least multiple of `alignment` that is not below `offset`.
fn align_up(offset: u64, alignment: u64) -> u64 {
    (offset + (alignment - 1)) & !(alignment - 1)
}
