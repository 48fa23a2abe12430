//! `analyse-only`: writes the result as attributes, and changes nothing else.

use super::{nested_arenas::NestedArenaKind, plan::Plan, write_plan::WritePlan};
use crate::memory_spaces::names::space_name;
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_mlir::{
    build::{mark, set_integer, set_integers, set_text},
    ir::{Identity, Key, Op, parent},
};
use memplan_semantics::attributes::{
    ARENA_NUMBER, EACH_ITERATION, IN_PLACE, LIVE, MEMORY_SPACE, NESTED_ARENAS, NESTED_OFFSETS,
    OFFSET, SCOPE, SKIP, SLOT, SLOTS,
};
use rustc_hash::FxHashMap;

/// The operations that an analysis annotates.
#[derive(Clone, Copy)]
pub enum Originals<'w, 'c> {
    /// Those that it reads.
    Same,
    /// Those of which what it reads, and writes, is a copy.
    Copied(&'w FxHashMap<Key, Op<'c>>),
}

impl<'c> Originals<'_, 'c> {
    /// The operation that is annotated for one that is read; `None` if the copy alone has it.
    pub fn of(&self, op: Op<'c>) -> Option<Op<'c>> {
        match self {
            Self::Same => Some(op),
            Self::Copied(originals) => originals.get(&op.key()).copied(),
        }
    }

    /// The same for an operation of a function that is not written yet. A new one may be at the address of an operation
    /// that was erased, but only of one in a function that is written.
    fn of_unwritten(&self, op: Op<'c>, function: Op<'c>) -> Option<Op<'c>> {
        let original = self.of(op)?;
        if matches!(self, Self::Same) {
            return Some(original);
        }
        let function = self.of(function)?.key();
        std::iter::successors(Some(original), |op| parent(*op))
            .any(|around| around.key() == function)
            .then_some(original)
    }
}

/// The operation whose nested arenas have offsets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum NestedOwner {
    Call(usize),
    Body(ScopeId),
}

/// The places of the nested arenas of a call or a parallel body.
#[derive(Default)]
struct NestedPlaces {
    /// The index of each among those of its owner, its offset, the number of the arena around it, and whether each
    /// iteration of a loop allocates that.
    all: Vec<(usize, i64, i64, bool)>,
}

/// Annotates each allocation that would be merged with `memplan.scope`, `memplan.live` (start and end of each
/// range) and `memplan.offset`; for a dynamic size, with `memplan.scope` and `memplan.slot`, the number of
/// its slot. Annotates each other one with `memplan.skip`, the id of the reason.
///
/// A second run takes the plan from the attributes. So buffers that are one have the same `memplan.in_place`, those
/// that move have a `memplan.memory_space`, those in another arena than the first of their scope and memory space a
/// `memplan.arena_number`, and calls and parallel bodies with nested arenas have
/// `memplan.nested_offsets`.
pub fn annotate<'c>(
    analysis: &Analysis<'c>,
    plan: &Plan,
    orders: &WritePlan<'c>,
    originals: &Originals<'_, 'c>,
    function: Op<'c>,
) {
    let original = |op| originals.of_unwritten(op, function);
    let mut nested: FxHashMap<NestedOwner, NestedPlaces> = FxHashMap::default();
    let mut counts: FxHashMap<(ScopeId, &str), i64> = FxHashMap::default();
    for arena in &plan.arenas {
        let count = counts
            .entry((arena.scope, &arena.memory_space))
            .or_default();
        let number = *count;
        *count += 1;
        let mut members = vec![0; arena.slices.len()];
        for slice in &arena.slices {
            members[slice.host] += 1;
            let Some((index, guest)) = plan.guest(analysis, slice) else {
                continue;
            };
            let (owner, place) = match guest.what {
                NestedArenaKind::Callee { call, number } => (NestedOwner::Call(call), number),
                NestedArenaKind::Bodies { arena, .. } => {
                    (NestedOwner::Body(plan.arenas[arena].scope), index)
                }
            };
            let places = nested.entry(owner).or_default();
            let offset = slice.offset as i64;
            places
                .all
                .push((place, offset, number, arena.is_of_iteration));
        }
        let own = arena.slices.iter();
        for slice in own.filter(|slice| plan.guest(analysis, slice).is_none()) {
            let plannable = &analysis.plannable[slice.plannable];
            let op = analysis.handles.buffers[plannable.buffer.index()];
            let Some(op) = original(op) else { continue };
            let live: Vec<i64> = plannable
                .live
                .iter()
                .flat_map(|(first, end)| [i64::from(*first), i64::from(*end)])
                .collect();
            set_integer(op, SCOPE, i64::from(arena.scope.0));
            set_integers(op, LIVE, &live);
            set_integer(op, OFFSET, slice.offset as i64);
            if number > 0 {
                set_integer(op, ARENA_NUMBER, number);
            }
            if arena.is_of_iteration {
                mark(op, EACH_ITERATION);
            }
            if members[slice.host] > 1 {
                let host = &arena.slices[slice.host];
                set_integer(op, IN_PLACE, plan.id(analysis, host) as i64);
            }
            if orders.moved.contains_key(&slice.plannable) {
                set_text(op, MEMORY_SPACE, space_name(&arena.memory_space));
            }
            if slice.slots > 1 {
                set_integer(op, SLOTS, slice.slots as i64);
            }
        }
        let slots = arena.dynamic.iter().flat_map(|part| &part.slots);
        for (number, slot) in slots.enumerate() {
            for buffer in &slot.members {
                let op = analysis.handles.buffers[buffer.index()];
                let Some(op) = original(op) else { continue };
                set_integer(op, SCOPE, i64::from(arena.scope.0));
                set_integer(op, SLOT, number as i64);
            }
        }
    }
    for (owner, mut places) in nested {
        places.all.sort_unstable();
        let arenas: Vec<i64> = places.all.iter().map(|(_, _, arena, _)| *arena).collect();
        let offsets: Vec<i64> = places.all.iter().map(|(_, offset, ..)| *offset).collect();
        let op = match owner {
            NestedOwner::Call(call) => analysis.handles.calls[call],
            NestedOwner::Body(scope) => analysis.handles.scopes[scope.index()].0,
        };
        let Some(op) = original(op) else { continue };
        set_integers(op, NESTED_OFFSETS, &offsets);
        if arenas.iter().any(|arena| *arena > 0) {
            set_integers(op, NESTED_ARENAS, &arenas);
        }
        let of_iterations = places.all.iter().map(|(.., is_one)| i64::from(*is_one));
        let of_iterations: Vec<i64> = of_iterations.collect();
        if of_iterations.contains(&1) {
            set_integers(op, EACH_ITERATION, &of_iterations);
        }
    }
    for (buffer, reason) in &analysis.skipped {
        if let Some(op) = original(analysis.handles.buffers[buffer.index()]) {
            set_text(op, SKIP, reason.id());
        }
    }
}
