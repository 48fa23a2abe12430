//! `by-conflicts`: the buffer with the most conflicting bytes first, each at the lowest free offset.
//!
//! Source: `greedy_by_conflicts` of TVM's Unified Static Memory Planner (Apache TVM, 2021), which
//! counts the conflicting buffers; counting their bytes tells a large neighbour from a small one.

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::unplaced::FirstItems;
use super::{Plan, orders, skyline};
use crate::Planner;
use crate::timeline::Timeline;

/// Places by decreasing bytes in conflict, which include the item's own, then by size. Equals stay
/// in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = orders::by_conflicts(timeline);
    match conflicts {
        Some(conflicts) => place(timeline, conflicts, &order, Fit::Lowest),
        None => skyline::plan(timeline, &FirstItems::new(timeline), &order),
    }
    .named(Planner::ByConflicts)
}
