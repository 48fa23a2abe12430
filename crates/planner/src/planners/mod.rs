//! The planners, one file each, over the structures that they share.
//!
//! | file | what |
//! |---|---|
//! | `plain`, `first_fit`, `best_fit`, `by_size`, `by_area` | the planners that have a name |
//! | `skyline` | bottom-up over the lowest segment; for problems of any size |
//! | `search` | bounded local search over placement orders |
//! | `auto` | which of them to run, and when to stop |
//! | `conflicts`, `place` | the conflict graph and placement in a given order, where the graph is small |
//! | `sweep` | placement in program order over the gaps that are free now, where it is not |
//! | `random`, `steps` | a fixed sequence of numbers; effort |

mod auto;
mod best_fit;
mod by_area;
mod by_size;
mod conflicts;
mod first_fit;
mod gaps;
mod place;
mod plain;
mod skyline;
mod steps;
mod sweep;

use crate::Planner;
use crate::timeline::Timeline;
use conflicts::Conflicts;

/// Offsets for the items of a timeline.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// One for each item, in bytes.
    pub offsets: Vec<u64>,
    /// The largest `offset + size`.
    pub peak: u64,
    /// Who made it.
    pub planner: &'static str,
}

impl Plan {
    fn new(timeline: &Timeline, offsets: Vec<u64>, planner: &'static str) -> Self {
        let ends = timeline
            .items
            .iter()
            .zip(&offsets)
            .map(|(item, offset)| offset + item.size);
        let peak = ends.max().unwrap_or(0);
        Plan {
            offsets,
            peak,
            planner,
        }
    }

    fn named(self, planner: Planner) -> Self {
        Plan {
            planner: planner.name(),
            ..self
        }
    }
}

/// Places the items of `timeline`; every planner succeeds. Planners that can stop early do so at
/// a peak of `lower_bound` bytes.
pub(crate) fn plan(planner: Planner, timeline: &Timeline, lower_bound: u64) -> Plan {
    let conflicts = match planner {
        Planner::Plain => None,
        _ => Conflicts::new(timeline),
    };
    let conflicts = conflicts.as_ref();
    match planner {
        Planner::Auto => auto::plan(timeline, conflicts, lower_bound),
        Planner::Plain => plain::plan(timeline),
        Planner::FirstFit => first_fit::plan(timeline, conflicts),
        Planner::BestFit => best_fit::plan(timeline, conflicts),
        Planner::BySize => by_size::plan(timeline, conflicts),
        Planner::ByArea => by_area::plan(timeline, conflicts),
    }
}

/// The least multiple of `alignment` that is not below `offset`.
fn align_up(offset: u64, alignment: u64) -> u64 {
    (offset + (alignment - 1)) & !(alignment - 1)
}
