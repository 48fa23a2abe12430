//! Plans the items that are live in crowded sections first, as a problem of its own, and then the
//! other items around them.
//!
//! In large programs a few sections determine the peak. The items live in them, the *core*, are a
//! small part of all items. They are few enough for planners that cannot handle all items. The
//! other items are live in no crowded section, so there is space for them between and above those
//! of the core. If some of them end above the goal, their sections become crowded, too, and the
//! core is planned again.
//!
//! Effect, measured with `memplan solve`: 30,000 buffers of up to 64 KiB, some hundred of them live
//! at once and one in a hundred fixed all the time, end 0.5% above the load with it, and 0.9%
//! without (`--planner large`).

use super::budget::{Budget, pass};
use super::{Plan, Task, obstacle_skyline, orders};
use crate::bounds::LowerBound;
use crate::timeline::Timeline;
use crate::watch::Until;
use crate::{Effort, Problem};
use std::time::Instant;

/// Sections with at least this part of the goal, in percent, are crowded. A small core is easier to
/// plan; a large core leaves less around it.
const CROWDED: [u128; 2] = [90, 95];

/// The most growth rounds of a core.
const CORES: usize = 4;

/// Steps of the first search of a core, and the growth factor of the next ones.
const FIRST_SEARCH: u64 = 1 << 20;
const GROWTH: u64 = 4;

/// The least number of passes over a core that its plan may take.
const PASSES: u64 = 4;

/// The planner that plans a core.
#[derive(Clone, Copy)]
pub struct CorePlanner {
    /// The steps that do not depend on the effort.
    pub fixed_steps: fn(&Timeline) -> u64,
    /// Returns the best plan found.
    pub plan: fn(&Task<'_>, &Timeline, &mut LowerBound) -> Plan,
}

/// Plans cores and the items around them without search, until the goal is met.
pub fn quick(task: &Task<'_>, timeline: &Timeline, goal: u64, inner: CorePlanner, best: &mut Plan) {
    let mut budget = Budget::of_passes(task);
    improve(task, timeline, goal, 0, inner, &mut budget, best);
}

/// The same with more and more steps for each core, as long as their total is within the effort.
/// More effort adds searches.
pub fn search(
    task: &Task<'_>,
    timeline: &Timeline,
    goal: u64,
    inner: CorePlanner,
    best: &mut Plan,
) {
    let mut budget = Budget::of_passes(task);
    let mut steps = FIRST_SEARCH;
    while best.peak > goal && steps <= budget.left() && !budget.spent() {
        task.note(best.peak, &LowerBound::default());
        improve(task, timeline, goal, steps, inner, &mut budget, best);
        steps = steps.saturating_mul(GROWTH);
    }
}

fn improve(
    task: &Task<'_>,
    timeline: &Timeline,
    goal: u64,
    steps: u64,
    inner: CorePlanner,
    budget: &mut Budget<'_>,
    best: &mut Plan,
) {
    // The cores must not depend on `best`, which depends on the effort.
    let mut lowest = u64::MAX;
    let loads = timeline.sums(|_, item| item.size);
    let order = orders::by_size(timeline);
    for percent in CROWDED {
        let crowded = |&load| u128::from(load) * 100 >= u128::from(goal) * percent;
        let mut crowded: Vec<bool> = loads.iter().map(crowded).collect();
        for _ in 0..CORES {
            if best.peak <= goal {
                return;
            }
            let Some(core) = Core::new(task.problem, timeline, &crowded) else {
                break;
            };
            if !budget.affords(2 * pass(timeline.items.len())) {
                return;
            }
            let part = Timeline::new(&core.problem);
            let passes = PASSES * pass(part.items.len());
            // Every pass-based phase of the planner may take this many steps, and the search its
            // own.
            let all = passes.max(steps).saturating_mul(3);
            if !budget.affords((inner.fixed_steps)(&part).saturating_add(all)) {
                return;
            }
            let limits = Task {
                problem: &core.problem,
                options: &task.options.with_effort(Effort::Steps(steps)),
                until: share_of_time(budget.until),
                watch: None,
                others: 0,
                passes: passes.max(steps),
            };
            let Some(given) = core.plan(&limits, &part, goal, inner, lowest) else {
                break;
            };
            let plan = obstacle_skyline::plan(timeline, &given, &order);
            mark_crowded(timeline, &plan, goal, &mut crowded);
            lowest = lowest.min(plan.peak);
            best.keep_better(Plan {
                planner: "core",
                ..plan
            });
        }
    }
}

/// The deadline of a core: its share of the time that is left.
fn share_of_time(until: Until<'_>) -> Until<'_> {
    let now = Instant::now();
    let deadline = until.deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(now);
        now + left / (CROWDED.len() * CORES) as u32
    });
    Until { deadline, ..until }
}

/// Marks the sections of items that end above the goal as crowded.
fn mark_crowded(timeline: &Timeline, plan: &Plan, goal: u64, crowded: &mut [bool]) {
    for (item, offset) in timeline.items.iter().zip(&plan.offsets) {
        if !item.reserved && offset + item.size > goal {
            for span in timeline.spans(item) {
                crowded[span.start as usize..span.end as usize].fill(true);
            }
        }
    }
}

/// The items that are live in crowded sections or fixed.
struct Core {
    /// For each item of the whole timeline, whether it belongs to the core.
    chosen: Vec<bool>,
    problem: Problem,
}

impl Core {
    /// The core; `None` if it has more than half of the items.
    fn new(problem: &Problem, timeline: &Timeline, crowded: &[bool]) -> Option<Self> {
        let mut before = vec![0u32];
        for &crowded in crowded {
            before.push(before[before.len() - 1] + u32::from(crowded));
        }
        let in_crowd = |index: usize| {
            let item = &timeline.items[index];
            let spans = timeline.spans(item).iter();
            let crowded = |span: u32| before[span as usize];
            item.fixed.is_some()
                || spans
                    .into_iter()
                    .any(|span| crowded(span.end) > crowded(span.start))
        };
        let chosen: Vec<bool> = (0..timeline.items.len()).map(in_crowd).collect();
        let items = timeline.items.iter().zip(&chosen);
        let items = items.filter(|(item, chosen)| **chosen && !item.reserved);
        // Counted first: most cores of large problems are too large, and copies of their buffers would take long.
        if items.clone().count() * 2 > timeline.items.len() {
            return None;
        }
        let buffers = items.map(|(item, _)| problem.buffers[item.buffer as usize].clone());
        let problem = Problem {
            buffers: buffers.collect(),
            capacity: None,
            forbidden: problem.forbidden.clone(),
            banks: None,
        };
        Some(Core { chosen, problem })
    }

    /// The offsets of the core's items, if their peak is below `limit`.
    fn plan(
        &self,
        task: &Task<'_>,
        timeline: &Timeline,
        goal: u64,
        inner: CorePlanner,
        limit: u64,
    ) -> Option<Vec<Option<u64>>> {
        let problem = Problem {
            capacity: Some(goal),
            ..self.problem.clone()
        };
        let task = Task {
            problem: &problem,
            ..*task
        };
        let plan = (inner.plan)(&task, timeline, &mut LowerBound::default());
        if plan.peak >= limit {
            return None;
        }
        // Buffers are in the order of the items that they come from.
        let mut offsets = vec![None; problem.buffers.len()];
        let items = timeline.items.iter().zip(&plan.offsets);
        for (item, &offset) in items.filter(|(item, _)| !item.reserved) {
            offsets[item.buffer as usize] = Some(offset);
        }
        let mut offsets = offsets.into_iter();
        let given = self.chosen.iter().map(|&chosen| match chosen {
            true => offsets.next().flatten(),
            false => None,
        });
        Some(given.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{auto, by_size};
    use super::*;
    use crate::{Buffer, Options};

    /// A time at which many buffers are live, and many other buffers before and after it with space
    /// between them.
    fn crowd() -> Problem {
        let mut buffers = Vec::new();
        for index in 0..40u64 {
            let (start, end) = (100 - index * 2, 101 + (index * 7) % 40);
            buffers.push(Buffer::new(index, 50 + (index * 37) % 100, [(start, end)]));
        }
        for index in 0..400u64 {
            let start = index * 2 % 90 + (index % 2) * 110;
            buffers.push(Buffer::new(
                1000 + index,
                5 + index % 7,
                [(start, start + 3)],
            ));
        }
        Problem::new(buffers).expect("valid")
    }

    #[test]
    fn a_core_has_the_items_in_crowded_sections_and_fixed_ones() {
        let mut problem = crowd();
        problem.buffers[400].fixed_offset = Some(1 << 20);
        let timeline = Timeline::new(&problem);
        let loads = timeline.sums(|_, item| item.size);
        let most = loads.iter().copied().max().unwrap_or(0);
        let crowded: Vec<bool> = loads.iter().map(|&load| load == most).collect();
        let core = Core::new(&problem, &timeline, &crowded).expect("a small part");
        let ids: Vec<u64> = core
            .problem
            .buffers
            .iter()
            .map(|buffer| buffer.id)
            .collect();
        assert_eq!(ids.len(), 41);
        assert!(
            ids.iter()
                .all(|&id| id < 40 || id == problem.buffers[400].id)
        );
        assert!(Core::new(&problem, &timeline, &vec![true; crowded.len()]).is_none());
    }

    #[test]
    fn items_around_the_core_do_not_raise_the_peak() {
        let problem = crowd();
        let timeline = Timeline::new(&problem);
        let goal = timeline
            .sums(|_, item| item.size)
            .into_iter()
            .max()
            .unwrap_or(0);
        let options = Options::default();
        let task = Task::new(&problem, &options, None);
        let mut best = by_size::plan(&timeline, None);
        best.peak = u64::MAX;
        search(&task, &timeline, goal, auto::CORE_PLANNER, &mut best);
        assert_eq!((best.peak, best.planner), (goal, "core"));
    }
}
