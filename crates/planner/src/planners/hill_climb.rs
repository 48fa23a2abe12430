//! `hill-climb`: starts from the best plan of three planners that place each buffer once, and moves
//! what is to blame for the peak forward in the placement order, as `search` describes.
//!
//! Source: those of `search`; TVM's Unified Static Memory Planner has a planner of this name, which
//! swaps two buffers of the order at a time (Apache TVM, 2021).

use super::conflicts::Conflicts;
use super::search::Search;
use super::steps::Steps;
use super::waiting::Layout;
use super::{Plan, by_area, by_conflicts, by_size, feedback, orders};
use crate::Planner;
use crate::timeline::Timeline;

/// Steps for each item, and the least and the most for a problem. A step takes about 10 ns.
const STEPS_PER_ITEM: u64 = 2_000;
const STEPS_AT_LEAST: u64 = 20_000;
const STEPS_AT_MOST: u64 = 40_000_000;

/// The targets of the climbs: which part of the way from the lower bound to the best plan, in 64ths.
/// A tight target prunes best where it can be met; where it cannot, a near one still leads down.
const TARGETS: [u64; 8] = [0, 16, 48, 63, 0, 16, 48, 63];

/// Rounds and items of the skylines that climb where the conflicts are too many to list.
const SKYLINES: usize = 16;
const SKYLINE_ITEMS: usize = 4_000_000;

/// The best plan that was found.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>, lower_bound: u64) -> Plan {
    let mut best = by_size::plan(timeline, conflicts);
    for start in [by_conflicts::plan, by_area::plan] {
        if best.peak > lower_bound {
            best.keep(start(timeline, conflicts));
        }
    }
    match conflicts {
        Some(conflicts) => climb(timeline, conflicts, lower_bound, &mut best),
        None => {
            let affordable = SKYLINE_ITEMS / timeline.items.len().max(1);
            let rounds = affordable.clamp(1, SKYLINES);
            let layout = Layout::new(timeline);
            feedback::improve(timeline, &layout, rounds, lower_bound, &mut best);
        }
    }
    best.named(Planner::HillClimb)
}

fn climb(timeline: &Timeline, conflicts: &Conflicts, lower_bound: u64, best: &mut Plan) {
    let count = timeline.items.len() as u64;
    let steps = (STEPS_PER_ITEM * count).clamp(STEPS_AT_LEAST, STEPS_AT_MOST);
    let mut search = Search::new(timeline, conflicts, 1);
    for part in TARGETS {
        if best.peak <= lower_bound {
            return;
        }
        let way = u128::from(best.peak - lower_bound) * u128::from(part);
        let target = lower_bound + (way >> 6) as u64;
        let mut steps = Steps::new(steps / TARGETS.len() as u64);
        search.run(&orders::by_offset(best), target, best, &mut steps);
    }
}
