//! Writes of memory from outside of the function.

use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    program::{Position, ValueId},
    ranges::{Ranges, union},
};
use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, type_of};
use memplan_semantics::Semantics;
use smallvec::SmallVec;

/// Writes and deallocations of memory from outside of the function.
pub(super) struct Outside {
    /// Positions of operations that name it, or call functions.
    named: Vec<Position>,
    /// Ranges in which asynchronous operations may use it.
    pending: Ranges,
    /// Whether an asynchronous operation may use it for an unknown time.
    is_used_for_ever: bool,
    /// For each operation with a position, whether it writes memory that it does not name.
    unnamed: Vec<Option<bool>>,
}

impl Outside {
    pub(super) fn of(analysis: &Analysis<'_>) -> Self {
        let (program, aliases) = (&analysis.program, &analysis.aliases);
        let is_outside = |value: ValueId| {
            let mut roots = aliases.roots(value).iter();
            aliases.is_external(value) || roots.any(|root| matches!(root, Root::Argument(_)))
        };
        let uses = program.uses.iter();
        let writes = uses.filter(|used| used.writes && is_outside(used.value));
        let calls = program.calls.iter().map(|call| call.position);
        let frees = program.deallocs.iter();
        let frees = frees.filter(|free| is_outside(free.value));
        let mut named: Vec<Position> = writes.map(|used| used.position).collect();
        named.extend(calls.chain(frees.map(|free| free.position)));
        named.sort_unstable();
        let pending = program.pending.iter();
        let pending = pending.filter(|entry| entry.values.iter().any(|value| is_outside(*value)));
        let mut escapes = program.escapes.iter();
        Self {
            named,
            pending: union(
                pending
                    .flat_map(|entry| entry.ranges.iter().copied())
                    .collect(),
            ),
            is_used_for_ever: escapes
                .any(|(value, reason)| *reason == Reason::Asynchronous && is_outside(*value)),
            unnamed: vec![None; analysis.handles.ops.len()],
        }
    }

    /// Whether it may be written after the first position, and before the second.
    pub(super) fn is_written(
        &mut self,
        analysis: &Analysis<'_>,
        (after, end): (Position, Position),
        semantics: &mut Semantics,
    ) -> bool {
        let next = self.named.partition_point(|write| *write <= after);
        let before_end = self.pending.partition_point(|(from, _)| *from < end);
        let pending = self.pending[..before_end].last();
        if self.is_used_for_ever
            || self.named.get(next).is_some_and(|write| *write < end)
            || pending.is_some_and(|(_, to)| after < *to)
        {
            return true;
        }
        let ops = &analysis.handles.ops;
        let start = ops.partition_point(|(position, _)| *position <= after);
        let count = ops[start..].partition_point(|(position, _)| *position < end);
        // A longer search does not pay.
        count > MOST_OPS
            || (start..start + count).any(|at| {
                *self.unnamed[at].get_or_insert_with(|| writes_unnamed(ops[at].1, semantics))
            })
    }
}

/// Largest number of operations that are checked for writes, from a copy to its last use.
const MOST_OPS: usize = 4096;

/// Whether an operation, or a nested one, may write memory that it does not name.
fn writes_unnamed(op: Op<'_>, semantics: &mut Semantics) -> bool {
    if semantics.is_assertion(op) {
        return false;
    }
    let memory = semantics.of(op);
    let values: SmallVec<[Val<'_>; 8]> = operands(op).collect();
    let writes_somewhere = memory.operands.iter().any(|used| {
        let by_pointer = || !is_memref(type_of(values[used.operand as usize]));
        used.frees.is_some_and(|frees| frees.by.is_none()) || (used.touch.writes() && by_pointer())
    });
    // After a fence, writes of other threads are visible.
    memory.fence
        || memory.unnamed.writes
        || memory.unnamed.allocates
        || writes_somewhere
        || regions(op)
            .flat_map(blocks)
            .flat_map(ops)
            .any(|nested| writes_unnamed(nested, semantics))
}
