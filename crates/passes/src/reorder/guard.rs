//! Whether a function needs less than before.

use crate::units::{Space, spaces};
use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{Identity, Key};
use rustc_hash::FxHashMap;

/// Bytes live at once, for each body with an arena of its own and each memory space: of all buffers, and of those whose
/// size is known.
pub type Loads = FxHashMap<(Key, String), (u64, u64)>;

/// The loads of a function, with slices at multiples of `alignment`.
pub fn loads(analysis: &Analysis<'_>, alignment: u64) -> Loads {
    let load = |space: Space| {
        let body = analysis.handles.scopes[space.scope.index()].1.key();
        let all = space.load(analysis);
        let is_known = |member: &usize| {
            let buffer = analysis.plannable[*member].buffer;
            analysis.program.buffers[buffer.index()].dynamic.is_none()
        };
        let known = Space {
            members: space.members.iter().copied().filter(is_known).collect(),
            ..space
        };
        let fixed = match known.members.len() == space.members.len() {
            true => all,
            false => known.load(analysis),
        };
        ((body, known.memory_space), (all, fixed))
    };
    spaces(analysis, alignment).into_iter().map(load).collect()
}

/// Is there less of something, and nowhere more? Sizes that only the run knows may be any, so less of them is nothing.
pub fn is_better(before: &Loads, after: &Loads) -> bool {
    let mut falls = false;
    let fits = before.len() == after.len()
        && before.iter().all(|(key, before)| {
            let Some(after) = after.get(key) else {
                return false;
            };
            falls |= after.1 < before.1;
            after.0 <= before.0 && after.1 <= before.1
        });
    fits && falls
}
