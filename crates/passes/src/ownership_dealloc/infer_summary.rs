//! Infers the summary of a function that returns ownership flags from its reading and its plan.

use super::{
    ownership_summary::{Callees, OwnershipSummary},
    read::{IrEdge, Reading},
};
use memplan_mlir::ir::{Origin, origin};
use memplan_ownership::{
    Plan,
    function::{EdgeId, SegmentId, ValueId, ValueKind},
    plan::Ownership,
};

/// Whether the function may handle shifted views: its own, or those that callees return.
pub fn may_have_shifted_views(callees: &Callees<'_>, reading: &Reading<'_>) -> bool {
    let mut calls = reading.flag_calls.iter();
    reading.has_shifts
        || calls.any(|(call, _)| {
            let ownership = callees.ownership_of_results(*call);
            ownership.is_some_and(|ownership| ownership.iter().any(|one| one.is_shifted))
        })
}

/// The summary of each result memref, as far as the reading shows it. `callees` are the function's own
/// callees.
pub fn infer(reading: &Reading<'_>, callees: &Callees<'_>) -> Vec<OwnershipSummary> {
    let is_shifted = may_have_shifted_views(callees, reading);
    let mut all: Vec<OwnershipSummary> = Vec::new();
    // For each result, the values whose new memory it may be.
    let mut fresh: Vec<Vec<ValueId>> = Vec::new();
    for edge in returns(reading) {
        let passed = &reading.function.edge(edge).passed;
        if all.len() < passed.len() {
            all.resize(passed.len(), OwnershipSummary::default());
            fresh.resize(passed.len(), Vec::new());
        }
        for (at, value) in passed.iter().enumerate() {
            let Some(value) = *value else {
                all[at].elsewhere = true;
                continue;
            };
            for from in reading.origins(value) {
                match &reading.function.value(from).kind {
                    ValueKind::Fresh {
                        owned: true,
                        may_alias,
                    } => fresh[at].push(may_alias.unwrap_or(from)),
                    ValueKind::FreshOrAnyOf(_) => fresh[at].push(from),
                    _ => match argument_number(reading, from) {
                        Some(number) => all[at].arguments.push(number),
                        None => all[at].elsewhere = true,
                    },
                }
            }
        }
    }
    for (at, ownership) in all.iter_mut().enumerate() {
        ownership.arguments.sort_unstable();
        ownership.arguments.dedup();
        if !fresh[at].is_empty() {
            ownership.owned = Ownership::Dynamic;
        }
        let is_shared = |other: &usize| {
            *other != at && fresh[*other].iter().any(|value| fresh[at].contains(value))
        };
        ownership.results = (0..fresh.len()).filter(is_shared).collect();
        ownership.is_shifted = is_shifted;
    }
    all
}

/// Refines the summary by the plan: results that are always owned, or never.
pub fn refine(all: &mut [OwnershipSummary], reading: &Reading<'_>, plan: &Plan) {
    for (at, ownership) in all.iter_mut().enumerate() {
        if ownership.owned != Ownership::Dynamic {
            continue;
        }
        // With frees at block ends, aliasing results may both be marked as owned. So only a result without
        // aliases is always owned.
        let is_shared = !plan.block_end_deallocs.is_empty() && !ownership.results.is_empty();
        let mut flags = returns(reading).map(|edge| plan.ownership_passed_by(edge, at));
        if let Some(first) = flags.next()
            && !is_shared
            && flags.all(|flag| flag == first)
        {
            ownership.owned = first;
        }
    }
}

/// The edges out of the function.
fn returns(reading: &Reading<'_>) -> impl Iterator<Item = EdgeId> {
    (0..reading.ir_edges.len())
        .filter(|index| matches!(reading.ir_edges[*index], IrEdge::Return(_)))
        .map(EdgeId::new)
}

/// The number of the function's argument that a value is.
pub fn argument_number(reading: &Reading<'_>, value: ValueId) -> Option<usize> {
    if reading.function.value(value).segment != SegmentId(0) {
        return None;
    }
    match origin(reading.values[value.index()]?)? {
        Origin::Argument(_, number) => Some(number),
        Origin::Result(..) => None,
    }
}
