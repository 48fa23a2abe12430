//! Memory that is in no arena, where a memory space has a capacity.

use super::{
    decide_error::DecideError, heap::most, memory_needs::Bytes, plan::Plan, split::others,
};
use crate::memory_spaces::{names::short_space, per_space::PerSpace};
use memplan_lifetimes::{
    Analysis,
    program::{Position, ScopeId},
};
use memplan_mlir::{
    ir::{Op, results, type_of},
    layout::memory_space,
};
use rustc_hash::FxHashMap;

/// The most bytes that allocations of a scope take at once that are in no arena, by memory space. Sizes that are known only at run
/// time do not count.
pub fn bytes(analysis: &Analysis<'_>, scope: ScopeId) -> Bytes {
    let mut ranges: FxHashMap<String, Vec<(u64, u64, u64)>> = FxHashMap::default();
    for (space, first, end, bytes) in unplanned(analysis, scope) {
        let ranges = ranges.entry(short_space(&space).to_owned()).or_default();
        ranges.push((first.into(), end.into(), bytes));
    }
    let most = ranges
        .into_iter()
        .map(|(space, ranges)| (space, most(&ranges)));
    most.collect()
}

/// The allocations of a scope that are in no arena: memory space, first position, the one after the last, and bytes. Those whose
/// sizes are known only at run time are left out.
pub fn unplanned(
    analysis: &Analysis<'_>,
    scope: ScopeId,
) -> Vec<(String, Position, Position, u64)> {
    let all = others(analysis, scope, None).into_iter();
    let known = all.filter_map(|other| {
        let op = analysis.handles.buffers[other.buffer.index()];
        let space = memory_space(type_of(results(op).next()?));
        Some((space, other.first, other.end, other.bytes?))
    });
    known.collect()
}

/// Checks the memory spaces of a scope that has no arena there.
pub fn fits(plan: &Plan, scope: ScopeId, capacities: &PerSpace<u64>) -> Result<(), DecideError> {
    let mut spaces: Vec<(&String, &u64)> = plan.needs.all_beside(scope).iter().collect();
    spaces.sort_unstable();
    for (space, beside) in spaces {
        let inside = plan.needs.inside(scope, space);
        let capacity = capacities.get(space).copied();
        if let Some(capacity) = capacity.filter(|most| *most < beside.saturating_add(inside)) {
            return Err(DecideError::OverCapacity {
                memory_space: space.clone(),
                size: 0,
                inside,
                beside: *beside,
                capacity,
                peak: Vec::new(),
            });
        }
    }
    Ok(())
}

/// The allocations in no arena of a memory space, each with its bytes.
pub fn listed<'c>(analysis: &Analysis<'c>, printed: &str) -> Vec<(Op<'c>, u64)> {
    let scopes = (0..analysis.program.scopes.len()).map(ScopeId::new);
    let all = scopes.flat_map(|scope| others(analysis, scope, None));
    let listed = all.filter_map(|other| {
        let op = analysis.handles.buffers[other.buffer.index()];
        let space = memory_space(type_of(results(op).next()?));
        let is_there = short_space(&space) == short_space(printed);
        Some((op, other.bytes.filter(|_| is_there)?))
    });
    listed.collect()
}
