//! Writes of memory from outside of the function.

use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    program::{Position, ValueId},
    ranges::{Ranges, union},
};
use memplan_mlir::ir::{Op, Val, blocks, is_memref, operands, ops, regions, type_of};
use memplan_semantics::{Semantics, op_memory::Join};
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
                *self.unnamed[at].get_or_insert_with(|| {
                    let unnamed = unnamed(ops[at].1, semantics);
                    // After a fence, writes of other threads are visible.
                    unnamed.writes || unnamed.fence
                })
            })
    }
}

/// Largest number of operations that are checked for writes, from a copy to its last use.
const MOST_OPS: usize = 4096;

/// Accesses to memory that an operation, or a nested one, does not name as a memref.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unnamed {
    /// It may read some.
    pub reads: bool,
    /// It may write or free some.
    pub writes: bool,
    /// Other threads may see what was written before it, or what they wrote is seen after it.
    pub fence: bool,
}

/// The accesses of an operation to memory that it does not name.
pub fn unnamed(op: Op<'_>, semantics: &mut Semantics) -> Unnamed {
    if semantics.is_assertion(op) {
        return Unnamed::default();
    }
    let memory = semantics.of(op);
    let values: SmallVec<[Val<'_>; 8]> = operands(op).collect();
    let mut found = Unnamed {
        reads: memory.unnamed.reads,
        writes: memory.unnamed.writes || memory.unnamed.allocates,
        fence: memory.fence
            || memory
                .joins
                .iter()
                .any(|join| matches!(join, Join::Wait(_))),
    };
    for used in &memory.operands {
        let by_pointer = !is_memref(type_of(values[used.operand as usize]));
        found.reads |= by_pointer && used.touch.reads();
        found.writes |= by_pointer && used.touch.writes();
        found.writes |= used.frees.is_some_and(|frees| frees.by.is_none());
    }
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        let nested = unnamed(nested, semantics);
        found.reads |= nested.reads;
        found.writes |= nested.writes;
        found.fence |= nested.fence;
    }
    found
}
