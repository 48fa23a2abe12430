//! `by-size`: largest first, each at the lowest free offset (Pisarchyk and Lee, "Efficient Memory
//! Management for Deep Neural Net Inference", 2020: greedy by size for offset calculation).

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::unplaced::FirstItems;
use super::{Plan, orders, skyline};
use crate::Planner;
use crate::timeline::Timeline;

/// Places by decreasing size; among equals in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = orders::by_size(timeline);
    match conflicts {
        Some(conflicts) => place(timeline, conflicts, &order, Fit::Lowest),
        None => skyline::plan(timeline, &FirstItems::new(timeline), &order),
    }
    .named(Planner::BySize)
}
