//! Compares what a function needs before and after a change.

use crate::coalescing::{Space, spaces};
use memplan_lifetimes::Analysis;
use memplan_mlir::ir::{Identity, Key};
use rustc_hash::FxHashMap;

/// Bytes, by body with an arena, and memory space.
pub type Bytes = FxHashMap<(Key, String), u64>;

/// What a function needs where its sizes have some values.
pub struct Needs {
    spaces: Vec<Space>,
    /// The most bytes live at once.
    pub loads: Bytes,
    /// Bytes of plans, where that was asked for.
    planned: Option<Bytes>,
}

impl Needs {
    /// Of a function, with slices at multiples of `alignment`.
    pub fn of(analysis: &Analysis<'_>, alignment: u64) -> Self {
        let spaces = spaces(analysis, alignment);
        Self {
            loads: by_space(&spaces, analysis, Space::load),
            spaces,
            planned: None,
        }
    }

    /// Bytes of plans of these: fragmentation and alignment may need more than the load.
    pub fn planned(&mut self, analysis: &Analysis<'_>) -> &Bytes {
        let spaces = &self.spaces;
        self.planned
            .get_or_insert_with(|| by_space(spaces, analysis, Space::planned))
    }
}

fn by_space(
    spaces: &[Space],
    analysis: &Analysis<'_>,
    bytes: fn(&Space, &Analysis<'_>) -> u64,
) -> Bytes {
    let all = spaces.iter().map(|space| {
        let body = analysis.handles.scopes[space.scope.index()].1.key();
        ((body, space.memory_space.clone()), bytes(space, analysis))
    });
    all.collect()
}

/// Whether one takes more in a scope and memory space.
pub fn is_above(bytes: &Bytes, others: &Bytes) -> bool {
    let mut all = bytes.iter();
    all.any(|(key, bytes)| others.get(key).is_none_or(|other| bytes > other))
}

/// Whether one takes less in a scope and memory space.
pub fn is_below(bytes: &Bytes, others: &Bytes) -> bool {
    let mut all = bytes.iter();
    all.any(|(key, bytes)| others.get(key).is_some_and(|other| bytes < other))
}
