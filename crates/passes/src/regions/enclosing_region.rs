//! Loops whose memory stays in the enclosing region, as options or attributes ask for that, or as it is
//! small.

use super::{
    classes::Solved,
    facts::{Function, ScopeId, ScopeKind},
    settings::{Loops, Settings},
    summary::Summary,
};

/// Limit of the bytes that a loop may allocate without a release.
const MAX_LOOP_BYTES: u64 = 64 << 10;

/// For each scope, whether it is a loop that allocates at most `MAX_LOOP_BYTES` in all iterations. False if
/// that is not known at compile time.
fn small_loops(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    is_auto: bool,
) -> Vec<bool> {
    let mut loop_bytes: Vec<Option<u64>> = function
        .scopes
        .iter()
        .map(|scope| (is_auto && scope.kind == ScopeKind::Iteration).then_some(0))
        .collect();
    let allocations = function.allocations.iter();
    let allocations = allocations.filter(|one| {
        let class = solved.class(one.value);
        class.rejected.is_none() && class.is_candidate
    });
    let allocations = allocations.map(|one| (one.scope, one.bytes));
    let calls = function
        .calls
        .iter()
        .filter(|call| summaries[call.callee].needs_region());
    let calls = calls.map(|call| (call.scope, None));
    for (scope, bytes) in allocations.chain(calls) {
        let (mut at, mut bytes): (Option<ScopeId>, Option<u64>) = (Some(scope), bytes);
        while let Some(scope) = at {
            let info = function.scope(scope);
            if info.kind == ScopeKind::Iteration {
                bytes = bytes
                    .zip(info.iterations)
                    .and_then(|(bytes, trip_count)| bytes.checked_mul(trip_count));
            }
            let total = &mut loop_bytes[scope.index()];
            *total = total
                .zip(bytes)
                .and_then(|(total, more)| total.checked_add(more));
            at = info.parent;
        }
    }
    loop_bytes
        .into_iter()
        .map(|total| total.is_some_and(|total| total <= MAX_LOOP_BYTES))
        .collect()
}

/// For each scope, whether memory that it allocates repeatedly is placed in the enclosing region.
pub fn uses_enclosing_region(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    settings: &Settings,
) -> Vec<bool> {
    let everywhere = settings.loops == Loops::Enclosing
        || settings.is_single_region
        || function.is_single_region;
    let small = small_loops(function, solved, summaries, settings.is_auto);
    let scopes = function.scopes.iter().zip(small);
    scopes
        .map(|(scope, is_small)| everywhere || scope.is_single_region || is_small)
        .collect()
}
