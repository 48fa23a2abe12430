//! `by-area`: the largest product of size and live time first, each at the lowest free offset. Time
//! is counted in sections, so that time without a start has no weight.

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::unplaced::FirstItems;
use super::{Plan, orders, skyline};
use crate::Planner;
use crate::timeline::Timeline;

/// Places by decreasing area; among equals in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = orders::by_area(timeline);
    match conflicts {
        Some(conflicts) => place(timeline, conflicts, &order, Fit::Lowest),
        None => skyline::plan(timeline, &FirstItems::new(timeline), &order),
    }
    .named(Planner::ByArea)
}
