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

use super::budget::{self, Budget};
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

/// Items that the skylines of one kind may have together where conflicts are listed; what bounds the
/// time for large problems.
const SKYLINE_ITEMS: usize = 400_000;

/// Items from which on `large` is asked, too, where conflicts are listed; with fewer, the search is as
/// good.
const LARGE: usize = 1 << 11;

/// With fewer items than these, the largest go first before anything else is tried.
const FEW: usize = 1 << 11;

/// Items whose conflicts are too many to do anything with.
const TOO_MANY: usize = 1 << 18;

/// Steps of the shortest epoch; the others have multiples of it in Luby's sequence.
const EPOCH: u64 = 40_000_000;

/// From the seed of one epoch to that of the next.
const SEEDS: u64 = 0x9E37_79B9_7F4A_7C15;

/// The targets of the rounds: which part of the way from the lower bound to the best plan, in 64ths.
const TARGETS: [u64; 4] = [44, 28, 12, 0];

/// With a capacity, which is the goal then. What does not fit is still to be as low as possible.
const TARGETS_IN_CAPACITY: [u64; 4] = [0, 40, 0, 0];

/// The most states of a beam.
const WIDTH: u64 = 32;

/// Cores are planned as whole problems are.
pub const OF_CORES: core::Inner = core::Inner { price, plan };

/// The best plan that was found; of equals the one found first. `lower` is raised where a higher
/// bound is proven.
pub fn plan(task: &Task<'_>, timeline: &Timeline, lower: &mut Lower) -> Plan {
    let parts = timeline.parts();
    if parts.is_empty() {
        return whole(task, timeline, lower);
    }
    let mut plans: Vec<Start> = Vec::with_capacity(parts.len());
    for part in &parts {
        plans.push(start(task, part, task.goal(lower)));
    }
    // The highest first: what it reaches is good enough for the others.
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(plans[part].peak()));
    let mut reached = 0;
    for part in order {
        if plans[part].peak() > reached {
            plans[part].improve(task, &parts[part], lower);
        }
        reached = reached.max(plans[part].peak());
    }
    let plans = plans.into_iter().map(Start::into_best);
    let plans: Vec<Plan> = plans.collect();
    let winner = plans.iter().max_by_key(|plan| plan.peak);
    let planner = winner.map_or("", |plan| plan.planner);
    let offsets = plans.into_iter().flat_map(|plan| plan.offsets);
    Plan::new(timeline, offsets.collect(), planner)
}

/// Steps of what is done whatever the effort: of listing conflicts and of the quick planners, which
/// look at all of them, and make skylines. A pass where there are none.
fn price(timeline: &Timeline) -> u64 {
    const LOOKS: u64 = 6;
    let count = timeline.items.len();
    let one = budget::pass(count);
    match count < TOO_MANY && Conflicts::are_listed(timeline) {
        true => {
            let skylines = (SKYLINE_ITEMS / count.max(1)).clamp(1, FEEDBACK_ROUNDS) as u64;
            LOOKS * timeline.conflicts() + skylines * one
        }
        false => one,
    }
}

/// The plan of a timeline that is one part.
fn whole(task: &Task<'_>, timeline: &Timeline, lower: &mut Lower) -> Plan {
    let mut start = start(task, timeline, task.goal(lower));
    start.improve(task, timeline, lower);
    start.into_best()
}

/// What there is before the search.
struct Start {
    /// Where the search starts. It does not depend on the effort, so that more effort searches as less
    /// does, and longer.
    plan: Plan,
    /// What passes over all items gave, of which more effort affords more.
    other: Option<Plan>,
    /// The conflicts where `plan` can be improved.
    conflicts: Option<Conflicts>,
}

impl Start {
    fn peak(&self) -> u64 {
        let other = self.other.as_ref().map_or(u64::MAX, |plan| plan.peak);
        other.min(self.plan.peak)
    }

    fn improve(&mut self, task: &Task<'_>, timeline: &Timeline, lower: &mut Lower) {
        if self.peak() <= task.goal(lower) {
            return;
        }
        match &self.conflicts {
            Some(conflicts) => improve(task, timeline, conflicts, lower, &mut self.plan),
            None => core::search(task, timeline, task.goal(lower), OF_CORES, &mut self.plan),
        }
    }

    fn into_best(mut self) -> Plan {
        if let Some(other) = self.other {
            self.plan.keep(other);
        }
        self.plan
    }
}

/// The first plans. Perfect packings come first: they are found without looking at conflicts.
fn start(task: &Task<'_>, timeline: &Timeline, goal: u64) -> Start {
    let only = |plan| Start {
        plan,
        other: None,
        conflicts: None,
    };
    let count = timeline.items.len();
    if count < FEW {
        // Mostly the first plan is good enough, and its offsets are those that people expect.
        let plan = by_size::plan(timeline, Conflicts::new(timeline).as_ref());
        if plan.peak <= goal {
            return only(plan);
        }
    }
    let dissected = dissection::plan(timeline);
    if let Some(plan) = dissected.as_ref().filter(|plan| plan.peak <= goal) {
        return only(plan.clone());
    }
    let conflicts = match count < TOO_MANY {
        true => Conflicts::new(timeline),
        false => None,
    };
    let Some(listed) = &conflicts else {
        return only(passes(task, timeline, goal, dissected));
    };
    let mut plan = quick(task, timeline, listed, goal);
    if let Some(dissected) = &dissected {
        plan.keep(dissected.clone());
    }
    let open = plan.peak > goal && count >= LARGE;
    Start {
        plan,
        other: open.then(|| large::improve(task, timeline, goal, dissected)),
        conflicts,
    }
}

/// What can be done without conflicts, a pass over all items at a time. The first of them is always
/// done; the effort has to afford the others.
fn passes(task: &Task<'_>, timeline: &Timeline, goal: u64, dissected: Option<Plan>) -> Plan {
    let mut best = large::improve(task, timeline, goal, dissected);
    let mut budget = Budget::of_passes(task);
    for planner in [first_fit::plan, best_fit::plan] {
        if best.peak > goal && budget.affords(budget::pass(timeline.items.len())) {
            best.keep(planner(timeline, None));
        }
    }
    core::quick(task, timeline, goal, OF_CORES, &mut best);
    best
}

/// The best of the planners that place each item once.
fn quick(task: &Task<'_>, timeline: &Timeline, conflicts: &Conflicts, goal: u64) -> Plan {
    let conflicts = Some(conflicts);
    let mut best = by_size::plan(timeline, conflicts);
    for planner in [by_area::plan, first_fit::plan, best_fit::plan] {
        if best.peak <= goal || task.is_late() {
            return best;
        }
        best.keep(planner(timeline, conflicts));
    }
    let layout = Layout::new(timeline);
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
        best.keep(skyline::plan(timeline, &layout, &order(timeline)));
    }
    if best.peak > goal {
        let rounds = (affordable / 2).min(FEEDBACK_ROUNDS);
        let mut budget = Budget::unlimited(task.deadline);
        feedback::improve(timeline, &layout, rounds, goal, &mut budget, &mut best);
    }
    best
}

/// Epochs of search until the plan is good enough or the effort is spent. Each forgets what the ones
/// before have learned, and where they came to: how far one gets is a matter of luck, and many short
/// ones get further than a long one.
fn improve(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: &Conflicts,
    lower: &mut Lower,
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
        search_on(
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
        best.keep(found);
    }
}

/// Rounds of search until the plan is good enough or the steps are spent.
#[allow(clippy::too_many_arguments)]
fn search_on(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: &Conflicts,
    model: Option<&Model>,
    epoch: u64,
    budget: &mut Budget,
    lower: &mut Lower,
    best: &mut Plan,
) {
    let seed = task.options.seed.wrapping_add(epoch.wrapping_mul(SEEDS));
    let mut exact = model.map(|model| Exact::new(timeline, model, seed));
    let mut climb = Climb::new(timeline, conflicts, seed);
    for round in 0.. {
        if let Some(model) = model.filter(|_| epoch == 0) {
            exact::solve_small(round, task, timeline, model, budget, lower, best);
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
            Some(exact) if turn < PICKS.len() => exact.run(task, target, budget, lower, best),
            Some(exact) if turn == PICKS.len() => exact.long_run(task, target, budget, lower, best),
            _ => climb.round(target, best, budget),
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
