//! Memory that may be held beside the arenas of a scope, by callees and by parallel bodies.

use memplan_lifetimes::{
    Analysis,
    program::{Position, ScopeId},
};

/// Memory that may be held beside the arenas, as by a callee.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// The first position at which it may be held.
    pub first: Position,
    /// The first position at which it is not held any more.
    pub end: Position,
    /// The most bytes; `u64::MAX` if that is not known.
    pub bytes: u64,
}

/// Parallel bodies in a scope with memory of their own, of which any number may run at once: these `scopes`, and those with
/// allocations that are left alone.
pub fn bodies(
    analysis: &Analysis<'_>,
    around: ScopeId,
    scopes: impl Iterator<Item = ScopeId>,
) -> Vec<Beside> {
    let program = &analysis.program;
    let left = analysis.skipped.iter();
    let left = left.map(|(buffer, _)| program.buffers[buffer.index()].scope);
    let mut scopes: Vec<ScopeId> = scopes.chain(left).collect();
    scopes.sort_unstable();
    scopes.dedup();
    let body = |scope: ScopeId| {
        let mut outer = program.scopes[scope.index()].outer?;
        while outer.scope != around {
            outer = program.scopes[outer.scope.index()].outer?;
        }
        Some(Beside {
            first: outer.span.0,
            end: outer.span.1 + 1,
            bytes: u64::MAX,
        })
    };
    scopes.into_iter().filter_map(body).collect()
}

/// Calls during which the arenas of a scope may be held.
pub fn calls(analysis: &Analysis<'_>, around: ScopeId) -> Vec<Beside> {
    let program = &analysis.program;
    let is_inside = |scope: ScopeId| {
        let outer = |scope: &ScopeId| {
            let outer = program.scopes[scope.index()].outer;
            outer.map(|outer| outer.scope)
        };
        let mut scopes = std::iter::successors(Some(scope), outer);
        scopes.any(|scope| scope == around)
    };
    let calls = program.calls.iter();
    let calls = calls.filter(|call| call.heap > 0 && is_inside(call.scope));
    let called = calls.map(|call| Beside {
        first: call.position,
        end: call.position + 1,
        // Parallel bodies may call it many times at once.
        bytes: match call.in_order && call.scope == around {
            true => call.heap,
            false => u64::MAX,
        },
    });
    called.collect()
}
