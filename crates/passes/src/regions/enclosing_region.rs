//! Loops whose turns leave what they make to the region around: where that is asked for, or is little.

use super::{
    classes::Solved,
    facts::{Function, ScopeId, ScopeKind},
    settings::{Loops, Settings},
    summary::Summary,
};

/// So many bytes a loop may make before it gives any back.
const SMALL: u64 = 64 << 10;

/// For each scope, is it a loop that makes at most so little in all of its turns, as far as that is known before the run?
fn small(function: &Function, solved: &Solved, summaries: &[Summary], is_auto: bool) -> Vec<bool> {
    let mut made: Vec<Option<u64>> = function
        .scopes
        .iter()
        .map(|scope| (is_auto && scope.kind == ScopeKind::Turn).then_some(0))
        .collect();
    let allocations = function.allocations.iter();
    let allocations = allocations.filter(|one| {
        let class = solved.of(one.value);
        class.stuck.is_none() && class.is_wanted
    });
    let allocations = allocations.map(|one| (one.scope, one.bytes));
    let calls = function
        .calls
        .iter()
        .filter(|call| summaries[call.callee].makes());
    let calls = calls.map(|call| (call.scope, None));
    for (scope, bytes) in allocations.chain(calls) {
        let (mut at, mut bytes): (Option<ScopeId>, Option<u64>) = (Some(scope), bytes);
        while let Some(scope) = at {
            let of = function.scope(scope);
            if of.kind == ScopeKind::Turn {
                bytes = bytes
                    .zip(of.turns)
                    .and_then(|(bytes, turns)| bytes.checked_mul(turns));
            }
            let all = &mut made[scope.index()];
            *all = all.zip(bytes).and_then(|(all, more)| all.checked_add(more));
            at = of.parent;
        }
    }
    made.into_iter()
        .map(|all| all.is_some_and(|all| all <= SMALL))
        .collect()
}

/// For each scope, does all that it makes again and again go to the region around?
pub fn shares(
    function: &Function,
    solved: &Solved,
    summaries: &[Summary],
    settings: &Settings,
) -> Vec<bool> {
    let everywhere = settings.loops == Loops::Enclosing || settings.is_single || function.is_single;
    let small = small(function, solved, summaries, settings.is_auto);
    let scopes = function.scopes.iter().zip(small);
    scopes
        .map(|(scope, is_small)| everywhere || scope.is_single || is_small)
        .collect()
}
