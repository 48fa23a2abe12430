//! `best-fit`: in program order, each buffer in the smallest free gap that holds it, or above all
//! others if there is none. Upstream MLIR's `static-memory-planner-analysis{algorithm=best-fit}`
//! does the same.

use super::conflicts::Conflicts;
use super::place::{Fit, place};
use super::{Plan, sweep};
use crate::Planner;
use crate::timeline::Timeline;

/// Places in program order into the tightest gap.
pub fn plan(timeline: &Timeline, conflicts: Option<&Conflicts>) -> Plan {
    match conflicts {
        Some(conflicts) => {
            let order: Vec<u32> = (0..timeline.items.len() as u32).collect();
            place(timeline, conflicts, &order, Fit::Tightest)
        }
        None => sweep::plan(timeline, Fit::Tightest),
    }
    .named(Planner::BestFit)
}
