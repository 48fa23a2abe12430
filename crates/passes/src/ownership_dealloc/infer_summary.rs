//! What a function tells its callers of what it returns, as reading it shows it.

use super::{
    ownership_summary::{Callees, OwnershipSummary},
    read::{IrEdge, Reading},
};
use memplan_mlir::ir::{Origin, origin};
use memplan_ownership::{
    Plan,
    function::{EdgeId, Kind, SegmentId, ValueId},
    plan::Flag,
};

/// May what a function has from its callees, or makes of that, start elsewhere than what it is a view of?
pub fn may_shift(callees: &Callees<'_>, reading: &Reading<'_>) -> bool {
    let mut told = reading.told.iter();
    reading.has_shifts
        || told.any(|(call, _)| {
            let told = callees.of(*call);
            told.is_some_and(|told| told.iter().any(|one| one.is_shifted))
        })
}

/// Of the memrefs that a function returns, as far as reading it shows; `callees` are its own.
pub fn of(reading: &Reading<'_>, callees: &Callees<'_>) -> Vec<OwnershipSummary> {
    let is_shifted = may_shift(callees, reading);
    let mut all: Vec<OwnershipSummary> = Vec::new();
    // For each result, the values whose new memory it may be.
    let mut made: Vec<Vec<ValueId>> = Vec::new();
    for edge in returns(reading) {
        let passed = &reading.function.edge(edge).passed;
        if all.len() < passed.len() {
            all.resize(passed.len(), OwnershipSummary::default());
            made.resize(passed.len(), Vec::new());
        }
        for (at, value) in passed.iter().enumerate() {
            let Some(value) = *value else {
                all[at].elsewhere = true;
                continue;
            };
            for from in reading.origins(value) {
                match &reading.function.value(from).kind {
                    Kind::Fresh {
                        owned: true,
                        same_as,
                    } => made[at].push(same_as.unwrap_or(from)),
                    Kind::Told(_) => made[at].push(from),
                    _ => match argument(reading, from) {
                        Some(number) => all[at].arguments.push(number),
                        None => all[at].elsewhere = true,
                    },
                }
            }
        }
    }
    for (at, told) in all.iter_mut().enumerate() {
        told.arguments.sort_unstable();
        told.arguments.dedup();
        if !made[at].is_empty() {
            told.owned = Flag::Dynamic;
        }
        let is_shared = |other: &usize| {
            *other != at && made[*other].iter().any(|value| made[at].contains(value))
        };
        told.results = (0..made.len()).filter(is_shared).collect();
        told.is_shifted = is_shifted;
    }
    all
}

/// With what a plan shows: results that are always owned, or never.
pub fn sharpen(all: &mut [OwnershipSummary], reading: &Reading<'_>, plan: &Plan) {
    for (at, told) in all.iter_mut().enumerate() {
        if told.owned != Flag::Dynamic {
            continue;
        }
        // Gathers let several own what is the same memory: that is one's alone only if no other may be it.
        let is_shared = !plan.gathers.is_empty() && !told.results.is_empty();
        let mut flags = returns(reading).map(|edge| plan.passed(edge, at));
        if let Some(first) = flags.next()
            && !is_shared
            && flags.all(|flag| flag == first)
        {
            told.owned = first;
        }
    }
}

/// The edges out of the function.
fn returns(reading: &Reading<'_>) -> impl Iterator<Item = EdgeId> {
    (0..reading.ways.len())
        .filter(|index| matches!(reading.ways[*index], IrEdge::Return(_)))
        .map(EdgeId::new)
}

/// The number of a function's argument.
pub fn argument(reading: &Reading<'_>, value: ValueId) -> Option<usize> {
    if reading.function.value(value).segment != SegmentId(0) {
        return None;
    }
    match origin(reading.values[value.index()]?)? {
        Origin::Argument(_, number) => Some(number),
        Origin::Result(..) => None,
    }
}
