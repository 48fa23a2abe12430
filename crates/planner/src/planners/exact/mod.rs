//! `exact`: branch and bound that finds plans in tight memory and proves that there is none.
//!
//! The question is whether all buffers fit below a *capacity*. It is enough to look at plans in which
//! no buffer can be moved down: each lies at the bottom or on top of another one. The search builds
//! them from below. Every buffer has a least offset, its `low`; the lowest one in sight either lies
//! there, or is *raised* to the least top that can still come to carry it. No plan comes up twice.
//!
//! A case fails when, in some section, the least `low` and the sizes of what is still to be placed
//! exceed the capacity. What makes that soon, and seldom the same way twice:
//!
//! * *Forced*: where a section has only one buffer that may come first, that one is placed.
//! * *Explanations*: every `low` knows the decisions that it follows from, so a failure goes back to
//!   the last decision that it depends on, and the others need not be tried (conflict-directed
//!   backjumping: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993).
//! * *Pieces*: time falls apart where nothing that is left joins two parts; one is done at a time.
//! * *Scarce floors*: next comes a section whose floor few buffers can fill, for the conflicts it
//!   was in (after dom/wdeg: Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by
//!   weighting constraints", 2004).
//! * *Restarts* by Luby's sequence, each with another order of the buffers, and long runs between.
//!
//! Problems of up to 64 buffers are also searched without runs, in one order, with a *lemma* from each
//! refutation: on 1,000 random ones of 10 buffers with alignment, holes and forbidden ranges every
//! least peak is proven within 1 ms, where 8 of the first 300 were open after 5 million steps.
//!
//! Sections as maximal cliques, canonical plans and the bound of floor and rest are MiniMalloc's
//! (Moffitt, "MiniMalloc: a lightweight memory allocator for hardware-accelerated machine learning",
//! 2023). A run that fails to the end leaves a tree, which [`certificate`](crate::certificate) holds
//! against the problem; no bound is believed before that.
//!
//! What each idea is worth, on eight instances of MiniMalloc's hard set (154 to 409 buffers, to fit
//! in 1 MiB), five seeds each, effort `normal`; conflicts and steps are sums over the instances:
//!
//! | without | not solved, of 40 | conflicts | steps, millions |
//! |---|---:|---:|---:|
//! | nothing | 0 | 1,700 | 12 |
//! | forced | 0 | 2,600 | 14 |
//! | explanations: back to the last decision | 0 | 9,700 | 29 |
//! | restarts | 8 | 77,000 | 144 |
//! | scarce floors: any of the lowest | 0 | 8,000 | 21 |
//! | weights of conflicts | 0 | 1,900 | 12 |
//! | other orders: one for all runs | 0 | 1,900 | 13 |
//! | pieces | 0 | 1,800 | 13 |
//!
//! The weights show on tighter capacities: of 24 runs on the two hardest at 1.0175 and 1.025 times the
//! load, 250 million steps each, 13 were solved as it is, 8 where a conflict weighs a hundred times as
//! much, and 6 where it weighs nothing.
//!
//! | step | module |
//! |---|---|
//! | the problem in flat lists | `model` |
//! | lows, floors and how to go back | `state` |
//! | sets of decisions | `explanation` |
//! | what to decide next | `choice` |
//! | the cases, and the way back from a failure | `search` |
//! | the proof as it grows | `tree` |
//! | small problems, with lemmas | `small` |

mod choice;
mod explanation;
mod model;
mod search;
mod small;
mod state;
mod tree;

use super::budget::Budget;
use super::conflicts::Conflicts;
use super::{Plan, Task, by_size};
use crate::Planner;
use crate::bounds::Lower;
use crate::certificate::{self, Certificate, Refutation};
use crate::timeline::Timeline;
use choice::{Pick, Rank, Where};
pub use model::Model;
use search::{Answer, Limit, Search};
use small::Small;

/// How the runs choose, in turn.
pub const PICKS: [Pick; 9] = {
    const fn pick(rank: Rank, place: Where) -> Pick {
        Pick { rank, place }
    }
    [
        pick(Rank::Blame, Where::Scarce),
        pick(Rank::BlameAndSize, Where::Scarce),
        pick(Rank::Time, Where::Scarce),
        pick(Rank::Area, Where::LessBlamed),
        pick(Rank::BlameAndSize, Where::LessBlamed),
        pick(Rank::Time, Where::LessBlamed),
        pick(Rank::Size, Where::Anywhere),
        pick(Rank::Area, Where::Scarce),
        pick(Rank::Time, Where::Anywhere),
    ]
};

/// Conflicts in the shortest run.
const CONFLICTS: u64 = 200;

/// The most items of a problem for which lemmas are better than any rounds.
const VERY_SMALL: usize = 16;

/// Steps of the search for small problems, before the first round and after some. A step takes about
/// 15 ns.
const SMALL_STEPS_AT_FIRST: u64 = 200_000;
const SMALL_STEPS: u64 = 4_000_000;

/// The search of one problem, run after run.
pub struct Exact<'a> {
    timeline: &'a Timeline,
    search: Search<'a>,
    runs: u64,
    long_runs: u64,
}

impl<'a> Exact<'a> {
    /// Prepares the search.
    pub fn new(timeline: &'a Timeline, model: &'a Model, seed: u64) -> Self {
        Exact {
            timeline,
            search: Search::new(model, seed),
            runs: 0,
            long_runs: 0,
        }
    }

    /// The next run, with another choice each time, and longer than those before it now and then.
    /// Keeps what it finds: a plan, or a proof.
    pub fn run(
        &mut self,
        task: &Task<'_>,
        target: u64,
        budget: &mut Budget,
        lower: &mut Lower,
        best: &mut Plan,
    ) {
        let picks = PICKS.len() as u64;
        let pick = PICKS[(self.runs % picks) as usize];
        let conflicts = CONFLICTS * luby(self.runs / picks + 1);
        self.runs += 1;
        let answer = self.go(target, pick, conflicts, budget);
        self.digest(task, answer, lower, best);
    }

    /// A run half as long as all before it together: to prove, or to search on in one direction.
    pub fn long_run(
        &mut self,
        task: &Task<'_>,
        target: u64,
        budget: &mut Budget,
        lower: &mut Lower,
        best: &mut Plan,
    ) {
        let pick = PICKS[(self.long_runs % PICKS.len() as u64) as usize];
        self.long_runs += 1;
        let conflicts = self.search.conflicts / 2;
        let answer = self.go(target, pick, conflicts, budget);
        self.digest(task, answer, lower, best);
    }

    fn go(&mut self, capacity: u64, pick: Pick, conflicts: u64, budget: &mut Budget) -> Answer {
        let before = self.search.state.steps;
        let limit = Limit {
            conflicts,
            steps: before.saturating_add(budget.left()),
            deadline: budget.deadline,
        };
        let answer = self.search.run(capacity, pick, limit);
        // Preparing a run takes a look at every item in every section.
        let model = self.search.state.model;
        let prepared = (model.count() + model.sections.total()) as u64;
        budget.take(self.search.state.steps - before + prepared);
        answer
    }

    fn digest(&self, task: &Task<'_>, answer: Answer, lower: &mut Lower, best: &mut Plan) {
        match answer {
            Answer::Fits => best.keep(Plan::new(self.timeline, self.offsets(), "exact")),
            Answer::Refuted => {
                let model = self.search.state.model;
                let Some(refutation) = self.search.tree.refutation(self.timeline, model) else {
                    return;
                };
                believe(task, refutation, self.search.state.capacity, lower);
            }
            Answer::Unknown => {}
        }
    }

    /// An offset for each item of the timeline.
    fn offsets(&self) -> Vec<u64> {
        let state = &self.search.state;
        with_fixed(self.timeline, state.model, &state.low)
    }
}

/// The offsets of the items of the model, and those that are fixed.
fn with_fixed(timeline: &Timeline, model: &Model, free: &[u64]) -> Vec<u64> {
    let fixed = timeline.items.iter();
    let mut offsets: Vec<u64> = fixed.map(|item| item.fixed.unwrap_or(0)).collect();
    for (&index, &offset) in model.items.iter().zip(free) {
        offsets[index as usize] = offset;
    }
    offsets
}

/// Raises `lower` to what `refutation` proves: what the checker says, not what a search believes.
fn believe(task: &Task<'_>, refutation: Refutation, capacity: u64, lower: &mut Lower) {
    let proof = Certificate::Search(refutation);
    let bound = certificate::check(task.problem, &proof).unwrap_or(0);
    debug_assert!(bound > capacity, "it shows {bound}");
    lower.raise(bound, || proof);
}

/// Solves a small problem, as far as some steps of the budget go: a few before the first round, and
/// more after each way to choose has had its turn. What is very small is solved at once.
pub fn solve_small(
    round: usize,
    task: &Task<'_>,
    timeline: &Timeline,
    model: &Model,
    budget: &mut Budget,
    lower: &mut Lower,
    best: &mut Plan,
) {
    let mut left = match round {
        0 if model.count() > VERY_SMALL => budget.share(SMALL_STEPS_AT_FIRST),
        0 => budget.share(SMALL_STEPS),
        _ if round == PICKS.len() => budget.share(SMALL_STEPS),
        _ => return,
    };
    let Some(mut small) = Small::new(model) else {
        return;
    };
    while best.peak > task.goal(lower) && left > 0 && !budget.spent() {
        // What is in question: the capacity, or anything better.
        let goal = task.goal(lower);
        let target = match task.problem.capacity {
            Some(capacity) if capacity == goal => goal,
            _ => best.peak - 1,
        };
        let before = small.steps;
        let answer = small.run(timeline, target, left);
        let steps = small.steps - before;
        left = left.saturating_sub(steps);
        budget.take(steps);
        match answer {
            small::Answer::Fits(offsets) => {
                let offsets = with_fixed(timeline, model, &offsets);
                best.keep(Plan::new(timeline, offsets, "exact"));
            }
            small::Answer::Refuted(refutation) => believe(task, refutation, target, lower),
            small::Answer::Unknown => return,
        }
    }
}

/// Starts from the plan by size and searches until the effort is spent. That plan is all there is, and
/// is called by its name, where there are more items than the search takes ([`Model::new`]), or more
/// conflicts than are listed.
pub fn plan(
    task: &Task<'_>,
    timeline: &Timeline,
    conflicts: Option<&Conflicts>,
    lower: &mut Lower,
) -> Plan {
    let mut best = by_size::plan(timeline, conflicts);
    let Some(model) = conflicts.and_then(|conflicts| Model::new(timeline, conflicts)) else {
        return best;
    };
    best = best.named(Planner::Exact);
    let mut exact = Exact::new(timeline, &model, task.options.seed);
    let mut budget = Budget::new(task);
    for round in 0.. {
        solve_small(round, task, timeline, &model, &mut budget, lower, &mut best);
        let goal = task.goal(lower);
        if best.peak <= goal || budget.spent() {
            break;
        }
        if round % (PICKS.len() + 1) == PICKS.len() {
            exact.long_run(task, goal, &mut budget, lower, &mut best);
        } else {
            exact.run(task, goal, &mut budget, lower, &mut best);
        }
    }
    best
}

/// The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... from 1 on.
///
/// Source: Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993.
pub fn luby(mut index: u64) -> u64 {
    loop {
        let power = (index + 1).next_power_of_two();
        if power == index + 1 {
            return power / 2;
        }
        index -= power / 2 - 1;
    }
}
