//! The work on one function.

use super::{
    Refusal,
    decide::{Obstacle, decide, peak},
    read::{Arena, Reading, Repeated},
    write::write,
};
use crate::{
    coalescing::PackingOptions,
    needs::{Needs, is_above, is_below},
    shapes::{Shapes, Sizes},
};
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::ir::Op;
use memplan_semantics::{Semantics, attributes};
use rustc_hash::FxHashSet;

/// Largest number of rounds for a function: each lowers its plan, and may enable others.
const ROUNDS: usize = 64;

/// Most buffers that are named at the peak of an arena.
const MOST_HELD: usize = 3;

/// Options of the pass.
pub struct Settings {
    /// Options of the plan that follows.
    pub how: PackingOptions,
    /// Most innermost iterations that are repeated, in percent of those of the function.
    pub percent: u64,
}

/// What happened to a function.
#[derive(Default)]
pub struct Outcome<'c> {
    /// Bytes of its plan before.
    pub before: u64,
    /// Bytes of its plan after.
    pub after: u64,
    pub recomputed: Vec<Recomputed<'c>>,
    /// Buffers that are idle at the peak.
    pub held: Vec<Held<'c>>,
}

/// A buffer that is computed again before a late use.
pub struct Recomputed<'c> {
    /// The last operation that computes it first.
    pub producer: Op<'c>,
    /// Its bytes.
    pub size: u64,
    /// Operations that are repeated.
    pub operations: usize,
    /// Innermost iterations that are repeated, and those of the function.
    pub iterations: (u64, u64),
}

/// A buffer that is idle at the peak.
pub struct Held<'c> {
    pub alloc: Op<'c>,
    /// Its bytes.
    pub size: u64,
    pub refusal: Refusal,
}

/// The function as it is; dynamic sizes have the values of the first shape.
struct State<'c> {
    sizes: Sizes,
    analysis: Analysis<'c>,
    /// What it needs in each shape, where that was asked for.
    needs: Vec<Option<Needs>>,
}

impl State<'_> {
    /// What it needs in a shape, which its analysis is in from now on.
    fn needs(&mut self, shape: usize, alignment: u64) -> (&mut Needs, &Analysis<'_>) {
        self.sizes.set(&mut self.analysis, shape);
        if self.needs.len() <= shape {
            self.needs.resize_with(shape + 1, || None);
        }
        let needs = self.needs[shape].get_or_insert_with(|| Needs::of(&self.analysis, alignment));
        (needs, &self.analysis)
    }

    /// Bytes of its plan in the first shape.
    fn planned(&mut self, alignment: u64) -> u64 {
        let (needs, analysis) = self.needs(0, alignment);
        let all = needs.planned(analysis).values();
        all.copied().fold(0, u64::saturating_add)
    }
}

/// Whether the plan is smaller in the first shape, and not larger in any, arena by arena.
fn is_better(before: &mut State<'_>, after: &mut State<'_>, alignment: u64) -> bool {
    let shapes = before.sizes.shapes();
    let mut is_better = shapes == after.sizes.shapes();
    for shape in 0..shapes {
        if !is_better {
            break;
        }
        let (needs, analysis) = after.needs(shape, alignment);
        let new = needs.planned(analysis).clone();
        let (needs, analysis) = before.needs(shape, alignment);
        let old = needs.planned(analysis);
        is_better = !is_above(&new, old) && (shape > 0 || is_below(&new, old));
    }
    before.sizes.set(&mut before.analysis, 0);
    after.sizes.set(&mut after.analysis, 0);
    is_better
}

/// Reads a function.
struct Rounds<'i, 'c> {
    function: Op<'c>,
    callees: &'i dyn Callees,
    settings: &'i Settings,
    shapes: Shapes,
}

impl<'c> Rounds<'_, 'c> {
    fn analyse(&mut self, semantics: &mut Semantics) -> State<'c> {
        let how = &self.settings.how;
        let mut analysis = how.analyse(self.function, semantics, self.callees);
        let sizes = self.shapes.read(&analysis, semantics);
        sizes.set(&mut analysis, 0);
        State {
            sizes,
            analysis,
            needs: Vec::new(),
        }
    }
}

/// Computes buffers of a function again as long as its plan gets smaller.
pub fn function<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
) -> Outcome<'c> {
    let mut rounds = Rounds {
        function,
        callees,
        settings,
        shapes: Shapes::default(),
    };
    let alignment = settings.how.alignment;
    let mut outcome = Outcome::default();
    let mut state = None;
    for _ in 0..ROUNDS {
        let Some((next, mut found)) =
            round(&mut rounds, state.take(), semantics, &mut outcome.held)
        else {
            break;
        };
        let (mut before, mut after) = next;
        if outcome.recomputed.is_empty() {
            outcome.before = before.planned(alignment);
        }
        outcome.after = after.planned(alignment);
        outcome.recomputed.append(&mut found);
        state = Some(after);
    }
    if !outcome.recomputed.is_empty() {
        attributes::forget_pieces(function);
    }
    outcome
}

/// The function before and after a round.
type Change<'c> = (State<'c>, State<'c>);

/// Does one round. `None` if nothing changed: then `held` has the buffers that are idle at the peak.
fn round<'c>(
    rounds: &mut Rounds<'_, 'c>,
    state: Option<State<'c>>,
    semantics: &mut Semantics,
    held: &mut Vec<Held<'c>>,
) -> Option<(Change<'c>, Vec<Recomputed<'c>>)> {
    let (how, percent) = (&rounds.settings.how, rounds.settings.percent);
    // The reading borrows an analysis, and the guard changes sizes.
    let read = rounds.analyse(semantics);
    if read.analysis.program.has_arena {
        return None;
    }
    let reading = Reading::of(&read.analysis, semantics, how.alignment);
    let mut arenas = reading.arenas(how);
    let chosen = choose(&reading, &mut arenas, reading.budget(percent), semantics);
    let mut count = chosen.len();
    // Only a change is compared.
    let mut state = match count {
        0 => None,
        _ => Some(state.unwrap_or_else(|| rounds.analyse(semantics))),
    };
    while count > 0 {
        let now: Vec<&Repeated> = chosen[..count].iter().map(|one| one.repeated).collect();
        if let Some(written) = write(&reading, semantics, &now) {
            let mut anew = rounds.analyse(semantics);
            let before = state.as_mut()?;
            if is_better(before, &mut anew, how.alignment) {
                written.keep();
                let found = chosen[..count].iter();
                let found = found.map(|one| recomputed(&reading, one)).collect();
                return Some(((state?, anew), found));
            }
            written.undo();
        }
        // The load falls, but no plan shows it: fewer changes may do.
        count /= 2;
    }
    for arena in &mut arenas {
        hold(&reading, arena, held, semantics);
    }
    None
}

/// A buffer that is computed again.
struct Chosen<'p> {
    repeated: &'p Repeated,
    /// Its bytes.
    size: u64,
}

/// Decides for all arenas. What one arena computes again is not what another one reads, in the same round.
fn choose<'p>(
    reading: &Reading<'_, '_>,
    arenas: &'p mut [Arena],
    mut budget: u64,
    semantics: &mut Semantics,
) -> Vec<Chosen<'p>> {
    let (mut cut, mut fixed) = (FxHashSet::default(), FxHashSet::default());
    let mut chosen = Vec::new();
    for arena in arenas {
        arena.problem.budget = budget;
        let (members, sources) = (&arena.members, &mut arena.sources);
        let decision = decide(&mut arena.problem, &mut |problem, index| {
            reading.repeats(members, problem, &mut sources[index], semantics)
        });
        let arena: &'p Arena = arena;
        let choices = decision.choices.iter().filter_map(|choice| {
            let candidate = &arena.problem.candidates[choice.candidate];
            let found = arena.sources[choice.candidate].found.as_ref()?;
            Some(Chosen {
                repeated: found.as_ref().ok()?.get(choice.repetition)?,
                size: arena.problem.buffers[candidate.buffer].size,
            })
        });
        let choices: Vec<Chosen<'p>> = choices.collect();
        let own_cut = || choices.iter().map(|one| one.repeated.buffers[0].0);
        let own_fixed = || {
            let all = choices.iter().map(|one| one.repeated);
            all.flat_map(|one| {
                let held = one.held.iter();
                let held = held.map(|(place, _)| reading.analysis.plannable[*place].buffer);
                held.chain(one.buffers[1..].iter().map(|(buffer, _)| *buffer))
            })
        };
        let mut conflicts = own_cut().map(|buffer| fixed.contains(&buffer));
        let mut others = own_fixed().map(|buffer| cut.contains(&buffer));
        if conflicts.any(|one| one) || others.any(|one| one) {
            continue;
        }
        cut.extend(own_cut());
        fixed.extend(own_fixed());
        budget = decision.budget;
        chosen.extend(choices);
    }
    chosen
}

fn recomputed<'c>(reading: &Reading<'_, 'c>, one: &Chosen<'_>) -> Recomputed<'c> {
    let repeated = one.repeated;
    let steps = &reading.blocks.all[repeated.block].steps;
    Recomputed {
        producer: steps[repeated.buffers[0].1 as usize].op,
        size: one.size,
        operations: repeated.steps.len(),
        iterations: (repeated.iterations, reading.blocks.iterations),
    }
}

/// Adds the largest buffers that are idle at the peak of an arena.
fn hold<'c>(
    reading: &Reading<'_, 'c>,
    arena: &mut Arena,
    held: &mut Vec<Held<'c>>,
    semantics: &mut Semantics,
) {
    let at = peak(&arena.problem);
    let is_there = |gap: (u32, u32)| gap.0 <= at && at < gap.1;
    let candidates = 0..arena.sources.len();
    let candidates = candidates.filter(|index| is_there(arena.problem.candidates[*index].gap));
    let candidates: Vec<usize> = candidates.collect();
    for index in &candidates {
        if arena.sources[*index].found.is_none() {
            arena.repeats(reading, *index, semantics);
        }
    }
    let candidates = candidates.into_iter().map(|index| {
        let one = &arena.problem.candidates[index];
        let refusal = match &arena.sources[index].found {
            Some(Err(refusal)) => *refusal,
            _ => match one.obstacle(arena.problem.budget) {
                Obstacle::Expensive => Refusal::Expensive,
                Obstacle::NoGain => Refusal::NoGain,
            },
        };
        (one.buffer, refusal)
    });
    let refused = arena.refused.iter().filter(|one| is_there(one.gap));
    let refused = refused.map(|one| (one.buffer, one.refusal));
    let mut all: Vec<(usize, Refusal)> = candidates.chain(refused).collect();
    let size = |buffer: usize| arena.problem.buffers[buffer].size;
    all.sort_by_key(|(buffer, _)| (std::cmp::Reverse(size(*buffer)), *buffer));
    held.extend(all.into_iter().take(MOST_HELD).map(|(buffer, refusal)| {
        let buffer_id = reading.analysis.plannable[arena.members[buffer]].buffer;
        Held {
            alloc: reading.analysis.handles.buffers[buffer_id.index()],
            size: size(buffer),
            refusal,
        }
    }));
}
