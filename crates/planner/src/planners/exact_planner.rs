//! The planner `exact`: the better one of the plans of `auto`, with the whole effort, and of exact search from the plan
//! by size, with the whole effort again.
//!
//! Neither depends on the other, except that the search stops where the plan of `auto` is good enough or its bound is
//! reached. So more effort is never worse, and the plan is never worse than that of `auto`.

use super::conflicts::Conflicts;
use super::exact::{self, Model};
use super::{Plan, Task, auto, by_size};
use crate::Planner;
use crate::bounds::LowerBound;
use crate::timeline::Timeline;

/// The better plan. If there are more items than the search takes ([`Model::new`]), or more conflicts than are listed,
/// it is that of `auto`, under the name of its planner.
pub fn plan(task: &Task<'_>, timeline: &Timeline, lower: &mut LowerBound) -> Plan {
    let mut own_lower = lower.clone();
    let best = auto::plan(task, timeline, lower);
    let goal = task.goal(lower);
    let conflicts = Conflicts::new(timeline);
    let Some(listed) = &conflicts else {
        return best;
    };
    let Some(model) = Model::new(timeline, listed) else {
        return best;
    };
    let mut best = best.named(Planner::Exact);
    if best.peak > goal {
        let start = by_size::plan(timeline, Some(listed));
        let found = exact::search(task, timeline, &model, goal, start, &mut own_lower);
        best.keep_better(found.named(Planner::Exact));
        lower.raise(own_lower.bound, || own_lower.certificate);
    }
    best
}
