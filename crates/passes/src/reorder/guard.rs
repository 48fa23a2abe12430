//! Whether a function needs less than before.

use crate::coalescing::{Space, spaces};
use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{Identity, Key};
use rustc_hash::FxHashMap;

/// What the arena of a body for a memory space needs, in bytes.
#[derive(Clone, Copy)]
pub struct Need {
    /// Live at once.
    load: u64,
    /// Of what has a known size.
    fixed: u64,
    /// What a plan of that takes: holes in lives and alignments may ask for more than the load.
    planned: u64,
}

/// For each body with an arena of its own and each memory space.
pub type Needs = FxHashMap<(Key, String), Need>;

/// What a function needs, with slices at multiples of `alignment`.
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

/// Is there less of something, and nowhere more? Sizes that only the run knows may be any, so less of them is nothing.
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
