//! Buffers that asynchronous operations use: they are needed where they are until control has waited for these.
//!
//! The lifetime analysis says where each of them is pending. On every path, that ends with an operation that waits; so
//! the operations that wait, where something is pending, are uses of it.

use memplan_lifetimes::{Analysis, live::contains, program::BufferId};
use memplan_mlir::ir::{Identity, Key, Op, parent, parent_block};
use memplan_semantics::{Join, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What is pending at operations that wait.
#[derive(Debug, Default)]
pub struct Pending {
    waits: FxHashMap<Key, SmallVec<[BufferId; 2]>>,
}

/// What is planned of what asynchronous operations of the function itself use, by the number of the operation. Those in
/// a body that runs in parallel are done when it is.
pub fn used(analysis: &Analysis<'_>) -> Vec<(usize, BufferId)> {
    let program = &analysis.program;
    let all = program.pending.iter().enumerate();
    let own = all.filter(|(_, one)| program.scopes[one.scope.index()].outer.is_none());
    let used = own.flat_map(|(at, one)| one.values.iter().map(move |value| (at, *value)));
    let used = used.flat_map(|(at, value)| {
        let buffers = analysis.aliases.buffers(value);
        buffers.map(move |buffer| (at, buffer))
    });
    let planned = used.filter(|(_, buffer)| analysis.skip_reason(*buffer).is_none());
    planned.collect()
}

impl Pending {
    /// In a function, of which these are the blocks that paths go through.
    pub fn of(analysis: &Analysis<'_>, here: &FxHashSet<Key>, semantics: &mut Semantics) -> Self {
        let used = used(analysis);
        let mut waits: FxHashMap<Key, SmallVec<[BufferId; 2]>> = FxHashMap::default();
        if used.is_empty() {
            return Self { waits };
        }
        for (position, op) in &analysis.handles.ops {
            let memory = semantics.of(*op);
            let mut joins = memory.joins.iter();
            if !joins.any(|join| matches!(join, Join::Wait(_) | Join::Drain { .. })) {
                continue;
            }
            // As many as are pending at once.
            let pending = used.iter().filter(|(at, _)| {
                let ranges = &analysis.program.pending[*at].ranges;
                contains(ranges, *position)
            });
            if let Some(step) = step(*op, here) {
                let known = waits.entry(step.key()).or_default();
                known.extend(pending.map(|(_, buffer)| *buffer));
            }
        }
        Self { waits }
    }

    /// What is needed until an operation has waited.
    pub fn at(&self, op: Op<'_>) -> impl Iterator<Item = BufferId> + '_ {
        self.waits.get(&op.key()).into_iter().flatten().copied()
    }

    /// All of them; some come more than once.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.waits.values().flatten().copied()
    }
}

/// The operation of a path that is another one, or holds it.
fn step<'c>(mut op: Op<'c>, here: &FxHashSet<Key>) -> Option<Op<'c>> {
    while !here.contains(&parent_block(op)?.key()) {
        op = parent(op)?;
    }
    Some(op)
}
