//! Copies that could be views of their sources.

use super::{Declined, Fact, Facts, pinned, uses_at};
use crate::elide_copies::{buffer_part::BufferPart, refusal::Refusal};
use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    program::{BufferId, Position, UseKind, ValueId, ValueKind},
    ranges::{Ranges, union},
};
use memplan_mlir::{
    ir::{Op, Type, Val, blocks, is_memref, operands, ops, regions, type_of},
    layout::memory_space,
    strides::{have_same_elements, transposed_type},
};
use memplan_semantics::{Copy, Semantics};
use smallvec::SmallVec;

/// A copy to all of a buffer, perhaps with permuted dimensions, that no other operation writes: it could be a
/// view.
pub struct ViewCandidate<'c> {
    /// The source.
    pub source: Val<'c>,
    /// The buffer of the source; `None` for other memory.
    pub buffer: Option<BufferId>,
    /// The part of it.
    pub place: BufferPart,
    /// The copy.
    pub to: BufferId,
    /// Permutation: dimension i is this dimension of the source; `None` for the identity.
    pub order: Option<Vec<i64>>,
    /// The type of the view.
    pub form: Type<'c>,
    /// The operation.
    pub op: Op<'c>,
    /// Its position.
    pub position: Position,
    /// Position after the last use of the copy.
    pub end: Position,
}

/// Finds copies that no other operation writes; checks sources outside of the function's buffers.
pub(super) fn find<'c>(analysis: &Analysis<'c>, facts: &mut Facts<'c>, semantics: &mut Semantics) {
    let mut outside: Option<Outside> = None;
    for (position, op) in &analysis.handles.ops {
        let Some(copy) = semantics.copy(*op) else {
            continue;
        };
        match candidate(
            analysis,
            facts,
            semantics,
            &mut outside,
            (*position, *op, copy),
        ) {
            Some(Ok(one)) => facts.view_candidates.push(one),
            Some(Err(because)) => facts.declined.push(Declined {
                op: *op,
                position: *position,
                because,
            }),
            None => {}
        }
    }
}

/// A copy that could be a view, or the reason against it; `None` if it writes no buffer of the function, or a
/// part of one.
fn candidate<'c>(
    analysis: &Analysis<'c>,
    facts: &Facts<'c>,
    semantics: &mut Semantics,
    outside: &mut Option<Outside>,
    (position, op, copy): (Position, Op<'c>, Copy),
) -> Option<Result<ViewCandidate<'c>, Refusal>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let [read, written] = uses_at(program, position) else {
        return None;
    };
    let source = analysis.handles.values[read.value.index()];
    let ValueKind::Alloc(to) = program.values[written.value.index()].kind else {
        return None;
    };
    if read.value == written.value {
        return None;
    }
    let fact = &facts.buffers[to.index()];
    let (Some(own), true) = (fact.place, fact.moves) else {
        return Some(Err(pinned(analysis, [to, to])));
    };
    let live = &analysis.plannable[own].live;
    let block = &program.blocks[written.block.index()];
    let is_once = live.len() == 1 && live[0].0 == position;
    if written.kind != UseKind::Overwrite || !is_once {
        return Some(Err(Refusal::Written));
    }
    if program.buffers[to.index()].block != written.block || live[0].1 > block.end {
        return Some(Err(Refusal::Elsewhere));
    }
    let end = live[0].1;
    let order = copy.order;
    let form = match &order {
        Some(order) => transposed_type(type_of(source), order),
        None => Some(type_of(source)),
    };
    let Some(form) = form.filter(|form| have_same_elements(*form, type_of(fact.value))) else {
        return Some(Err(Refusal::Strides));
    };
    if memory_space(type_of(source)) != memory_space(type_of(fact.value)) {
        return Some(Err(Refusal::MemorySpace));
    }
    let base = aliases.base(read.value);
    let buffer = match program.values[base.index()].kind {
        ValueKind::Alloc(buffer) => {
            let old = &program.buffers[buffer.index()];
            let new = &program.buffers[to.index()];
            if !facts.buffers[buffer.index()].takes || buffer == to {
                return Some(Err(pinned(analysis, [buffer, to])));
            }
            if old.scope != new.scope {
                return Some(Err(Refusal::Elsewhere));
            }
            Some(buffer)
        }
        ValueKind::Argument(_) => {
            let outside = outside.get_or_insert_with(|| Outside::of(analysis));
            if outside.is_written(analysis, (position, end), semantics) {
                return Some(Err(Refusal::Written));
            }
            None
        }
        _ => return Some(Err(Refusal::Pinned)),
    };
    Some(Ok(ViewCandidate {
        source,
        buffer,
        place: match buffer {
            Some(buffer) => BufferPart::of(source, facts.buffers[buffer.index()].value, semantics),
            None => BufferPart::Whole,
        },
        to,
        order,
        form,
        op,
        position,
        end,
    }))
}

/// Writes and deallocations of memory from outside of the function.
struct Outside {
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
    fn of(analysis: &Analysis<'_>) -> Self {
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
    fn is_written(
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

/// Whether a buffer is written only by the copy, and read only after it.
pub(super) fn is_view_only(buffers: &[Fact<'_>], one: &ViewCandidate<'_>) -> bool {
    let copy = &buffers[one.to.index()];
    copy.first_user == one.position
        && copy
            .touches
            .iter()
            .all(|touch| !touch.writes || touch.position == one.position)
}
