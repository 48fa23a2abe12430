//! `by-area`: largest size times live time first, each at the lowest free offset. Time counts in
//! sections, so that stretches in which nothing starts weigh nothing.

use super::conflicts::Conflicts;
use super::place::{Fit, Placer};
use super::{Plan, skyline};
use crate::Planner;
use crate::timeline::Timeline;
use std::cmp::Reverse;

/// Places by decreasing area; among equals in program order.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    let order = order(timeline);
    match conflicts {
        Some(conflicts) => Placer::new(timeline, conflicts).place(&order, Fit::Lowest),
        None => skyline::plan(timeline, &order),
    }
    .named(Planner::ByArea)
}

/// The items by decreasing area.
pub fn order(timeline: &Timeline) -> Vec<u32> {
    let mut keyed: Vec<(Reverse<u128>, u32)> = (0u32..)
        .zip(&timeline.items)
        .map(|(index, item)| {
            let sections: u64 = timeline
                .spans(item)
                .iter()
                .map(|span| u64::from(span.end - span.start))
                .sum();
            (Reverse(u128::from(item.size) * u128::from(sections)), index)
        })
        .collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}
