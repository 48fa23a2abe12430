//! `by-size`: largest first, each at the lowest free offset (Pisarchyk and Lee, "Efficient Memory
//! Management for Deep Neural Net Inference", 2020: greedy by size for offset calculation).

use super::conflicts::Conflicts;
use super::place::{Fit, Placer};
use super::{Plan, skyline};
use crate::Planner;
use crate::timeline::Timeline;
use std::cmp::Reverse;

/// Places by decreasing size; among equals in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = order(timeline);
    match conflicts {
        Some(conflicts) => Placer::new(timeline, conflicts).place(&order, Fit::Lowest),
        None => skyline::plan(timeline, &order),
    }
    .named(Planner::BySize)
}

/// The items by decreasing size.
pub fn order(timeline: &Timeline) -> Vec<u32> {
    let mut order: Vec<u32> = (0..timeline.items.len() as u32).collect();
    order.sort_by_key(|&item| Reverse(timeline.items[item as usize].size));
    order
}
