//! `auto`: quick planners first, then a bounded improvement of what they found.
//!
//! The quick planners run in turn until one meets the lower bound, which most networks let the
//! first do; skylines that learn from their peak come last. Else, where the conflict graph is small
//! enough to have, rounds of beam search and local search follow, each with a target height and its
//! share of the steps. Most targets are the lower bound or near it, because a tight target prunes
//! best; some are close to the best plan so far, for problems whose lower bound no plan meets.
//!
//! An exact solver would follow as one more step of [`plan`].

use super::conflicts::Conflicts;
use super::search::Search;
use super::steps::Steps;
use super::waiting::Layout;
use super::{Plan, beam, best_fit, by_area, by_size, feedback, first_fit, orders, skyline};
use crate::timeline::Timeline;

/// Steps for improvement: for each item, and the least and the most for a problem. A step takes
/// about 10 ns.
const STEPS_PER_ITEM: u64 = 1_000;
const STEPS_AT_LEAST: u64 = 60_000;
const STEPS_AT_MOST: u64 = 40_000_000;

/// Skylines that learn, at most.
const FEEDBACK_ROUNDS: usize = 24;

/// Items that the skylines of one kind may have together; what bounds the time for large problems.
const SKYLINE_ITEMS: usize = 400_000;

/// The targets of the rounds: which part of the way from the lower bound to the best plan, in 64ths.
const TARGETS: [u64; 8] = [0, 2, 16, 0, 2, 16, 0, 63];

/// The most states of a beam.
const WIDTH: u64 = 32;

/// The best plan that was found; of equals the one found first.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>, lower_bound: u64) -> Plan {
    let mut best = quick(timeline, conflicts, lower_bound);
    let count = timeline.items.len() as u64;
    let steps = (STEPS_PER_ITEM * count).clamp(STEPS_AT_LEAST, STEPS_AT_MOST);
    if let Some(conflicts) = conflicts
        && best.peak > lower_bound
    {
        improve(timeline, conflicts, lower_bound, steps, &mut best);
    }
    best
}

/// The best of the planners that place each item once.
fn quick(timeline: &Timeline, conflicts: Option<&Conflicts>, lower_bound: u64) -> Plan {
    let mut best = by_size::plan(timeline, conflicts);
    for planner in [by_area::plan, first_fit::plan, best_fit::plan] {
        if best.peak <= lower_bound {
            return best;
        }
        best.keep(planner(timeline, conflicts));
    }
    let layout = Layout::new(timeline);
    // Without conflicts, by-area and by-size were skylines already.
    let most = if conflicts.is_some() { 4 } else { 2 };
    let affordable = SKYLINE_ITEMS / timeline.items.len().max(1);
    let orders = [
        orders::by_hot_time,
        orders::by_time,
        orders::by_area,
        orders::by_size,
    ];
    for order in &orders[..affordable.clamp(1, most)] {
        if best.peak <= lower_bound {
            return best;
        }
        best.keep(skyline::plan(timeline, &layout, &order(timeline)));
    }
    if best.peak > lower_bound {
        let rounds = (affordable / 2).min(FEEDBACK_ROUNDS);
        feedback::improve(timeline, &layout, rounds, lower_bound, &mut best);
    }
    best
}

/// Rounds of beam search and local search.
fn improve(
    timeline: &Timeline,
    conflicts: &Conflicts,
    lower_bound: u64,
    steps: u64,
    best: &mut Plan,
) {
    let backward = orders::backward(timeline);
    let forward = orders::forward(timeline);
    let by_size = orders::by_size(timeline);
    let mut search = Search::new(timeline, conflicts, 1);
    let share = steps / TARGETS.len() as u64;
    let width = beam::affordable(timeline, conflicts, share).min(WIDTH);
    for (round, part) in TARGETS.into_iter().enumerate() {
        if best.peak <= lower_bound {
            return;
        }
        let target =
            lower_bound + ((u128::from(best.peak - lower_bound) * u128::from(part)) >> 6) as u64;
        let mut steps = Steps::new(share);
        let order = if round % 2 == 0 { &backward } else { &forward };
        if width >= 2
            && let Some(plan) = beam::plan(
                timeline,
                conflicts,
                order,
                target,
                width as usize,
                &mut steps,
            )
        {
            best.keep(plan);
            continue;
        }
        let mut steps = Steps::new(share);
        if round % 2 == 0 {
            search.run(&orders::by_offset(best), target, best, &mut steps);
        } else {
            search.run(&by_size, target, best, &mut steps);
        }
    }
}
