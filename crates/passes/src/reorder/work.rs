//! The work on one function.

use super::{
    decide::{Decision, decide},
    describe::BlockOutcome,
    read::{Orders, Reading, read},
    results,
    write::write,
};
use crate::{
    coalescing::PackingOptions,
    needs::{Needs, is_above, is_below},
    shapes::{Shapes, Sizes},
};
use memplan_lifetimes::{Analysis, Callees, program::ScopeId};
use memplan_mlir::ir::{Identity, Key, Op};
use memplan_semantics::{Semantics, attributes};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Largest number of rounds for a function: a new order may enable others.
const ROUNDS: usize = 16;

/// Reorders the blocks of a function as long as that lowers its needs; returns the result for each block.
pub fn function<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    how: &PackingOptions,
    effort: u64,
    with_results: bool,
) -> Vec<BlockOutcome<'c>> {
    let mut improvement = Improvement {
        function,
        semantics,
        callees,
        how,
        effort,
        shapes: Shapes::default(),
        all: All::default(),
    };
    let mut state = improvement.analyse(false);
    state = improvement.rounds(state, false);
    // The heap has results, too.
    let is_dynamic = state.sizes.are_dynamic();
    let arenas = state.needs(0, how.alignment).0.loads.clone();
    if with_results
        && state.count_results()
        && is_above(&state.needs(0, how.alignment).0.loads, &arenas)
    {
        let outcomes = std::mem::take(&mut improvement.all);
        improvement.rounds(state, true);
        let reordered = std::mem::replace(&mut improvement.all, outcomes);
        improvement.all.also_reordered(&reordered);
    }
    let mut outcomes = improvement.all.outcomes;
    if is_dynamic {
        for outcome in &mut outcomes {
            outcome.dimension = Some(Shapes::FIRST);
        }
    }
    if outcomes.iter().any(|outcome| outcome.reordered) {
        attributes::forget_pieces(function);
    }
    outcomes
}

/// Rounds of reordering.
struct Improvement<'i, 'c> {
    function: Op<'c>,
    semantics: &'i mut Semantics,
    callees: &'i dyn Callees,
    how: &'i PackingOptions,
    effort: u64,
    shapes: Shapes,
    all: All<'c>,
}

/// The function as it is: its analysis, in which dynamic sizes have the values of the first shape.
struct State<'c> {
    sizes: Sizes,
    analysis: Analysis<'c>,
    /// What it needs in each shape, where that was asked for.
    needs: Vec<Option<Needs>>,
}

impl State<'_> {
    /// Results are buffers, too, from now on. Returns whether there are any.
    fn count_results(&mut self) -> bool {
        self.needs.clear();
        results::count(&mut self.analysis)
    }

    /// What it needs in a shape, which its analysis is in from now on.
    fn needs(&mut self, shape: usize, alignment: u64) -> (&mut Needs, &Analysis<'_>) {
        self.sizes.set(&mut self.analysis, shape);
        if self.needs.len() <= shape {
            self.needs.resize_with(shape + 1, || None);
        }
        let needs = self.needs[shape].get_or_insert_with(|| Needs::of(&self.analysis, alignment));
        (needs, &self.analysis)
    }
}

/// Whether some need decreased and none increased, in each shape.
fn is_better(before: &mut State<'_>, after: &mut State<'_>, alignment: u64) -> bool {
    let shapes = before.sizes.shapes();
    let are_same = shapes == after.sizes.shapes();
    let mut falls = false;
    let mut is_no_worse = |shape: usize| {
        let new = &after.needs(shape, alignment).0.loads;
        let old = &before.needs(shape, alignment).0.loads;
        falls |= is_below(new, old);
        new.len() == old.len() && !is_above(new, old)
    };
    let is_no_worse = are_same && (0..shapes).all(&mut is_no_worse);
    let is_better = is_no_worse
        && falls
        && (0..shapes).all(|shape| {
            let (needs, analysis) = after.needs(shape, alignment);
            let new = needs.planned(analysis);
            let (needs, analysis) = before.needs(shape, alignment);
            // No plan takes less than what is live.
            !is_above(new, &needs.loads) || !is_above(new, needs.planned(analysis))
        });
    before.sizes.set(&mut before.analysis, 0);
    after.sizes.set(&mut after.analysis, 0);
    is_better
}

impl<'c> Improvement<'_, 'c> {
    /// Reorders blocks until nothing more is found. Returns the analysis of what is written.
    fn rounds(&mut self, mut state: State<'c>, with_results: bool) -> State<'c> {
        let (how, alignment) = (self.how, self.how.alignment);
        for _ in 0..ROUNDS {
            let analysis = &state.analysis;
            if analysis.plannable.len() < 2 {
                break;
            }
            let mut readings = read(analysis, self.semantics, how);
            let mut orders = Orders::of(analysis, self.semantics);
            let decisions = decide_all(&mut readings, &mut orders, self.effort, &self.all);
            let chosen = choose(&readings, &decisions);
            self.all.record(&readings, &decisions);
            if chosen.is_empty() {
                break;
            }
            for index in &chosen {
                let (reading, decision) = (&readings[*index], &decisions[*index]);
                let order = decision.order.iter().flatten();
                write(order.map(|node| reading.ops[*node as usize]), reading.last);
            }
            let mut anew = self.analyse(with_results);
            if !is_better(&mut state, &mut anew, alignment) {
                for index in &chosen {
                    let reading = &readings[*index];
                    write(reading.ops.iter().copied(), reading.last);
                }
                break;
            }
            self.all.took(&readings, &decisions, &chosen);
            state = anew;
        }
        state
    }

    fn analyse(&mut self, with_results: bool) -> State<'c> {
        let mut analysis = self
            .how
            .analyse(self.function, self.semantics, self.callees);
        let sizes = self.shapes.read(&analysis, self.semantics);
        sizes.set(&mut analysis, 0);
        let mut state = State {
            sizes,
            analysis,
            needs: Vec::new(),
        };
        if with_results {
            state.count_results();
        }
        state
    }
}

/// Results for all blocks so far.
#[derive(Default)]
struct All<'c> {
    outcomes: Vec<BlockOutcome<'c>>,
    /// Index of each block, by its terminator.
    places: FxHashMap<Key, usize>,
}

impl<'c> All<'c> {
    /// Records the decisions before anything is written.
    fn record(&mut self, readings: &[Reading<'c>], decisions: &[Decision]) {
        for (reading, decision) in readings.iter().zip(decisions) {
            let place = *self
                .places
                .entry(reading.last.key())
                .or_insert(self.outcomes.len());
            if place == self.outcomes.len() {
                self.outcomes.push(BlockOutcome {
                    owner: reading.owner,
                    operations: reading.ops.len(),
                    before: decision.before,
                    after: decision.before,
                    bound: decision.bound,
                    reordered: false,
                    with_results: false,
                    dimension: None,
                    declined: false,
                });
            }
            let outcome = &mut self.outcomes[place];
            outcome.after = decision.before;
            outcome.bound = decision.bound;
            outcome.declined = decision.order.is_some() || decision.needless;
        }
    }

    /// Records what was written.
    fn took(&mut self, readings: &[Reading<'c>], decisions: &[Decision], chosen: &[usize]) {
        for index in chosen {
            let outcome = &mut self.outcomes[self.places[&readings[*index].last.key()]];
            outcome.after = decisions[*index].after;
            outcome.reordered = true;
        }
    }

    /// Takes what was reordered again, with results.
    fn also_reordered(&mut self, again: &All<'c>) {
        for (last, place) in &again.places {
            if again.outcomes[*place].reordered
                && let Some(own) = self.places.get(last)
            {
                self.outcomes[*own] = BlockOutcome {
                    with_results: true,
                    ..again.outcomes[*place].clone()
                };
            }
        }
    }

    /// A known bound of a block. It is invalid after other blocks changed.
    fn bound(&self, readings: &[Reading<'c>]) -> u64 {
        match (readings, self.outcomes.as_slice()) {
            ([_], [outcome]) => outcome.bound,
            _ => 0,
        }
    }
}

/// Decides for each block, inner ones first: if they need less, so do the enclosing ones.
fn decide_all<'c>(
    readings: &mut [Reading<'c>],
    orders: &mut Orders<'_, 'c>,
    effort: u64,
    all: &All<'_>,
) -> Vec<Decision> {
    let known = all.bound(readings);
    let mut decisions: Vec<Decision> = Vec::with_capacity(readings.len());
    let loads: Vec<u64> = readings
        .iter()
        .map(|reading| reading.graph.load())
        .collect();
    // First, as if each order reached its bound.
    for (reading, load) in readings.iter().zip(&loads) {
        let bound = reading.graph.floor(&less(reading, &decisions)).max(known);
        let bound = bound.min(*load);
        decisions.push(Decision {
            after: bound,
            ..Decision::stay(*load, bound, false)
        });
    }
    let least = least(readings, &decisions);
    for (index, reading) in readings.iter_mut().enumerate() {
        let needed = least[&reading.scope];
        let (before, bound) = (decisions[index].before, decisions[index].bound);
        decisions[index] = Decision::stay(before, bound, before > bound);
        if before > needed && before > bound {
            orders.fill(reading);
            for (node, less) in less(reading, &decisions) {
                let inside = &mut reading.graph.nodes[node].inside;
                *inside = inside.saturating_sub(less);
            }
            decisions[index] = Decision {
                before,
                ..decide(&reading.graph, effort, bound)
            };
        }
    }
    decisions
}

/// For operations with regions, the bytes that the decisions for their blocks save.
fn less(reading: &Reading<'_>, decisions: &[Decision]) -> Vec<(usize, i64)> {
    let of = |(node, inner): &(u32, Range<usize>)| {
        let most = |load: fn(&Decision) -> u64| decisions[inner.clone()].iter().map(load).max();
        let less = most(|inner| inner.before)?.saturating_sub(most(|inner| inner.after)?);
        Some((*node as usize, i64::try_from(less).unwrap_or(i64::MAX)))
    };
    reading.inner.iter().filter_map(of).collect()
}

/// For each scope, a lower bound of its need.
fn least(readings: &[Reading<'_>], decisions: &[Decision]) -> FxHashMap<ScopeId, u64> {
    let mut is_inner = vec![false; readings.len()];
    for (_, inner) in readings.iter().flat_map(|reading| &reading.inner) {
        is_inner[inner.clone()].fill(true);
    }
    let mut least = FxHashMap::default();
    for ((reading, decision), is_inner) in readings.iter().zip(decisions).zip(is_inner) {
        // What lives through an inner block may end before it in another order of the block around it.
        let through = if is_inner { reading.graph.through } else { 0 };
        let most: &mut u64 = least.entry(reading.scope).or_default();
        *most = (*most).max(decision.after.saturating_sub(through));
    }
    least
}

/// Blocks that need more than the lower bound of their scope: a new order may help.
fn choose(readings: &[Reading<'_>], decisions: &[Decision]) -> Vec<usize> {
    let least = least(readings, decisions);
    let both = readings.iter().zip(decisions).enumerate();
    both.filter(|(_, (reading, decision))| {
        decision.order.is_some() && decision.before > least[&reading.scope]
    })
    .map(|(index, _)| index)
    .collect()
}
