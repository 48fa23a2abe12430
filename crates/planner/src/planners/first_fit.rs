//! `first-fit`: in program order, each buffer at the lowest offset that is free while it is live. A
//! memory allocator that searches for the first free gap does the same (Knuth, The Art of Computer
//! Programming 1, 2.5).

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::{Plan, sweep};
use crate::Planner;
use crate::timeline::Timeline;

/// Places in program order at the lowest offset.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    match conflicts {
        Some(conflicts) => {
            let order: Vec<u32> = (0..timeline.items.len() as u32).collect();
            place(timeline, conflicts, &order, Fit::Lowest)
        }
        None => sweep::plan(timeline, Fit::Lowest),
    }
    .named(Planner::FirstFit)
}
