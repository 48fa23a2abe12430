//! The work on one function.

use super::{
    decide::{Decision, decide},
    describe::Told,
    guard::{is_better, loads},
    read::{Reading, read},
    write::write,
};
use memplan_lifetimes::{Callees, Wanted, analyse_wanted};
use memplan_mlir::{
    ir::{Identity, Key, Op},
    names::Names,
};
use rustc_hash::FxHashMap;

/// The most times that a function is read again, because what was written may have made more possible.
const ROUNDS: usize = 16;

/// Puts the blocks of a function in better orders, as long as that makes it need less; what became of each.
pub fn function<'c>(function: Op<'c>, callees: &dyn Callees, effort: u64) -> Vec<Told<'c>> {
    let wanted = Wanted {
        dynamic: true,
        ..Wanted::default()
    };
    let mut names = Names::default();
    let mut analysis = analyse_wanted(function, &mut names, callees, &wanted);
    let mut all = All::default();
    for _ in 0..ROUNDS {
        if analysis.plannable.len() < 2 {
            break;
        }
        let mut readings = read(&analysis, &mut names);
        let decisions = decide_all(&mut readings, effort, &all);
        let chosen = choose(&readings, &decisions);
        all.tell(&readings, &decisions);
        if chosen.is_empty() {
            break;
        }
        for index in &chosen {
            let (reading, decision) = (&readings[*index], &decisions[*index]);
            let order = decision.order.iter().flatten();
            write(order.map(|node| reading.ops[*node as usize]), reading.last);
        }
        let anew = analyse_wanted(function, &mut names, callees, &wanted);
        if !is_better(&loads(&analysis), &loads(&anew)) {
            for index in &chosen {
                let reading = &readings[*index];
                write(reading.ops.iter().copied(), reading.last);
            }
            break;
        }
        all.took(&readings, &decisions, &chosen);
        analysis = anew;
    }
    all.told
}

/// What became of all blocks so far.
#[derive(Default)]
struct All<'c> {
    told: Vec<Told<'c>>,
    /// Where a block is in that list, by its last operation.
    places: FxHashMap<Key, usize>,
}

impl<'c> All<'c> {
    /// What is known before anything is written.
    fn tell(&mut self, readings: &[Reading<'c>], decisions: &[Decision]) {
        for (reading, decision) in readings.iter().zip(decisions) {
            let place = *self
                .places
                .entry(reading.last.key())
                .or_insert(self.told.len());
            if place == self.told.len() {
                self.told.push(Told {
                    owner: reading.owner,
                    operations: reading.ops.len(),
                    before: decision.before,
                    after: decision.before,
                    bound: decision.bound,
                    reordered: false,
                    declined: false,
                });
            }
            let told = &mut self.told[place];
            told.after = decision.before;
            told.bound = decision.bound;
            told.declined = decision.order.is_some();
        }
    }

    /// What was written.
    fn took(&mut self, readings: &[Reading<'c>], decisions: &[Decision], chosen: &[usize]) {
        for index in chosen {
            let told = &mut self.told[self.places[&readings[*index].last.key()]];
            told.after = decisions[*index].after;
            told.reordered = true;
        }
    }

    /// A bound that is known of a block. It does not hold any more if other blocks have changed.
    fn bound(&self, readings: &[Reading<'c>]) -> u64 {
        match (readings, self.told.as_slice()) {
            ([_], [told]) => told.bound,
            _ => 0,
        }
    }
}

/// Decides for each block, inner ones first: what these need less, those around them need less, too.
fn decide_all(readings: &mut [Reading<'_>], effort: u64, all: &All<'_>) -> Vec<Decision> {
    let known = all.bound(readings);
    let mut decisions: Vec<Decision> = Vec::with_capacity(readings.len());
    for reading in readings {
        let given = reading.graph.load();
        for (place, inner) in &reading.inner {
            let most = |load: fn(&Decision) -> u64| {
                let loads = decisions[inner.clone()].iter().map(load);
                loads.max().unwrap_or(0)
            };
            let less = most(|inner| inner.before).saturating_sub(most(|inner| inner.after));
            let inside = &mut reading.graph.nodes[*place as usize].inside;
            *inside -= less.min(1 << 60) as i64;
        }
        let mut decision = decide(&reading.graph, effort, known);
        decision.before = given;
        decisions.push(decision);
    }
    decisions
}

/// The blocks that need more than any would have to: another order of these is of use.
fn choose(readings: &[Reading<'_>], decisions: &[Decision]) -> Vec<usize> {
    let mut least = FxHashMap::default();
    for (reading, decision) in readings.iter().zip(decisions) {
        let most: &mut u64 = least.entry(reading.scope).or_default();
        *most = (*most).max(decision.after);
    }
    let both = readings.iter().zip(decisions).enumerate();
    both.filter(|(_, (reading, decision))| {
        decision.order.is_some() && decision.before > least[&reading.scope]
    })
    .map(|(index, _)| index)
    .collect()
}
