//! Finds a plan that can be written: its frees have a place, and its flags have slots. Otherwise gives the
//! reason.

use super::error::{Error, ErrorKind};
use super::flag_slots::{FlagSlots, Obstacle};
use super::read::{IrEdge, Reading};
use super::{OwnershipDealloc, flagless_parameters};
use crate::{codes::INTERNAL, failure::fail_as};
use memplan_mlir::{
    ir::{Op, Val},
    pass::Failed,
};
use memplan_ownership::{
    DecideError, Plan, block_end_placement, decide,
    function::{EdgeId, ValueId, ValueKind},
    plan::Ownership,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;

/// The number of attempts at finding slots for all flags. Each attempt keeps some owners longer.
const MAX_ROUNDS: usize = 16;

/// Plans with more run-time comparisons for each value are replaced by frees at the ends of blocks, if
/// possible.
const MAX_COMPARISONS_PER_VALUE: usize = 16;

/// A plan with frees at the ends of blocks, if all code has a place and all flags have slots.
pub(super) fn plan_at_block_ends(
    reading: &Reading<'_>,
    semantics: &mut Semantics,
) -> Option<(Plan, FlagSlots)> {
    let plan = block_end_placement::decide(&reading.function).ok()?;
    let slots = FlagSlots::of(reading, &plan, semantics).ok()?;
    Some((plan, slots))
}

/// A plan with frees after last uses. If that has no place for some code, or compares all pairs of many
/// buffers, a plan with frees at the ends of blocks is tried. The second result is whether that one was
/// chosen.
pub(super) fn plan_after_last_uses<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> (Result<(Plan, FlagSlots), NoPlan<'c>>, bool) {
    let used_at_start = reading.function.used_at_start.clone();
    let planned = plan_with_few_flags(reading, semantics);
    if let Ok((plan, _)) = &planned
        && !compares_too_much(plan, reading)
    {
        return (planned, false);
    }
    let used_at_start =
        std::mem::replace(&mut reading.memory.function.used_at_start, used_at_start);
    match plan_at_block_ends(reading, semantics) {
        Some(ends) => (Ok(ends), true),
        None => {
            reading.memory.function.used_at_start = used_at_start;
            (planned, false)
        }
    }
}

/// Whether a plan takes many more comparisons than the function has values.
fn compares_too_much(plan: &Plan, reading: &Reading<'_>) -> bool {
    let values = &reading.function.values;
    let comparisons = plan.tests.iter().map(|test| test.retained.len());
    // Results of one call are compared in pairs: each with all before it.
    let mut before: FxHashMap<ValueId, usize> = FxHashMap::default();
    let of_calls = values.iter().filter_map(|value| match value.kind {
        ValueKind::Fresh {
            owned: true,
            may_alias,
        } => may_alias,
        _ => None,
    });
    let of_calls = of_calls.map(|first| {
        let before = before.entry(first).or_insert(0);
        *before += 1;
        *before
    });
    comparisons.chain(of_calls).sum::<usize>() > MAX_COMPARISONS_PER_VALUE * values.len()
}

/// The reason why there is no plan.
pub(super) enum NoPlan<'c> {
    Error(Error<'c>),
    /// Memory that would have to be freed where no code can be placed, with the operation there. A plan is
    /// possible if this memory is not freed.
    Unplaceable(Vec<(Val<'c>, Op<'c>)>),
    /// The attempts did not converge.
    TooManyRounds,
}

impl NoPlan<'_> {
    pub(super) fn emit(self, function: Op<'_>) -> Failed {
        match self {
            Self::Error(error) => error.emit(),
            Self::Unplaceable(_) | Self::TooManyRounds => {
                fail_as::<OwnershipDealloc>(function, INTERNAL, DecideError::TooManyRounds)
            }
        }
    }
}

/// A plan with a slot for each flag. Keeps owners longer if that saves flags.
fn plan_with_few_flags<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(Plan, FlagSlots), NoPlan<'c>> {
    let planned = plan_with_slots(reading, semantics)?;
    let params = flagless_parameters::flagless_params(reading, &planned.0, semantics);
    if params.is_empty() {
        return Ok(planned);
    }
    let before = reading.memory.function.used_at_start.clone();
    reading.memory.function.forced_live = params;
    match plan_with_slots(reading, semantics) {
        Ok(fewer) if count_dynamic(&fewer.0) < count_dynamic(&planned.0) => Ok(fewer),
        _ => {
            reading.memory.function.used_at_start = before;
            reading.memory.function.forced_live.clear();
            Ok(planned)
        }
    }
}

/// The number of values with a flag that is decided at run time.
fn count_dynamic(plan: &Plan) -> usize {
    plan.ownership
        .iter()
        .filter(|flag| **flag == Ownership::Dynamic)
        .count()
}

/// The consequence of frees without a place. Memory that would have to be freed on a branch without code is
/// not freed.
fn refuse_edges<'c>(reading: &Reading<'c>, all: &[(EdgeId, ValueId)]) -> NoPlan<'c> {
    let unplaceable = all.iter().map(|(edge, value)| {
        let val = reading.values[value.index()]?;
        let is_known = || {
            let origins = reading.origins(*value);
            let mut kinds = origins.iter().map(|one| &reading.function.value(*one).kind);
            kinds.all(|kind| {
                !matches!(
                    kind,
                    ValueKind::Fresh { owned: true, .. } | ValueKind::FreshOrAnyOf(_)
                )
            })
        };
        match reading.ir_edges[edge.index()] {
            IrEdge::Branch(op, _) if !is_known() => Some((val, op)),
            IrEdge::Return(op) if reading.borrowed_is_never_new && !is_known() => Some((val, op)),
            _ => None,
        }
    });
    if let Some(unplaceable) = unplaceable.collect() {
        return NoPlan::Unplaceable(unplaceable);
    }
    let edge = all[0].0;
    let kind = match reading.ir_edges[edge.index()] {
        IrEdge::Return(_) => ErrorKind::NewReturnedAsBorrowed,
        _ => ErrorKind::NoPlace,
    };
    NoPlan::Error(reading.error_at(edge, kind))
}

/// A plan with a slot for each flag.
fn plan_with_slots<'c>(
    reading: &mut Reading<'c>,
    semantics: &mut Semantics,
) -> Result<(Plan, FlagSlots), NoPlan<'c>> {
    for _ in 0..MAX_ROUNDS {
        let plan = decide(&reading.function).map_err(|error| match error {
            DecideError::NoPlaceForFrees(all) => refuse_edges(reading, &all),
            DecideError::ConsumedWhileLive { edge } => {
                NoPlan::Error(reading.error_at(edge, ErrorKind::ConsumedWhileLive))
            }
            DecideError::TooManyRounds => NoPlan::TooManyRounds,
        })?;
        match FlagSlots::of(reading, &plan, semantics) {
            Ok(slots) => return Ok((plan, slots)),
            Err(Obstacle::Error(error)) => return Err(NoPlan::Error(error)),
            Err(Obstacle::KeepOwners(more)) => {
                let before = reading.function.used_at_start.len();
                for one in more {
                    if !reading.function.used_at_start.contains(&one) {
                        reading.memory.function.used_at_start.push(one);
                    }
                }
                if reading.function.used_at_start.len() == before {
                    break;
                }
            }
        }
    }
    Err(NoPlan::TooManyRounds)
}
