//! `auto`: quick planners first, then search, then proof.
//!
//! Parts of time that no buffer joins are planned one by one. Where nearly all bytes are taken at all
//! times, a perfect packing is looked for (`dissection`). For each other part, the quick planners run in
//! turn until one is good enough, which most networks let the first do. Where none is, the steps of
//! the effort go to rounds: of the exact search, each with a target height, and of beam search and
//! local search. Most targets are the lower bound or near it, because a tight target prunes best;
//! some are close to the best plan so far, for problems whose lower bound no plan meets. The last
//! round of each cycle is a long run at the lower bound, which proves it out of reach where it is;
//! the bound rises then to what the proof says. Small problems go to a search with lemmas before the
//! first round, or after some.
//!
//! The rounds do not depend on the effort; more effort has more of them, so it is never worse.

use super::budget::Budget;
use super::conflicts::Conflicts;
use super::exact::{Exact, Model, PICKS};
use super::search::Search;
use super::steps::Steps;
use super::waiting::Layout;
use super::{
    Plan, Task, beam, best_fit, by_area, by_size, core, dissection, exact, feedback, first_fit,
    large, orders, skyline,
};
use crate::bounds::Lower;
use crate::timeline::Timeline;

/// Steps for a round of beam search or local search: for each item, and the least. A step takes
/// about 10 ns.
const STEPS_PER_ITEM: u64 = 250;
const STEPS_AT_LEAST: u64 = 10_000;

/// Skylines that learn, at most.
const FEEDBACK_ROUNDS: usize = 24;

/// Items that the skylines of one kind may have together; what bounds the time for large problems.
const SKYLINE_ITEMS: usize = 400_000;

/// Items from which on `large` is the planner, where their conflicts are too many to list.
const MANY: usize = 1 << 16;

/// With fewer items than these, the largest go first before anything else is tried.
const FEW: usize = 1 << 11;

/// Items whose conflicts are too many to do anything with.
const TOO_MANY: usize = 1 << 18;

/// The targets of the rounds: which part of the way from the lower bound to the best plan, in 64ths.
const TARGETS: [u64; 4] = [44, 28, 12, 0];

/// With a capacity, which is the goal then. What does not fit is still to be as low as possible.
const TARGETS_IN_CAPACITY: [u64; 4] = [0, 40, 0, 0];

/// The most states of a beam.
const WIDTH: u64 = 32;

/// The best plan that was found; of equals the one found first. `lower` is raised where a higher
/// bound is proven.
pub fn plan(task: &Task<'_>, timeline: &Timeline, lower: &mut Lower) -> Plan {
    let parts = timeline.parts();
    if parts.is_empty() {
        return whole(task, timeline, lower);
    }
    let mut plans: Vec<(Plan, Option<Conflicts>)> = Vec::with_capacity(parts.len());
    for part in &parts {
        plans.push(start(task, part, task.goal(lower)));
    }
    // The highest first: what it reaches is good enough for the others.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(plans[part].0.peak));
    let mut reached = 0;
    for part in order {
        let (best, conflicts) = &mut plans[part];
        if best.peak > reached {
            improve(task, &parts[part], conflicts.as_ref(), lower, best);
        }
        reached = reached.max(best.peak);
    }
    let winner = plans.iter().max_by_key(|(plan, _)| plan.peak);
    let planner = winner.map_or("", |(plan, _)| plan.planner);
    let offsets = plans.into_iter().flat_map(|(plan, _)| plan.offsets);
    Plan::new(timeline, offsets.collect(), planner)
}

/// The plan of a timeline that is one part.
fn whole(task: &Task<'_>, timeline: &Timeline, lower: &mut Lower) -> Plan {
    let (mut best, conflicts) = start(task, timeline, task.goal(lower));
    improve(task, timeline, conflicts.as_ref(), lower, &mut best);
    best
}

/// The first plan; and the conflicts where it can be improved. Perfect packings come first: they are
/// found without looking at conflicts.
fn start(task: &Task<'_>, timeline: &Timeline, goal: u64) -> (Plan, Option<Conflicts>) {
    let count = timeline.items.len();
    if count < FEW {
        // Mostly the first plan is good enough, and its offsets are those that people expect.
        let plan = by_size::plan(timeline, Conflicts::new(timeline).as_ref());
        if plan.peak <= goal {
            return (plan, None);
        }
    }
    let dissected = dissection::plan(timeline);
    if let Some(plan) = dissected.as_ref().filter(|plan| plan.peak <= goal) {
        return (plan.clone(), None);
    }
    let conflicts = match count < TOO_MANY {
        true => Conflicts::new(timeline),
        false => None,
    };
    if conflicts.is_none() && count >= MANY {
        return (large::improve(timeline, goal, dissected), None);
    }
    let mut best = quick(task, timeline, conflicts.as_ref(), goal);
    if let Some(plan) = dissected {
        best.keep(plan);
    }
    (best, conflicts)
}

/// The best of the planners that place each item once.
fn quick(task: &Task<'_>, timeline: &Timeline, conflicts: Option<&Conflicts>, goal: u64) -> Plan {
    let mut best = by_size::plan(timeline, conflicts);
    if conflicts.is_none() {
        core::quick(task, timeline, goal, &mut best);
    }
    for planner in [by_area::plan, first_fit::plan, best_fit::plan] {
        if best.peak <= goal {
            return best;
        }
        best.keep(planner(timeline, conflicts));
    }
    let layout = Layout::new(timeline);
    // Without conflicts, by-area and by-size were skylines already.
    let most = if conflicts.is_some() { 4 } else { 2 };
    let affordable = SKYLINE_ITEMS / timeline.items.len().max(1);
    let orders = [
        orders::by_hot_time,
        orders::by_time,
        orders::by_area,
        orders::by_size,
    ];
    for order in &orders[..affordable.clamp(1, most)] {
        if best.peak <= goal {
            return best;
        }
        best.keep(skyline::plan(timeline, &layout, &order(timeline)));
    }
    if best.peak > goal {
        let rounds = (affordable / 2).min(FEEDBACK_ROUNDS);
        feedback::improve(timeline, &layout, rounds, goal, &mut best);
    }
    best
}

/// Rounds of search until the plan is good enough or the effort is spent.
fn improve(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: Option<&Conflicts>,
    lower: &mut Lower,
    best: &mut Plan,
) {
    let Some(conflicts) = conflicts else {
        core::search(task, timeline, task.goal(lower), best);
        return;
    };
    let mut budget = Budget::new(task.options);
    if best.peak <= task.goal(lower) {
        return;
    }
    let seed = task.options.seed;
    let model = Model::new(timeline, conflicts);
    let mut exact = model
        .as_ref()
        .map(|model| Exact::new(timeline, model, seed));
    let mut climb = Climb::new(timeline, conflicts, seed);
    for round in 0.. {
        if let Some(model) = &model {
            exact::solve_small(round, task, timeline, model, &mut budget, lower, best);
        }
        if best.peak <= task.goal(lower) || budget.spent() {
            return;
        }
        let (cycle, turn) = (round / (PICKS.len() + 2), round % (PICKS.len() + 2));
        let targets = match task.problem.capacity {
            None => TARGETS,
            Some(_) => TARGETS_IN_CAPACITY,
        };
        let target = task.target(lower, best, targets[cycle % targets.len()]);
        match &mut exact {
            Some(exact) if turn < PICKS.len() => exact.run(task, target, &mut budget, lower, best),
            Some(exact) if turn == PICKS.len() => {
                exact.long_run(task, target, &mut budget, lower, best)
            }
            _ => climb.round(target, best, &mut budget),
        }
    }
}

/// Rounds of beam search and local search, in turn.
struct Climb<'a> {
    timeline: &'a Timeline,
    conflicts: &'a Conflicts,
    search: Search<'a>,
    rounds: u64,
}

impl<'a> Climb<'a> {
    fn new(timeline: &'a Timeline, conflicts: &'a Conflicts, seed: u64) -> Self {
        Climb {
            timeline,
            conflicts,
            search: Search::new(timeline, conflicts, seed.wrapping_add(1)),
            rounds: 0,
        }
    }

    fn round(&mut self, target: u64, best: &mut Plan, budget: &mut Budget) {
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
                best.keep(plan);
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
