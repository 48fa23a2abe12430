//! `hill-climb`: starts from the best plan of three planners that place each buffer once. Then it
//! moves the items that cause the peak forward in the placement order, as `search` describes.
//!
//! If there are too many conflicts to list, as with a hundred thousand buffers or with some
//! thousand that are live at once, the search cannot run. Feedback skylines run instead, and the
//! plan has the name of the planner that made it.
//!
//! Source: those of `search`. TVM's Unified Static Memory Planner has a planner of this name, which
//! swaps two buffers of the order at a time (Apache TVM, 2021).

use super::budget::Budget;
use super::conflicts::Conflicts;
use super::search::Search;
use super::steps::Steps;
use super::unplaced::FirstItems;
use super::{Plan, Task, by_area, by_conflicts, by_size, feedback, orders};
use crate::Planner;
use crate::bounds::LowerBound;
use crate::timeline::Timeline;

/// Steps of a climb for each item, the minimum and the maximum. A step takes about 10 ns.
const STEPS_PER_ITEM: u64 = 250;
const STEPS_AT_LEAST: u64 = 2_500;
const STEPS_AT_MOST: u64 = 5_000_000;

/// The targets of the climbs, which take them round-robin, as a part of the distance from the lower
/// bound to the best plan, in 64ths. A tight target prunes best if it can be met. If it cannot, a
/// close one still lowers the peak.
const TARGETS: [u64; 4] = [0, 16, 48, 63];

/// The most skylines if there are too many conflicts to list.
const SKYLINES: usize = 16;

/// The best plan found. Climbs until the goal is met or the effort is spent. The climbs do not
/// depend on the effort, so more effort is never worse.
pub fn plan(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: Option<&Conflicts>,
    lower: &LowerBound,
) -> Plan {
    let goal = task.goal(lower);
    let mut best = by_size::plan(timeline, conflicts);
    for start in [by_conflicts::plan, by_area::plan] {
        if best.peak > goal {
            best.keep_better(start(timeline, conflicts));
        }
    }
    let mut budget = Budget::new(task);
    match conflicts {
        Some(conflicts) => {
            let seed = task.options.seed.wrapping_add(1);
            let mut search = Search::new(timeline, conflicts, seed);
            let share = STEPS_PER_ITEM * timeline.items.len() as u64;
            let share = share.clamp(STEPS_AT_LEAST, STEPS_AT_MOST);
            for part in TARGETS.into_iter().cycle() {
                task.note(best.peak, lower);
                if best.peak <= goal || budget.spent() {
                    break;
                }
                let target = task.target(lower, &best, part);
                let allowed = budget.share(share);
                let order = orders::by_offset(&best);
                search.run(&order, target, &mut best, &mut Steps::new(allowed));
                budget.take(allowed);
            }
        }
        None if best.peak > goal => {
            let layout = FirstItems::new(timeline);
            feedback::improve(timeline, &layout, SKYLINES, goal, &mut budget, &mut best);
            return best;
        }
        None => return best,
    }
    best.named(Planner::HillClimb)
}
