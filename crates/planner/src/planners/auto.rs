//! `auto`: the best of the others.

use super::conflicts::Conflicts;
use super::{Plan, best_fit, by_area, by_size, first_fit};
use crate::timeline::Timeline;

/// Runs the planners in turn until one meets the lower bound; the best plan, the earliest of these.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>, lower_bound: u64) -> Plan {
    let mut best = by_size::plan(timeline, conflicts);
    for planner in [by_area::plan, first_fit::plan, best_fit::plan] {
        if best.peak <= lower_bound {
            break;
        }
        let plan = planner(timeline, conflicts);
        if plan.peak < best.peak {
            best = plan;
        }
    }
    best
}
