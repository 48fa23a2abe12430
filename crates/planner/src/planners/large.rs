//! `large`: for up to millions of buffers; nothing in it looks at pairs of them.
//!
//! 1. Where nearly all bytes are taken at all times, the problem is read as a `dissection`.
//! 2. Skylines over orders by time in crowded sections, with several ideas of what is crowded.
//! 3. Skylines that learn from what ended too high in the one before (`feedback`).
//!
//! The attempts come in a fixed sequence; how many there are depends on how many items there are. A
//! plan that is good enough ends it.
//!
//! Source: those of its parts; which of them are worth their time was found out on generated
//! packings of up to a million buffers.

use super::place::Fit;
use super::waiting::Layout;
use super::{Plan, dissection, feedback, orders, settle, skyline, sweep};
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

/// Items that all skylines may have together: what bounds the time for large problems.
const SKYLINE_ITEMS: usize = 2_000_000;

/// Skylines that learn, at most.
const FEEDBACK_ROUNDS: usize = 24;

/// The best plan found; `goal` is a peak that is good enough, in bytes.
pub fn plan(timeline: &Timeline, goal: u64) -> Plan {
    improve(timeline, goal, dissection::plan(timeline))
}

/// The best plan found, where it is known already what comes of the dissection.
pub fn improve(timeline: &Timeline, goal: u64, dissected: Option<Plan>) -> Plan {
    let plan = match dissected {
        Some(plan) if is_near(&plan, goal) => plan,
        other => skylines(timeline, goal, other),
    };
    let mut plan = settle::settle(timeline, plan);
    // Skylines leave the bytes below fixed items unused.
    if plan.peak > goal && timeline.items.iter().any(|item| item.fixed.is_some()) {
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
fn skylines(timeline: &Timeline, goal: u64, best: Option<Plan>) -> Plan {
    let layout = Layout::new(timeline);
    let affordable = (SKYLINE_ITEMS / timeline.items.len().max(1)).max(1);
    let skyline =
        |order: fn(&Timeline) -> Vec<u32>| skyline::plan(timeline, &layout, &order(timeline));
    let mut best = best.unwrap_or_else(|| skyline(FIRST));
    for order in ORDERS.into_iter().take(affordable - 1) {
        if best.peak <= goal {
            return best;
        }
        best.keep(skyline(order));
    }
    let rounds = affordable.saturating_sub(ORDERS.len() + 1);
    feedback::improve(
        timeline,
        &layout,
        rounds.min(FEEDBACK_ROUNDS),
        goal,
        &mut best,
    );
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    #[test]
    fn what_is_no_packing_gets_a_skyline() {
        let buffers = (0..50).map(|id| Buffer::new(id, 1 + id % 7, [(id, id + 1 + id % 5)]));
        let timeline = Timeline::new(&Problem::new(buffers.collect()).expect("valid"));
        let load = timeline.sums(|_, item| item.size).into_iter().max();
        let plan = plan(&timeline, 0);
        assert_eq!(plan.planner, "large");
        assert!(plan.peak <= 2 * load.unwrap_or(0));
    }

    #[test]
    fn holes_of_a_plan_are_filled() {
        let buffers = vec![
            Buffer::new(0, 10, [(0, 2), (6, 8)]),
            Buffer::new(1, 10, [(2, 6)]),
        ];
        let timeline = Timeline::new(&Problem::new(buffers).expect("valid"));
        assert_eq!(plan(&timeline, 0).peak, 10);
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
