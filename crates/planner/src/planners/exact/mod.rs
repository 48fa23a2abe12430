//! `exact`: branch and bound that finds plans in tight memory and proves that there is none.
//!
//! The search decides whether all buffers fit below a *capacity*. It considers only plans in which
//! no buffer can move down: each lies at the bottom or on top of another one. It builds them from
//! below. Every buffer has a least offset, its `low`. The lowest unplaced buffer either lies there
//! or is *raised* to the least top of a buffer that can still support it. No plan is visited twice.
//!
//! A case fails if in some section the least `low` and the sizes of the unplaced buffers together
//! exceed the capacity. Techniques that prune early and avoid repeated failures:
//!
//! * *Forced moves*: if only one buffer of a section can come first, it is placed.
//! * *Explanations*: every `low` has the set of decisions that it follows from. A failure
//!   backtracks to the last decision that it depends on (conflict-directed backjumping: Prosser,
//!   "Hybrid algorithms for the constraint satisfaction problem", 1993).
//! * *Pieces*: time decomposes into pieces that no unplaced buffer connects. They are solved one at
//!   a time.
//! * *Scarce floors*: the next section is one whose floor few buffers can fill, weighted by its
//!   conflicts (after dom/wdeg: Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search
//!   by weighting constraints", 2004).
//! * *Restarts* by Luby's sequence, each with another order of the buffers, and long runs in
//!   between.
//!
//! Problems of up to 64 buffers are also searched without restarts, in one order, with a *lemma*
//! from each refutation. On 1,000 random problems of 10 buffers with alignment, holes and forbidden
//! ranges, every least peak is proven within 1 ms. Without lemmas, 8 of the first 300 were open
//! after 5 million steps.
//!
//! Sections as maximal cliques, canonical plans and the bound of floor and rest are from MiniMalloc
//! (Moffitt, "MiniMalloc: a lightweight memory allocator for hardware-accelerated machine
//! learning", 2023). A run that fails to the end produces a tree, and
//! [`certificate`](crate::certificate) checks it against the problem. No bound is used without this
//! check.
//!
//! The effect of each technique, on eight instances of MiniMalloc's hard set (154 to 409 buffers,
//! to fit in 1 MiB), five seeds each, effort `normal`. Conflicts and steps are sums over the
//! instances:
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
//! The weights show on tighter capacities: 24 runs on the two hardest instances at 1.0175 and 1.025
//! times the load, 250 million steps each. 13 are solved as is, 8 if a conflict weighs a hundred
//! times as much, and 6 if it weighs nothing.
//!
//! | step | module |
//! |---|---|
//! | store the problem in flat lists | `model` |
//! | maintain lows and floors, with undo | `state` |
//! | sets of decisions | `explanation` |
//! | choose the next decision | `branching` |
//! | search the cases and backtrack | `search` |
//! | record the proof | `tree` |
//! | solve small problems, with lemmas | `lemma_search` |

mod branching;
mod explanation;
mod lemma_search;
mod model;
mod search;
mod state;
mod tree;

use super::budget::Budget;
use super::{Plan, Task};
use crate::bounds::LowerBound;
use crate::certificate::{self, Certificate, Refutation};
use crate::timeline::Timeline;
use branching::{Heuristic, Rank, SectionChoice};
use lemma_search::LemmaSearch;
pub use model::Model;
use search::{Limit, Search, SearchResult};

/// The heuristics of the runs, which take them round-robin.
pub const HEURISTICS: [Heuristic; 9] = {
    const fn heuristic(rank: Rank, place: SectionChoice) -> Heuristic {
        Heuristic { rank, place }
    }
    [
        heuristic(Rank::Blame, SectionChoice::Scarce),
        heuristic(Rank::BlameAndSize, SectionChoice::Scarce),
        heuristic(Rank::Time, SectionChoice::Scarce),
        heuristic(Rank::Area, SectionChoice::LessBlamed),
        heuristic(Rank::BlameAndSize, SectionChoice::LessBlamed),
        heuristic(Rank::Time, SectionChoice::LessBlamed),
        heuristic(Rank::Size, SectionChoice::Anywhere),
        heuristic(Rank::Area, SectionChoice::Scarce),
        heuristic(Rank::Time, SectionChoice::Anywhere),
    ]
};

/// Conflicts in the shortest run.
const CONFLICTS: u64 = 200;

/// The most items of a problem for which lemmas are better than any rounds.
const VERY_SMALL: usize = 16;

/// Steps of the search for small problems, before the first round and after some rounds. A step
/// takes about 15 ns.
const SMALL_STEPS_AT_FIRST: u64 = 200_000;
const SMALL_STEPS: u64 = 4_000_000;

/// The search of one problem, in runs.
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

    /// Executes the next run, with the next heuristic and a length from Luby's sequence. Updates
    /// `best` or `lower` with the result.
    pub fn run(
        &mut self,
        task: &Task<'_>,
        target: u64,
        budget: &mut Budget<'_>,
        lower: &mut LowerBound,
        best: &mut Plan,
    ) {
        let picks = HEURISTICS.len() as u64;
        let heuristic = HEURISTICS[(self.runs % picks) as usize];
        let conflicts = CONFLICTS * luby(self.runs / picks + 1);
        self.runs += 1;
        let answer = self.execute(target, heuristic, conflicts, budget);
        self.apply_result(task, answer, lower, best);
    }

    /// Executes a run half as long as all before it together, to complete a proof or to search far
    /// in one direction.
    pub fn long_run(
        &mut self,
        task: &Task<'_>,
        target: u64,
        budget: &mut Budget<'_>,
        lower: &mut LowerBound,
        best: &mut Plan,
    ) {
        let heuristic = HEURISTICS[(self.long_runs % HEURISTICS.len() as u64) as usize];
        self.long_runs += 1;
        let conflicts = self.search.conflicts / 2;
        let answer = self.execute(target, heuristic, conflicts, budget);
        self.apply_result(task, answer, lower, best);
    }

    fn execute(
        &mut self,
        capacity: u64,
        heuristic: Heuristic,
        conflicts: u64,
        budget: &mut Budget<'_>,
    ) -> SearchResult {
        let before = self.search.state.steps;
        let limit = Limit {
            conflicts,
            steps: before.saturating_add(budget.left()),
            until: budget.until,
        };
        let answer = self.search.run(capacity, heuristic, limit);
        // Preparing a run looks at every item in every section.
        let model = self.search.state.model;
        let prepared = (model.count() + model.sections.total()) as u64;
        budget.take(self.search.state.steps - before + prepared);
        answer
    }

    fn apply_result(
        &self,
        task: &Task<'_>,
        answer: SearchResult,
        lower: &mut LowerBound,
        best: &mut Plan,
    ) {
        match answer {
            SearchResult::Fits => {
                best.keep_better(Plan::new(self.timeline, self.offsets(), "exact"))
            }
            SearchResult::Refuted => {
                let model = self.search.state.model;
                let Some(refutation) = self.search.tree.refutation(self.timeline, model) else {
                    return;
                };
                apply_refutation(task, refutation, self.search.state.capacity, lower);
            }
            SearchResult::Unknown => {}
        }
    }

    /// The offsets of all items of the timeline.
    fn offsets(&self) -> Vec<u64> {
        let state = &self.search.state;
        with_fixed(self.timeline, state.model, &state.low)
    }
}

/// The offsets of the model's items and of the fixed ones.
fn with_fixed(timeline: &Timeline, model: &Model, free: &[u64]) -> Vec<u64> {
    let fixed = timeline.items.iter();
    let mut offsets: Vec<u64> = fixed.map(|item| item.fixed.unwrap_or(0)).collect();
    for (&index, &offset) in model.items.iter().zip(free) {
        offsets[index as usize] = offset;
    }
    offsets
}

/// Raises `lower` to the bound that the checker computes for `refutation`.
fn apply_refutation(
    task: &Task<'_>,
    refutation: Refutation,
    capacity: u64,
    lower: &mut LowerBound,
) {
    let proof = Certificate::Search(refutation);
    let bound = certificate::check(task.problem, &proof).unwrap_or(0);
    debug_assert!(bound > capacity, "it shows {bound}");
    lower.raise(bound, || proof);
}

/// Solves a small problem with some steps of the budget: a few before the first round, and more
/// after each heuristic had a run. Very small problems are solved at once.
pub fn solve_small(
    round: usize,
    task: &Task<'_>,
    timeline: &Timeline,
    model: &Model,
    budget: &mut Budget<'_>,
    lower: &mut LowerBound,
    best: &mut Plan,
) {
    let mut left = match round {
        0 if model.count() > VERY_SMALL => budget.share(SMALL_STEPS_AT_FIRST),
        0 => budget.share(SMALL_STEPS),
        _ if round == HEURISTICS.len() => budget.share(SMALL_STEPS),
        _ => return,
    };
    let Some(mut small) = LemmaSearch::new(model) else {
        return;
    };
    while best.peak > task.goal(lower) && left > 0 && !budget.spent() {
        // The question is whether the capacity suffices, or whether there is a better plan.
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
            lemma_search::SearchResult::Fits(offsets) => {
                let offsets = with_fixed(timeline, model, &offsets);
                best.keep_better(Plan::new(timeline, offsets, "exact"));
            }
            lemma_search::SearchResult::Refuted(refutation) => {
                apply_refutation(task, refutation, target, lower)
            }
            lemma_search::SearchResult::Unknown => return,
        }
    }
}

/// Searches from this plan on until the effort is spent, the plan is at `enough`, or it is as good as the lower bound.
pub fn search(
    task: &Task<'_>,
    timeline: &Timeline,
    model: &Model,
    enough: u64,
    mut best: Plan,
    lower: &mut LowerBound,
) -> Plan {
    let mut exact = Exact::new(timeline, model, task.options.seed);
    let mut budget = Budget::new(task);
    for round in 0.. {
        solve_small(round, task, timeline, model, &mut budget, lower, &mut best);
        let goal = task.goal(lower);
        task.note(best.peak, lower);
        if best.peak <= goal.max(enough) || budget.spent() {
            break;
        }
        if round % (HEURISTICS.len() + 1) == HEURISTICS.len() {
            exact.long_run(task, goal, &mut budget, lower, &mut best);
        } else {
            exact.run(task, goal, &mut budget, lower, &mut best);
        }
    }
    best
}

/// The sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., numbered from 1.
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
