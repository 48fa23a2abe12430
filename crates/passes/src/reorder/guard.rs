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
    /// Bytes of a plan of these: fragmentation and alignment may need more than the load.
    planned: u64,
}

/// Needs by body with an arena, and memory space.
pub type Needs = FxHashMap<(Key, String), Need>;

/// Needs of a function, with slices at multiples of `alignment`.
pub fn needs(analysis: &Analysis<'_>, alignment: u64) -> Needs {
    let need = |space: Space| {
        let body = analysis.handles.scopes[space.scope.index()].1.key();
        let need = Need {
            load: space.load(analysis),
            planned: space.planned(analysis),
        };
        ((body, space.memory_space), need)
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

/// Whether some need decreased and none increased, in each of some shapes.
pub fn is_better(before: &[Needs], after: &[Needs]) -> bool {
    let mut falls = false;
    let mut is_no_worse = |(before, after): (&Needs, &Needs)| {
        before.len() == after.len()
            && before.iter().all(|(key, before)| {
                let Some(after) = after.get(key) else {
                    return false;
                };
                falls |= after.load < before.load;
                after.load <= before.load && after.planned <= before.planned
            })
    };
    let fits = before.len() == after.len() && before.iter().zip(after).all(&mut is_no_worse);
    fits && falls
}
