//! Compares what a function needs before and after a change.

use crate::coalescing::{Space, spaces};
use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{Identity, Key};
use rustc_hash::FxHashMap;

/// Bytes that the arena of a body for a memory space needs.
#[derive(Clone, Copy)]
pub struct Need {
    /// The most bytes live at once.
    load: u64,
    /// The same, of buffers of static size.
    fixed: u64,
    /// Bytes of a plan of these: fragmentation and alignment may need more than the load.
    planned: u64,
}

/// Needs by body with an arena, and memory space.
pub type Needs = FxHashMap<(Key, String), Need>;

/// Needs of a function, with slices at multiples of `alignment`.
pub fn needs(analysis: &Analysis<'_>, alignment: u64) -> Needs {
    let need = |space: Space| {
        let body = analysis.handles.scopes[space.scope.index()].1.key();
        let load = space.load(analysis);
        let is_known = |member: &usize| {
            let buffer = analysis.plannable[*member].buffer;
            analysis.program.buffers[buffer.index()].dynamic.is_none()
        };
        let known: Vec<usize> = space.members.iter().copied().filter(is_known).collect();
        let (known, fixed) = if known.len() == space.members.len() {
            (space, load)
        } else {
            let known = space.with_members(known);
            let fixed = known.load(analysis);
            (known, fixed)
        };
        let planned = known.planned(analysis);
        let need = Need {
            load,
            fixed,
            planned,
        };
        ((body, known.memory_space), need)
    };
    spaces(analysis, alignment).into_iter().map(need).collect()
}

/// The most bytes live at once, by body with an arena, and memory space.
pub type Loads = FxHashMap<(Key, String), u64>;

/// Loads of a function, with slices at multiples of `alignment`.
pub fn loads(analysis: &Analysis<'_>, alignment: u64) -> Loads {
    let load = |space: Space| {
        let body = analysis.handles.scopes[space.scope.index()].1.key();
        let load = space.load(analysis);
        ((body, space.memory_space), load)
    };
    spaces(analysis, alignment).into_iter().map(load).collect()
}

/// Whether more is live in a scope and memory space.
pub fn is_above(loads: &Loads, others: &Loads) -> bool {
    let mut all = loads.iter();
    all.any(|(key, load)| others.get(key).is_none_or(|other| load > other))
}

/// Whether some need decreased and none increased. Dynamic sizes may have any value, so fewer of them do not
/// count.
pub fn is_better(before: &Needs, after: &Needs) -> bool {
    let mut falls = false;
    let fits = before.len() == after.len()
        && before.iter().all(|(key, before)| {
            let Some(after) = after.get(key) else {
                return false;
            };
            falls |= after.fixed < before.fixed;
            after.load <= before.load
                && after.fixed <= before.fixed
                && after.planned <= before.planned
        });
    fits && falls
}
