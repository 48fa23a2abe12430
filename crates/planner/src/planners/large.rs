//! `large`: for up to millions of buffers; nothing in it looks at pairs of them.
//!
//! 1. Where nearly all bytes are taken at all times, the problem is read as a `dissection`.
//! 2. Skylines over orders by time in crowded sections, with several ideas of what is crowded.
//! 3. Skylines that learn from what ended too high in the one before (`feedback`).
//!
//! The attempts come in a fixed sequence, the first of them always; how many there are depends on the
//! effort. A plan that is good enough ends it.
//!
//! What it is worth to `auto`, as `memplan solve` says: 60,000 buffers at uniform times of up to 1 MiB,
//! some hundred live at once, end 1.7% above the load with it, and 3.7% without.
//!
//! Source: those of its parts; which of them are worth their time was found out on generated
//! packings of up to a million buffers.

use super::budget::{Budget, pass};
use super::place::Fit;
use super::waiting::Layout;
use super::{Plan, Task, dissection, feedback, orders, settle, skyline, sweep};
use crate::Planner;
use crate::timeline::Timeline;

/// The order in which the first skyline is filled.
const FIRST: fn(&Timeline) -> Vec<u32> = |timeline| orders::by_heat(timeline, 5);

/// Those of the others, the most promising first. The fullest sections weigh
/// most; how much more than others differs.
const ORDERS: [fn(&Timeline) -> Vec<u32>; 7] = [
    orders::by_area,
    |timeline| orders::by_heat(timeline, 6),
    |timeline| orders::by_heat(timeline, 4),
    |timeline| orders::by_heat(timeline, 3),
    orders::by_hot_time,
    orders::by_size,
    orders::by_time,
];

/// Skylines that learn, at most.
const FEEDBACK_ROUNDS: usize = 24;

/// The best plan found; `goal` is a peak that is good enough, in bytes.
pub fn plan(task: &Task<'_>, timeline: &Timeline, goal: u64) -> Plan {
    improve(task, timeline, goal, dissection::plan(timeline))
}

/// The best plan found, where it is known already what comes of the dissection.
pub fn improve(task: &Task<'_>, timeline: &Timeline, goal: u64, dissected: Option<Plan>) -> Plan {
    let mut budget = Budget::of_passes(task);
    let mut plan = match dissected {
        Some(plan) if is_near(&plan, goal) => plan,
        other => skylines(timeline, goal, &mut budget, other),
    };
    // Skylines leave the bytes below fixed items unused.
    if plan.peak > goal && timeline.items.iter().any(|item| item.fixed.is_some()) && !task.is_late()
    {
        plan.keep(sweep::plan(timeline, Fit::Lowest));
    }
    plan.named(Planner::Large)
}

/// Whether a dissection is so close to the goal that skylines are not worth trying: where nearly all
/// bytes are taken, they leave far more free.
pub fn is_near(plan: &Plan, goal: u64) -> bool {
    plan.peak <= goal.saturating_add(goal / 128)
}

/// The best of `best` and of skylines, of which at least one is made.
fn skylines(timeline: &Timeline, goal: u64, budget: &mut Budget, best: Option<Plan>) -> Plan {
    let layout = Layout::new(timeline);
    let skyline = |order: fn(&Timeline) -> Vec<u32>| {
        let plan = skyline::plan(timeline, &layout, &order(timeline));
        settle::settle(timeline, plan)
    };
    let mut best = best.unwrap_or_else(|| skyline(FIRST));
    for order in ORDERS {
        if best.peak <= goal || !budget.affords(pass(timeline.items.len())) {
            return best;
        }
        best.keep(skyline(order));
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
    fn what_is_no_packing_gets_a_skyline() {
        let buffers = (0..50).map(|id| Buffer::new(id, 1 + id % 7, [(id, id + 1 + id % 5)]));
        let problem = Problem::new(buffers.collect()).expect("valid");
        let timeline = Timeline::new(&problem);
        let load = timeline.sums(|_, item| item.size).into_iter().max();
        let options = Options::default();
        let plan = plan(&Task::new(&problem, &options), &timeline, 0);
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
        let task = Task::new(&problem, &options);
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
