//! `by-area`: largest size times live time first, each at the lowest free offset. Time counts in
//! sections, so that stretches in which nothing starts weigh nothing.

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::waiting::Layout;
use super::{Plan, orders, skyline};
use crate::Planner;
use crate::timeline::Timeline;

/// Places by decreasing area; among equals in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = orders::by_area(timeline);
    match conflicts {
        Some(conflicts) => place(timeline, conflicts, &order, Fit::Lowest),
        None => skyline::plan(timeline, &Layout::new(timeline), &order),
    }
    .named(Planner::ByArea)
}
