//! `auto`: quick planners first, then search, then proof.
//!
//! Parts of time that no buffer connects are planned one by one. If nearly all bytes are used at
//! all times, `dissection` looks for a perfect packing. For each other part the quick planners run
//! one by one until a plan meets the goal; for most networks the first one does. Otherwise the
//! steps of the effort go to rounds of exact search, each with a target height, and to rounds of
//! beam search and local search. Most targets are at or near the lower bound, because a tight
//! target prunes best. Some are close to the best plan so far, for problems in which no plan meets
//! the lower bound. The last round of each cycle is a long run at the lower bound. It may refute
//! the bound, which then rises to the proven value. Small problems go to a search with lemmas
//! before the first round and after some rounds.
//!
//! The rounds do not depend on the effort. More effort runs more of them, so it is never worse.

use super::budget::{self, Budget};
use super::conflicts::Conflicts;
use super::exact::{Exact, HEURISTICS, Model};
use super::search::Search;
use super::steps::Steps;
use super::unplaced::FirstItems;
use super::{
    Plan, Task, beam, best_fit, by_area, by_size, core, dissection, exact, feedback, first_fit,
    large, orders, skyline,
};
use crate::bounds::LowerBound;
use crate::timeline::Timeline;

/// Steps of a round of beam search or local search, for each item and at least. A step takes about
/// 10 ns.
const STEPS_PER_ITEM: u64 = 250;
const STEPS_AT_LEAST: u64 = 10_000;

/// The most feedback skylines.
const FEEDBACK_ROUNDS: usize = 24;

/// The most items that the skylines of one kind may place together if conflicts are listed. It
/// bounds the time for large problems.
const SKYLINE_ITEMS: usize = 400_000;

/// The least number of items for which `large` runs, too, if conflicts are listed. With fewer
/// items, the search is as good.
const LARGE_ITEMS: usize = 1 << 11;

/// With fewer items than this, `by-size` runs before anything else.
const FEW_ITEMS: usize = 1 << 11;

/// With this many items, conflicts are never listed.
const TOO_MANY_ITEMS: usize = 1 << 18;

/// Steps of the shortest epoch. The others have multiples of it, in Luby's sequence.
const EPOCH: u64 = 40_000_000;

/// The distance of the seeds of consecutive epochs.
const SEED_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The targets of the rounds, as a part of the distance from the lower bound to the best plan, in
/// 64ths.
const TARGETS: [u64; 4] = [44, 28, 12, 0];

/// The targets with a capacity, which is then the goal. A plan that does not fit should still be as
/// low as possible.
const TARGETS_IN_CAPACITY: [u64; 4] = [0, 40, 0, 0];

/// The largest width of a beam.
const WIDTH: u64 = 32;

/// The planner of cores: plans them like whole problems.
pub const CORE_PLANNER: core::CorePlanner = core::CorePlanner { fixed_steps, plan };

/// The best plan found; of equals the first. Raises `lower` if a higher bound is proven.
pub fn plan(task: &Task<'_>, timeline: &Timeline, lower: &mut LowerBound) -> Plan {
    let parts = timeline.parts();
    if parts.is_empty() {
        return plan_part(task, timeline, lower);
    }
    let mut plans: Vec<StartingPlans> = Vec::with_capacity(parts.len());
    for part in &parts {
        plans.push(starting_plans(task, part, task.goal(lower)));
    }
    // The highest part first: its peak is good enough for the others.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(plans[part].peak()));
    let mut reached = 0;
    for part in order {
        if plans[part].peak() > reached {
            let others = plans.iter().enumerate().filter(|(at, _)| *at != part);
            let task = Task {
                others: others.map(|(_, plan)| plan.peak()).max().unwrap_or(0),
                ..*task
            };
            task.note(plans[part].peak(), lower);
            plans[part].improve(&task, &parts[part], lower);
        }
        reached = reached.max(plans[part].peak());
    }
    let plans = plans.into_iter().map(StartingPlans::into_best);
    let plans: Vec<Plan> = plans.collect();
    let winner = plans.iter().max_by_key(|plan| plan.peak);
    let planner = winner.map_or("", |plan| plan.planner);
    let offsets = plans.into_iter().flat_map(|plan| plan.offsets);
    Plan::new(timeline, offsets.collect(), planner)
}

/// The steps that do not depend on the effort. If conflicts are listed, these are for listing them,
/// for the quick planners, which look at all of them, and for skylines. Otherwise it is one pass.
fn fixed_steps(timeline: &Timeline) -> u64 {
    const LOOKS: u64 = 6;
    let count = timeline.items.len();
    let one = budget::pass(count);
    match count < TOO_MANY_ITEMS && Conflicts::are_listed(timeline) {
        true => {
            let skylines = (SKYLINE_ITEMS / count.max(1)).clamp(1, FEEDBACK_ROUNDS) as u64;
            LOOKS * timeline.conflicts() + skylines * one
        }
        false => one,
    }
}

/// The plan of a timeline with one part.
fn plan_part(task: &Task<'_>, timeline: &Timeline, lower: &mut LowerBound) -> Plan {
    let mut start = starting_plans(task, timeline, task.goal(lower));
    task.note(start.peak(), lower);
    start.improve(task, timeline, lower);
    start.into_best()
}

/// The plans before the search.
struct StartingPlans {
    /// The start of the search. It does not depend on the effort, so more effort runs the same
    /// search for longer.
    plan: Plan,
    /// The best plan of the passes over all items. More effort affords more passes.
    other: Option<Plan>,
    /// The conflicts, if the search can improve `plan`.
    conflicts: Option<Conflicts>,
}

impl StartingPlans {
    fn peak(&self) -> u64 {
        let other = self.other.as_ref().map_or(u64::MAX, |plan| plan.peak);
        other.min(self.plan.peak)
    }

    fn improve(&mut self, task: &Task<'_>, timeline: &Timeline, lower: &mut LowerBound) {
        if self.peak() <= task.goal(lower) {
            return;
        }
        match &self.conflicts {
            Some(conflicts) => improve(task, timeline, conflicts, lower, &mut self.plan),
            None => core::search(
                task,
                timeline,
                task.goal(lower),
                CORE_PLANNER,
                &mut self.plan,
            ),
        }
    }

    fn into_best(mut self) -> Plan {
        if let Some(other) = self.other {
            self.plan.keep_better(other);
        }
        self.plan
    }
}

/// The first plans. Perfect packings come first, because finding them needs no conflicts.
fn starting_plans(task: &Task<'_>, timeline: &Timeline, goal: u64) -> StartingPlans {
    let only = |plan| StartingPlans {
        plan,
        other: None,
        conflicts: None,
    };
    let count = timeline.items.len();
    if count < FEW_ITEMS {
        // Usually the first plan is good enough, and its offsets are the expected ones.
        let plan = by_size::plan(timeline, Conflicts::new(timeline).as_ref());
        if plan.peak <= goal {
            return only(plan);
        }
    }
    let dissected = dissection::plan(timeline);
    if let Some(plan) = dissected.as_ref().filter(|plan| plan.peak <= goal) {
        return only(plan.clone());
    }
    let conflicts = match count < TOO_MANY_ITEMS {
        true => Conflicts::new(timeline),
        false => None,
    };
    let Some(listed) = &conflicts else {
        return only(passes(task, timeline, goal, dissected));
    };
    let mut plan = quick(task, timeline, listed, goal);
    if let Some(dissected) = &dissected {
        plan.keep_better(dissected.clone());
    }
    let open = plan.peak > goal && count >= LARGE_ITEMS;
    StartingPlans {
        plan,
        other: open.then(|| large::improve(task, timeline, goal, dissected)),
        conflicts,
    }
}

/// The best plan without a list of conflicts, from passes over all items. The first pass always
/// runs; the effort must afford the others.
fn passes(task: &Task<'_>, timeline: &Timeline, goal: u64, dissected: Option<Plan>) -> Plan {
    let mut best = large::improve(task, timeline, goal, dissected);
    let mut budget = Budget::of_passes(task);
    for planner in [first_fit::plan, best_fit::plan] {
        if best.peak > goal && budget.affords(budget::pass(timeline.items.len())) {
            best.keep_better(planner(timeline, None));
        }
    }
    core::quick(task, timeline, goal, CORE_PLANNER, &mut best);
    best
}

/// The best plan of the planners that place each item once.
fn quick(task: &Task<'_>, timeline: &Timeline, conflicts: &Conflicts, goal: u64) -> Plan {
    let conflicts = Some(conflicts);
    let mut best = by_size::plan(timeline, conflicts);
    for planner in [by_area::plan, first_fit::plan, best_fit::plan] {
        if best.peak <= goal || task.is_late() {
            return best;
        }
        best.keep_better(planner(timeline, conflicts));
    }
    let layout = FirstItems::new(timeline);
    let affordable = SKYLINE_ITEMS / timeline.items.len().max(1);
    let orders = [
        orders::by_hot_time,
        orders::by_time,
        orders::by_area,
        orders::by_size,
    ];
    for order in &orders[..affordable.clamp(1, orders.len())] {
        if best.peak <= goal || task.is_late() {
            return best;
        }
        best.keep_better(skyline::plan(timeline, &layout, &order(timeline)));
    }
    if best.peak > goal {
        let rounds = (affordable / 2).min(FEEDBACK_ROUNDS);
        let mut budget = Budget::unlimited(task.until);
        feedback::improve(timeline, &layout, rounds, goal, &mut budget, &mut best);
    }
    best
}

/// Runs epochs of search until the plan meets the goal or the effort is spent. Each epoch starts
/// from the same plan and without what earlier epochs have learned. Progress depends on luck, so
/// many short epochs get further than a long one.
fn improve(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: &Conflicts,
    lower: &mut LowerBound,
    best: &mut Plan,
) {
    let mut budget = Budget::new(task);
    let model = Model::new(timeline, conflicts);
    let start = best.clone();
    for epoch in 0u64.. {
        if best.peak <= task.goal(lower) || budget.spent() {
            return;
        }
        let mut found = start.clone();
        let mut part = budget.part(EPOCH.saturating_mul(exact::luby(epoch + 1)));
        let before = part.left();
        search_rounds(
            task,
            timeline,
            conflicts,
            model.as_ref(),
            epoch,
            &mut part,
            lower,
            &mut found,
        );
        budget.take(before - part.left());
        best.keep_better(found);
    }
}

/// Runs rounds of search until the plan meets the goal or the steps are spent.
#[allow(clippy::too_many_arguments)]
fn search_rounds(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: &Conflicts,
    model: Option<&Model>,
    epoch: u64,
    budget: &mut Budget<'_>,
    lower: &mut LowerBound,
    best: &mut Plan,
) {
    let seed = task
        .options
        .seed
        .wrapping_add(epoch.wrapping_mul(SEED_STEP));
    let mut exact = model.map(|model| Exact::new(timeline, model, seed));
    let mut climb = BeamAndLocalSearch::new(timeline, conflicts, seed);
    for round in 0.. {
        if let Some(model) = model.filter(|_| epoch == 0) {
            exact::solve_small(round, task, timeline, model, budget, lower, best);
        }
        task.note(best.peak, lower);
        if best.peak <= task.goal(lower) || budget.spent() {
            return;
        }
        let (cycle, position) = (
            round / (HEURISTICS.len() + 2),
            round % (HEURISTICS.len() + 2),
        );
        let targets = match task.problem.capacity {
            None => TARGETS,
            Some(_) => TARGETS_IN_CAPACITY,
        };
        let target = task.target(lower, best, targets[cycle % targets.len()]);
        match &mut exact {
            Some(exact) if position < HEURISTICS.len() => {
                exact.run(task, target, budget, lower, best)
            }
            Some(exact) if position == HEURISTICS.len() => {
                exact.long_run(task, target, budget, lower, best)
            }
            _ => climb.round(target, best, budget),
        }
    }
}

/// Alternating rounds of beam search and local search.
struct BeamAndLocalSearch<'a> {
    timeline: &'a Timeline,
    conflicts: &'a Conflicts,
    search: Search<'a>,
    rounds: u64,
}

impl<'a> BeamAndLocalSearch<'a> {
    fn new(timeline: &'a Timeline, conflicts: &'a Conflicts, seed: u64) -> Self {
        BeamAndLocalSearch {
            timeline,
            conflicts,
            search: Search::new(timeline, conflicts, seed.wrapping_add(1)),
            rounds: 0,
        }
    }

    fn round(&mut self, target: u64, best: &mut Plan, budget: &mut Budget<'_>) {
        let (timeline, conflicts) = (self.timeline, self.conflicts);
        let share = (STEPS_PER_ITEM * timeline.items.len() as u64).max(STEPS_AT_LEAST);
        let width = beam::affordable(timeline, conflicts, share).min(WIDTH);
        let allowed = budget.share(share);
        let mut steps = Steps::new(allowed);
        let even = self.rounds.is_multiple_of(2);
        self.rounds += 1;
        if width >= 2 {
            let order = if even {
                orders::backward(timeline)
            } else {
                orders::forward(timeline)
            };
            let plan = beam::plan(
                timeline,
                conflicts,
                &order,
                target,
                width as usize,
                &mut steps,
            );
            if let Some(plan) = plan {
                best.keep_better(plan);
            }
        }
        let order = if even {
            orders::by_offset(best)
        } else {
            orders::by_size(timeline)
        };
        self.search.run(&order, target, best, &mut steps);
        budget.take(allowed);
    }
}
