//! Plans that can be written: where memory is freed, with flags that can travel, or why there is none.

use super::error::{Error, ErrorKind};
use super::flag_slots::{Obstacle, Slots};
use super::read::{IrEdge, Reading};
use super::{OwnershipDealloc, flagless_parameters};
use crate::{codes::INTERNAL, failure::fail_as};
use memplan_mlir::{
    ir::{Op, Val},
    pass::Failed,
};
use memplan_ownership::{
    DecideError, Plan, block_end_placement, decide,
    function::{EdgeId, Kind, ValueId},
    plan::Flag,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;

/// How often owners are kept longer because flags cannot travel otherwise.
const MOST_ROUNDS: usize = 16;

/// More run-time comparisons than so many for each value are left to the ends of blocks.
const MOST_ASKED: usize = 16;

/// A plan that frees at the ends of blocks, if no code has to stand where none can, and flags can travel.
pub(super) fn at_ends(reading: &Reading<'_>, semantics: &mut Semantics) -> Option<(Plan, Slots)> {
    let plan = block_end_placement::decide(&reading.function).ok()?;
    let slots = Slots::of(reading, &plan, semantics).ok()?;
    Some((plan, slots))
}

/// A plan that frees after last uses. Where code finds no place there, or has to ask about all pairs of many
/// buffers, it may do better at the ends of blocks; whether that is so.
pub(super) fn after_uses<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> (Result<(Plan, Slots), Refusal<'c>>, bool) {
    let kept = reading.function.kept.clone();
    let settled = settle(reading, semantics);
    if let Ok((plan, _)) = &settled
        && !is_long(plan, reading)
    {
        return (settled, false);
    }
    let kept = std::mem::replace(&mut reading.memory.function.kept, kept);
    match at_ends(reading, semantics) {
        Some(ends) => (Ok(ends), true),
        None => {
            reading.memory.function.kept = kept;
            (settled, false)
        }
    }
}

/// Does a plan ask more questions than the function has values, by far?
fn is_long(plan: &Plan, reading: &Reading<'_>) -> bool {
    let values = &reading.function.values;
    let asked = plan.tests.iter().map(|test| test.retained.len());
    // The results of one call are asked about two by two: each about those before it.
    let mut before: FxHashMap<ValueId, usize> = FxHashMap::default();
    let of_calls = values.iter().filter_map(|value| match value.kind {
        Kind::Fresh {
            owned: true,
            same_as,
        } => same_as,
        _ => None,
    });
    let of_calls = of_calls.map(|first| {
        let before = before.entry(first).or_insert(0);
        *before += 1;
        *before
    });
    asked.chain(of_calls).sum::<usize>() > MOST_ASKED * values.len()
}

/// Why there is no plan.
pub(super) enum Refusal<'c> {
    Trouble(Error<'c>),
    /// Memory that can be freed if it need not be where no code can be put, which another one is not.
    Stranded(Vec<(Val<'c>, Op<'c>)>),
    /// It does not come to an end.
    Rounds,
}

impl Refusal<'_> {
    pub(super) fn emit(self, function: Op<'_>) -> Failed {
        match self {
            Self::Trouble(trouble) => trouble.emit(),
            Self::Stranded(_) | Self::Rounds => {
                fail_as::<OwnershipDealloc>(function, INTERNAL, DecideError::TooManyRounds)
            }
        }
    }
}

/// A plan whose flags can travel, with as few of them as keeping owners a little longer gives.
fn settle<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(Plan, Slots), Refusal<'c>> {
    let settled = travel(reading, semantics)?;
    let params = flagless_parameters::params(reading, &settled.0, semantics);
    if params.is_empty() {
        return Ok(settled);
    }
    let before = reading.memory.function.kept.clone();
    reading.memory.function.wanted = params;
    match travel(reading, semantics) {
        Ok(fewer) if flags(&fewer.0) < flags(&settled.0) => Ok(fewer),
        _ => {
            reading.memory.function.kept = before;
            reading.memory.function.wanted.clear();
            Ok(settled)
        }
    }
}

/// How many values have a flag that is decided at run time.
fn flags(plan: &Plan) -> usize {
    plan.flags
        .iter()
        .filter(|flag| **flag == Flag::Dynamic)
        .count()
}

/// What to do about memory for which there is no place: on a branch that takes no code it is not freed.
fn without_place<'c>(reading: &Reading<'c>, all: &[(EdgeId, ValueId)]) -> Refusal<'c> {
    let stranded = all.iter().map(|(edge, value)| {
        let val = reading.values[value.index()]?;
        let is_known = || {
            let origins = reading.origins(*value);
            let mut kinds = origins.iter().map(|one| &reading.function.value(*one).kind);
            kinds.all(|kind| !matches!(kind, Kind::Fresh { owned: true, .. } | Kind::Told(_)))
        };
        match reading.ways[edge.index()] {
            IrEdge::Branch(op, _) if !is_known() => Some((val, op)),
            IrEdge::Return(op) if reading.is_never_new && !is_known() => Some((val, op)),
            _ => None,
        }
    });
    if let Some(stranded) = stranded.collect() {
        return Refusal::Stranded(stranded);
    }
    let edge = all[0].0;
    let what = match reading.ways[edge.index()] {
        IrEdge::Return(_) => ErrorKind::Borrowed,
        _ => ErrorKind::NoPlace,
    };
    Refusal::Trouble(reading.trouble_at(edge, what))
}

/// A plan whose flags can travel.
fn travel<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(Plan, Slots), Refusal<'c>> {
    for _ in 0..MOST_ROUNDS {
        let plan = decide(&reading.function).map_err(|error| match error {
            DecideError::NoPlace(all) => without_place(reading, &all),
            DecideError::Taken { edge } => {
                Refusal::Trouble(reading.trouble_at(edge, ErrorKind::Taken))
            }
            DecideError::TooManyRounds => Refusal::Rounds,
        })?;
        match Slots::of(reading, &plan, semantics) {
            Ok(slots) => return Ok((plan, slots)),
            Err(Obstacle::Trouble(trouble)) => return Err(Refusal::Trouble(trouble)),
            Err(Obstacle::Keep(more)) => {
                let before = reading.function.kept.len();
                for one in more {
                    if !reading.function.kept.contains(&one) {
                        reading.memory.function.kept.push(one);
                    }
                }
                if reading.function.kept.len() == before {
                    break;
                }
            }
        }
    }
    Err(Refusal::Rounds)
}
