//! `large`: for up to millions of buffers; it never looks at pairs of buffers.
//!
//! 1. If nearly all bytes are used at all times, `dissection` tries to recover a perfect packing.
//! 2. Skylines, with orders by time in crowded sections and several definitions of crowded.
//! 3. Feedback skylines, in which items that ended too high come earlier (`feedback`).
//!
//! The attempts have a fixed order, and the first always runs. The effort limits their number. A
//! plan that meets the goal ends the sequence.
//!
//! Effect on `auto`, measured with `memplan solve`: 60,000 buffers of up to 1 MiB at uniform times,
//! some hundred live at once, end 1.7% above the load with it, and 3.7% without.
//!
//! Source: those of its parts. Experiments with generated packings of up to a million buffers
//! selected the parts that are worth their time.

use super::budget::{Budget, pass};
use super::place::Fit;
use super::unplaced::FirstItems;
use super::{Plan, Task, compaction, dissection, feedback, orders, skyline, sweep};
use crate::Planner;
use crate::timeline::Timeline;

/// The order of the first skyline.
const FIRST: fn(&Timeline) -> Vec<u32> = |timeline| orders::by_heat(timeline, 5);

/// The orders of the other skylines, the most promising first. Fuller sections weigh more; the
/// orders differ in how much more.
const ORDERS: [fn(&Timeline) -> Vec<u32>; 7] = [
    orders::by_area,
    |timeline| orders::by_heat(timeline, 6),
    |timeline| orders::by_heat(timeline, 4),
    |timeline| orders::by_heat(timeline, 3),
    orders::by_hot_time,
    orders::by_size,
    orders::by_time,
];

/// The most feedback skylines.
const FEEDBACK_ROUNDS: usize = 24;

/// The best plan found; `goal` is a peak in bytes that is good enough.
pub fn plan(task: &Task<'_>, timeline: &Timeline, goal: u64) -> Plan {
    improve(task, timeline, goal, dissection::plan(timeline))
}

/// The best plan found, given the result of the dissection.
pub fn improve(task: &Task<'_>, timeline: &Timeline, goal: u64, dissected: Option<Plan>) -> Plan {
    let mut budget = Budget::of_passes(task);
    let mut plan = match dissected {
        Some(plan) if is_near(&plan, goal) => plan,
        other => skylines(timeline, goal, &mut budget, other),
    };
    // Skylines leave the bytes below fixed items unused.
    if plan.peak > goal && timeline.items.iter().any(|item| item.fixed.is_some()) && !task.is_late()
    {
        plan.keep_better(sweep::plan(timeline, Fit::Lowest));
    }
    plan.named(Planner::Large)
}

/// Whether a dissection is so close to the goal that skylines are not worth trying. If nearly all
/// bytes are used, skylines leave far more free.
pub fn is_near(plan: &Plan, goal: u64) -> bool {
    plan.peak <= goal.saturating_add(goal / 128)
}

/// The best of `best` and of skylines; without `best` at least one is built.
fn skylines(timeline: &Timeline, goal: u64, budget: &mut Budget<'_>, best: Option<Plan>) -> Plan {
    let layout = FirstItems::new(timeline);
    let skyline = |order: fn(&Timeline) -> Vec<u32>| {
        let plan = skyline::plan(timeline, &layout, &order(timeline));
        compaction::compact(timeline, plan)
    };
    let mut best = best.unwrap_or_else(|| skyline(FIRST));
    for order in ORDERS {
        if best.peak <= goal || !budget.affords(pass(timeline.items.len())) {
            return best;
        }
        best.keep_better(skyline(order));
    }
    if best.peak > goal {
        feedback::improve(timeline, &layout, FEEDBACK_ROUNDS, goal, budget, &mut best);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Options, Problem};

    #[test]
    fn problems_without_a_packing_get_a_skyline() {
        let buffers = (0..50).map(|id| Buffer::new(id, 1 + id % 7, [(id, id + 1 + id % 5)]));
        let problem = Problem::new(buffers.collect()).expect("valid");
        let timeline = Timeline::new(&problem);
        let load = timeline.sums(|_, item| item.size).into_iter().max();
        let options = Options::default();
        let plan = plan(&Task::new(&problem, &options, None), &timeline, 0);
        assert_eq!(plan.planner, "large");
        assert!(plan.peak <= 2 * load.unwrap_or(0));
    }

    #[test]
    fn holes_of_a_plan_are_filled() {
        let buffers = vec![
            Buffer::new(0, 10, [(0, 2), (6, 8)]),
            Buffer::new(1, 10, [(2, 6)]),
        ];
        let problem = Problem::new(buffers).expect("valid");
        let options = Options::default();
        let task = Task::new(&problem, &options, None);
        assert_eq!(plan(&task, &Timeline::new(&problem), 0).peak, 10);
    }

    #[test]
    fn near_is_within_a_hundredth() {
        let plan = |peak| Plan {
            offsets: Vec::new(),
            peak,
            planner: "test",
        };
        assert!(is_near(&plan(1_007), 1_000));
        assert!(!is_near(&plan(1_008), 1_000));
        assert!(is_near(&plan(1_008), u64::MAX));
    }
}
