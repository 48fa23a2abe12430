//! Reads a function: its blocks, the buffers with their uses, and the gaps between these as a [`Problem`] for each arena.

mod repeat;

use super::{
    Refusal,
    decide::{Buffer, Candidate, Problem, Repetition},
};
use crate::{
    coalescing::{self, PackingOptions},
    late_uses::{Blocks, BufferUses, Handed, pending},
    op_effects::{AccessAnalysis, Root},
};
use memplan_lifetimes::{
    Analysis,
    live::contains,
    program::{BufferId, Position, UseKind, ValueKind},
};
use memplan_semantics::{Semantics, attributes::has_banks};
pub use repeat::Repeated;
use repeat::{Preference, Repeater};
use rustc_hash::FxHashSet;

/// A function.
pub struct Reading<'a, 'c> {
    pub analysis: &'a Analysis<'c>,
    pub blocks: Blocks<'c>,
    /// For each buffer, its index among the plannable ones.
    pub places: Vec<Option<usize>>,
    /// For each plannable buffer, its uses, or why it is not computed again.
    pub uses: Vec<Result<BufferUses<'c>, Refusal>>,
    /// For each plannable buffer, the index of its arena.
    pub arena_of: Vec<usize>,
    /// Memory that asynchronous operations use.
    pending: FxHashSet<Root>,
    /// For each buffer, the positions at which it is touched by its own name or through views.
    touched: Vec<Vec<Position>>,
}

/// The buffers of an arena.
pub struct Arena {
    pub problem: Problem,
    /// The plannable buffers, by index, in the order of the problem.
    pub members: Vec<usize>,
    /// What each candidate stands for.
    pub sources: Vec<Source>,
    /// Gaps of buffers that are not candidates.
    pub refused: Vec<Refused>,
}

/// A plannable buffer, by index, and the step of its late use.
pub struct Source {
    place: usize,
    before: u32,
    /// How it may be computed again, once that is asked for.
    pub found: Option<Result<Vec<Repeated>, Refusal>>,
}

impl Arena {
    /// Finds how a candidate may be computed again.
    pub fn repeats(&mut self, reading: &Reading<'_, '_>, index: usize, semantics: &mut Semantics) {
        let source = &mut self.sources[index];
        let found = reading.repeats(&self.members, &self.problem, source, semantics);
        self.problem.candidates[index].repetitions = Some(found);
    }
}

/// A gap in which a buffer has to be held.
pub struct Refused {
    /// The buffer, by its index in the problem.
    pub buffer: usize,
    pub gap: (Position, Position),
    pub refusal: Refusal,
}

impl<'a, 'c> Reading<'a, 'c> {
    /// Reads a function.
    pub fn of(analysis: &'a Analysis<'c>, semantics: &mut Semantics, alignment: u64) -> Self {
        let accesses = AccessAnalysis::with_arguments(analysis);
        let program = &analysis.program;
        let blocks = Blocks::of(analysis, &accesses, semantics);
        let mut places = vec![None; program.buffers.len()];
        for (place, plannable) in analysis.plannable.iter().enumerate() {
            places[plannable.buffer.index()] = Some(place);
        }
        let mut arena_of = vec![0; analysis.plannable.len()];
        for (arena, space) in coalescing::spaces(analysis, alignment).iter().enumerate() {
            for member in &space.members {
                arena_of[*member] = arena;
            }
        }
        let pending = pending(analysis, &accesses);
        let uses = BufferUses::of_all(analysis, &blocks, &pending, semantics);
        let mut touched = vec![Vec::new(); program.buffers.len()];
        for used in program
            .uses
            .iter()
            .filter(|used| used.kind != UseKind::Mention)
        {
            let base = analysis.aliases.base(used.value);
            if let ValueKind::Alloc(buffer) = program.values[base.index()].kind {
                touched[buffer.index()].push(used.position);
            }
        }
        Self {
            analysis,
            blocks,
            places,
            uses,
            arena_of,
            pending,
            touched,
        }
    }

    /// The innermost iterations that may be repeated yet, with this limit in percent of all.
    pub fn budget(&self, percent: u64) -> u64 {
        let allowed = u128::from(self.blocks.iterations) * u128::from(percent) / 100;
        let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
        allowed.saturating_sub(self.blocks.repeated)
    }

    /// The arenas of the function, as problems without a budget.
    pub fn arenas(&self, how: &PackingOptions) -> Vec<Arena> {
        let handed = Handed::of(self.analysis, &self.places, how.in_place);
        let spaces = coalescing::spaces(self.analysis, how.alignment);
        let spaces = spaces.into_iter();
        let arenas = spaces.map(|space| {
            let mut arena = Arena {
                problem: Problem::default(),
                members: space.members,
                sources: Vec::new(),
                refused: Vec::new(),
            };
            for place in &arena.members {
                arena.problem.buffers.push(Buffer {
                    size: coalescing::bytes(self.analysis, *place, how.alignment),
                    live: handed.live(self.analysis, *place),
                });
            }
            let first = arena.problem.buffers.iter();
            arena.problem.end = first
                .filter_map(|buffer| buffer.live.last())
                .map(|range| range.1 + 2)
                .max()
                .unwrap_or(0);
            for buffer in 0..arena.members.len() {
                self.add_gaps(&mut arena, buffer, &handed);
            }
            arena
        });
        arenas.collect()
    }

    /// Adds the gaps between the uses of a buffer.
    fn add_gaps(&self, arena: &mut Arena, buffer: usize, handed: &Handed) {
        let place = arena.members[buffer];
        let plannable = &self.analysis.plannable[place];
        let alloc = self.analysis.handles.buffers[plannable.buffer.index()];
        if arena.problem.buffers[buffer].size == 0 || has_banks(alloc) {
            return;
        }
        let uses = match &self.uses[place] {
            Ok(uses) => uses,
            Err(refusal) => {
                let positions = self.touched[plannable.buffer.index()].windows(2);
                let gaps = positions.filter(|pair| {
                    pair[0] + 1 < pair[1]
                        && contains(&plannable.live, pair[0] + 1)
                        && contains(&plannable.live, pair[1] - 1)
                });
                arena.refused.extend(gaps.map(|pair| Refused {
                    buffer,
                    gap: (2 * pair[0] + 2, 2 * pair[1]),
                    refusal: *refusal,
                }));
                return;
            }
        };
        let steps = &self.blocks.all[uses.block].steps;
        for pair in uses.touches.windows(2) {
            let (one, other) = (&steps[pair[0].step as usize], &steps[pair[1].step as usize]);
            // After a write, there would be nothing to compute again but the only use: another order does the same.
            let is_held = !pair[0].writes
                && one.end + 1 < other.start
                && contains(&plannable.live, one.end + 1)
                && contains(&plannable.live, other.start - 1);
            if !is_held {
                continue;
            }
            let start = 2 * one.end
                + if handed.may_end(plannable.buffer, one) {
                    1
                } else {
                    2
                };
            let gap = (start, 2 * other.start);
            arena.problem.candidates.push(Candidate {
                buffer,
                gap,
                repetitions: None,
            });
            arena.sources.push(Source {
                place,
                before: pair[1].step,
                found: None,
            });
        }
    }

    /// How a buffer of an arena, which has these plannable buffers, may be computed again.
    pub fn repeats(
        &self,
        members: &[usize],
        problem: &Problem,
        source: &mut Source,
        semantics: &mut Semantics,
    ) -> Vec<Repetition> {
        let Ok(uses) = &self.uses[source.place] else {
            return Vec::new();
        };
        let buffer = self.analysis.plannable[source.place].buffer;
        let start = self.blocks.all[uses.block].steps[source.before as usize].start;
        let found = self.repetitions(buffer, uses, source.before, semantics);
        let forms = found.iter().flatten();
        let forms = forms.map(|one| self.form(members, problem, one, start));
        let forms = forms.collect();
        source.found = Some(found);
        forms
    }

    /// How a buffer may be computed again before a step.
    pub fn repetitions(
        &self,
        buffer: BufferId,
        uses: &BufferUses<'_>,
        before: u32,
        semantics: &mut Semantics,
    ) -> Result<Vec<Repeated>, Refusal> {
        let mut found: Vec<Repeated> = Vec::new();
        let mut refused = None;
        for preference in [Preference::Hold, Preference::Compute] {
            let mut repeater = Repeater {
                reading: self,
                semantics,
                preference,
                found: Repeated {
                    block: uses.block,
                    before,
                    steps: Vec::new(),
                    buffers: Vec::new(),
                    held: Vec::new(),
                    iterations: 0,
                },
            };
            match repeater.compute(buffer, before) {
                Ok(()) => {
                    let one = repeater.found;
                    if found.iter().all(|other| other.steps != one.steps) {
                        found.push(one);
                    }
                }
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        match refused {
            Some(refusal) if found.is_empty() => Err(refusal),
            _ => Ok(found),
        }
    }

    /// A repetition as plain data.
    fn form(
        &self,
        members: &[usize],
        problem: &Problem,
        one: &Repeated,
        before: Position,
    ) -> Repetition {
        let at = 2 * before;
        let index = |place: usize| members.binary_search(&place).ok();
        let place = |buffer: BufferId| self.places[buffer.index()].and_then(index);
        let held = one.held.iter().filter_map(|(place, from)| {
            let range = (2 * from + 1, at + 1);
            Some((index(*place)?, range))
        });
        let others = one.buffers[1..].iter();
        let others: Vec<usize> = others.filter_map(|(buffer, _)| place(*buffer)).collect();
        let sizes = others.iter();
        Repetition {
            iterations: one.iterations,
            held: held.collect(),
            temporary: sizes
                .map(|buffer| problem.buffers[*buffer].size)
                .fold(0, u64::saturating_add),
            others,
            at,
        }
    }
}
