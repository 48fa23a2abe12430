//! Buffers that asynchronous operations use: they are live, and must not move, until control flow has waited
//! for these operations.
//!
//! The lifetime analysis computes where each asynchronous operation is pending. On every path, a wait ends
//! that. So each wait is a use of the buffers that are pending there.

use memplan_lifetimes::{Analysis, live::contains, program::BufferId};
use memplan_mlir::ir::{Identity, Key, Op, parent, parent_block};
use memplan_semantics::{Join, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The buffers that are pending at operations that wait.
#[derive(Debug, Default)]
pub struct Pending {
    waits: FxHashMap<Key, SmallVec<[BufferId; 2]>>,
}

/// The planned buffers that asynchronous operations of the function itself use, with the number of the
/// operation. Asynchronous operations of a parallel body end with that body.
pub fn pending_uses(analysis: &Analysis<'_>) -> Vec<(usize, BufferId)> {
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
    /// Finds the pending buffers of a function. `path_blocks` are the blocks on its paths.
    pub fn of(
        analysis: &Analysis<'_>,
        path_blocks: &FxHashSet<Key>,
        semantics: &mut Semantics,
    ) -> Self {
        let used = pending_uses(analysis);
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
            if let Some(step) = step_op(*op, path_blocks) {
                let known = waits.entry(step.key()).or_default();
                known.extend(pending.map(|(_, buffer)| *buffer));
            }
        }
        Self { waits }
    }

    /// The buffers that are live until an operation has waited.
    pub fn at(&self, op: Op<'_>) -> impl Iterator<Item = BufferId> + '_ {
        self.waits.get(&op.key()).into_iter().flatten().copied()
    }

    /// All pending buffers, some more than once.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        self.waits.values().flatten().copied()
    }
}

/// The operation on a path that is `op`, or contains it.
fn step_op<'c>(mut op: Op<'c>, path_blocks: &FxHashSet<Key>) -> Option<Op<'c>> {
    while !path_blocks.contains(&parent_block(op)?.key()) {
        op = parent(op)?;
    }
    Some(op)
}
