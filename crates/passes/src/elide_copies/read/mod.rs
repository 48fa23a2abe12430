//! Reads the candidates: operations that copy the contents of a buffer to a part of another, and the uses of
//! that one.

mod outside;
mod returns;
mod view_candidates;

use super::{
    Refusal,
    buffer_part::{BufferPart, have_same_addresses},
    globals::Globals,
};
use memplan_lifetimes::{
    Analysis, Reason,
    live::Ranges,
    program::{BufferId, InStep, Position, Program, Use, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, blocks, is_memref, operands, ops,
        origin, parent, parent_block, regions, results, type_of, users,
    },
    layout::memory_space,
    melior::ir::operation::OperationLike,
    strides::is_injective,
};
use memplan_semantics::{
    Semantics, attributes::is_placed, declared::is_effect_free, statement::Part,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

pub use outside::{Unnamed, unnamed};
pub use returns::{have_same_sizes, is_within};
use returns::{is_total, may_not_return};
pub use view_candidates::{ViewCandidate, ViewKind};

/// An operation that writes part of a buffer element by element as it reads another one, which is dead
/// afterwards, or, after a copy, is only read: that one could be the part from the start.
pub struct Move<'c> {
    /// The buffer that is read.
    pub from: BufferId,
    /// The buffer that is written.
    pub into: BufferId,
    /// The part.
    pub place: BufferPart,
    /// The view of that part.
    pub view: Val<'c>,
    /// The operation.
    pub op: Op<'c>,
    /// Its position.
    pub position: Position,
    /// Position after the last use of the buffer that is read.
    pub end: Position,
    /// Whether it only copies.
    pub copies: bool,
    /// Whether the part is all of a plannable buffer in the same layout: the plan then reuses its bytes in
    /// place.
    pub is_whole: bool,
    /// Position after which the view can be created.
    pub ready: Position,
    /// Whether the buffer that is written is allocated in a block around that of the other one.
    pub is_around: bool,
    /// How the buffer that is read gets its first contents, if it is from the same part.
    pub begin: Option<Begin<'c>>,
}

impl Move<'_> {
    /// Up to which position buffers may be used that are parts of the one that is read. An operation that computes overwrites
    /// its elements in an order in which it reads that one, and perhaps no part of it.
    pub const fn end_of_parts(&self) -> Position {
        match self.copies {
            true => self.end,
            false => self.position,
        }
    }
}

/// An operation that writes all of a buffer element by element as it reads the part that the buffer becomes.
#[derive(Clone, Copy)]
pub struct Begin<'c> {
    /// Its position.
    pub position: Position,
    /// The operation, if it only copies.
    pub copy: Option<Op<'c>>,
}

/// A read or write of a buffer.
pub struct Touch {
    /// The position.
    pub position: Position,
    /// The part.
    pub place: BufferPart,
    /// Whether it may write.
    pub writes: bool,
}

/// Facts about a buffer.
pub struct Fact<'c> {
    /// Its value.
    pub value: Val<'c>,
    /// Whether only views refer to it, and no asynchronous operation uses it.
    pub is_plain: bool,
    /// Whether it may become part of another buffer.
    pub moves: bool,
    /// Whether others may become parts of it.
    pub takes: bool,
    /// Index in the plan, if it is planned.
    pub place: Option<usize>,
    /// Position of its first user in its block.
    pub first_user: Position,
    /// Position after which it can be allocated.
    pub ready: Position,
    /// Reads and writes, in program order.
    pub touches: Vec<Touch>,
}

/// An operation that cannot be elided.
pub struct Declined<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The position.
    pub position: Position,
    /// The reason.
    pub because: Refusal,
}

/// Facts about a function.
pub struct Facts<'c> {
    /// Facts about each buffer.
    pub buffers: Vec<Fact<'c>>,
    /// Moves, in program order.
    pub moves: Vec<Move<'c>>,
    /// Copies that may become views, in program order.
    pub view_candidates: Vec<ViewCandidate<'c>>,
    /// Operations that can be neither.
    pub declined: Vec<Declined<'c>>,
    /// Whether some sizes are dynamic.
    pub has_unknown_sizes: bool,
}

/// Positions of operations.
pub struct Positions {
    by_op: FxHashMap<Key, Position>,
    /// By block, computed on first use: positions of operations that may not return, in program order.
    stops: RefCell<FxHashMap<Key, Vec<Position>>>,
}

impl Positions {
    pub fn of(analysis: &Analysis<'_>) -> Self {
        let ops = analysis.handles.ops.iter();
        Self {
            by_op: ops.map(|(position, op)| (op.key(), *position)).collect(),
            stops: RefCell::default(),
        }
    }

    /// The last operation of a block before a position that may not return; 0 if there is none.
    pub fn stop(
        &self,
        block: Block<'_>,
        position: Position,
        semantics: &mut Semantics,
    ) -> Position {
        let mut all = self.stops.borrow_mut();
        let stops = all.entry(block.key()).or_insert_with(|| {
            let stops = ops(block).filter(|op| may_not_return(*op, semantics));
            stops
                .filter_map(|op| self.by_op.get(&op.key()).copied())
                .collect()
        });
        let before = stops.partition_point(|stop| *stop < position);
        stops[..before].last().copied().unwrap_or(0)
    }

    /// Position of an operation, or of its ancestor, in a block.
    pub fn in_block(&self, op: Op<'_>, block: Block<'_>) -> Option<Position> {
        let mut at = op;
        while parent_block(at)?.key() != block.key() {
            at = parent(at)?;
        }
        self.by_op.get(&at.key()).copied()
    }
}

/// Position of `block` after which a value can be available, if its operations execute as early as possible;
/// `buffer` is the allocation.
pub fn ready(
    value: Val<'_>,
    block: Block<'_>,
    buffer: Val<'_>,
    positions: &Positions,
    semantics: &mut Semantics,
    depth: usize,
) -> Position {
    let Some(Origin::Result(op, _)) = origin(value) else {
        return 0;
    };
    if parent_block(op).is_none_or(|around| around.key() != block.key()) {
        return 0;
    }
    // A dimension of a possible part of another buffer is not available before it.
    let is_of_memref = || operands(op).any(|operand| is_memref(type_of(operand)));
    let moves = value == buffer
        || semantics.part(op).is_some()
        || semantics.is_safe_to_speculate(op) && !is_of_memref();
    if !moves || depth == DEEPEST {
        return positions.in_block(op, block).unwrap_or(Position::MAX);
    }
    operands(op)
        .map(|operand| ready(operand, block, buffer, positions, semantics, depth + 1))
        .max()
        .unwrap_or(0)
}

/// Largest number of dependent operations that are executed earlier.
const DEEPEST: usize = 16;

/// The position after which a touch can execute, if it only writes parts of this buffer.
pub fn early(
    analysis: &Analysis<'_>,
    buffer: &Fact<'_>,
    position: Position,
    positions: &Positions,
    semantics: &mut Semantics,
) -> Option<Position> {
    let program = &analysis.program;
    let only_writes = |used: &Use| {
        matches!(used.kind, UseKind::Overwrite | UseKind::Mention)
            && analysis.handles.values[analysis.aliases.base(used.value).index()] == buffer.value
    };
    let op = analysis.handles.op_at(position)?;
    let block = parent_block(op)?;
    if parent_block_of(buffer.value).is_none_or(|home| home.key() != block.key())
        || results(op).next().is_some()
        || !uses_at(program, position).iter().all(only_writes)
    {
        return None;
    }
    let mut after = match is_total(op, buffer.value, semantics) {
        true => 0,
        // An earlier operation may guard it against a trap.
        false => positions.stop(block, position, semantics),
    };
    let mut from_outside = |value: Val<'_>| {
        after = after.max(ready(value, block, buffer.value, positions, semantics, 0));
    };
    operands(op).for_each(&mut from_outside);
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        if regions(nested).next().is_some() || !is_effect_free(nested) {
            return None;
        }
        operands(nested)
            .filter(|value| !is_inside(*value, op))
            .for_each(&mut from_outside);
    }
    Some(after)
}

/// Whether no two elements of a view are at the same address: by its type, or as a slice of such a memref.
pub fn holds_elements_once(view: Val<'_>, semantics: &mut Semantics, depth: usize) -> bool {
    if is_injective(type_of(view)) {
        return true;
    }
    let Some(Origin::Result(op, 0)) = origin(view).filter(|_| depth < DEEPEST) else {
        return false;
    };
    let is_part = match semantics.part(op) {
        Some(Part::All(_)) => true,
        Some(Part::Slice) => semantics.slice(op).is_some_and(|slice| {
            let mut strides = slice.strides.iter();
            strides.all(|stride| stride.constant().is_some_and(|stride| stride > 0))
        }),
        None => false,
    };
    let source = operands(op).next().filter(|_| is_part);
    source.is_some_and(|source| holds_elements_once(source, semantics, depth + 1))
}

/// Whether a value is defined in the regions of an operation.
fn is_inside(value: Val<'_>, op: Op<'_>) -> bool {
    let block = match origin(value) {
        Some(Origin::Result(op, _)) => parent_block(op),
        Some(Origin::Argument(block, _)) => Some(block),
        None => None,
    };
    block.and_then(block_parent).map(|around| around.key()) == Some(op.key())
}

/// The block that defines a value.
pub fn parent_block_of(value: Val<'_>) -> Option<Block<'_>> {
    match origin(value)? {
        Origin::Result(op, _) => parent_block(op),
        Origin::Argument(block, _) => Some(block),
    }
}

/// Uses at a position.
pub fn uses_at(program: &Program, position: Position) -> &[Use] {
    let start = program
        .uses
        .partition_point(|used| used.position < position);
    let count = program.uses[start..].partition_point(|used| used.position == position);
    &program.uses[start..start + count]
}

/// Reads the candidates of a function.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
) -> (Facts<'c>, Positions) {
    let positions = Positions::of(analysis);
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let mut facts = Facts {
        buffers: buffers(analysis),
        moves: Vec::new(),
        view_candidates: Vec::new(),
        declined: Vec::new(),
        has_unknown_sizes: analysis.plannable.iter().any(|plannable| {
            let fact = &program.buffers[plannable.buffer.index()];
            fact.dynamic.is_some()
        }),
    };
    let alloc = |value: ValueId| match program.values[value.index()].kind {
        ValueKind::Alloc(buffer) => Some(buffer),
        _ => None,
    };
    for step in program.in_step.iter().filter(|step| step.same_elements) {
        let Some(into) = alloc(aliases.base(step.written)) else {
            continue;
        };
        let Some(from) = alloc(step.read) else {
            facts.decline_view(analysis, step);
            continue;
        };
        let (old, new) = (
            &program.buffers[from.index()],
            &program.buffers[into.index()],
        );
        let (source, target) = (&facts.buffers[from.index()], &facts.buffers[into.index()]);
        let view = analysis.handles.values[step.written.index()];
        let Some(op) = analysis.handles.op_at(step.position) else {
            continue;
        };
        if from == into {
            continue;
        }
        let live = source.place.map(|own| &analysis.plannable[own].live);
        let end = live.and_then(|live| end_of(analysis, step, live));
        let place = BufferPart::of(view, target.value, semantics);
        let is_once = holds_elements_once(view, semantics, 0);
        let reads_part = |used: &Use| {
            let value = analysis.handles.values[used.value.index()];
            aliases.base(used.value) == aliases.base(step.written)
                && used.kind != UseKind::Mention
                && !(used.kind == UseKind::Overwrite && used.value == step.written)
                && !BufferPart::of(value, target.value, semantics).is_apart(&place)
        };
        let because = if !source.moves || !target.takes || live.is_none() {
            Some(pinned(analysis, [from, into]))
        } else if end.is_none() {
            Some(Refusal::Needed)
        } else if old.block != step.block || old.scope != new.scope {
            Some(Refusal::Elsewhere)
        } else if memory_space(type_of(source.value)) != memory_space(type_of(target.value)) {
            Some(Refusal::MemorySpace)
        } else if !is_once {
            Some(Refusal::Overlaps)
        } else if !is_alone(analysis, step.position, step.read, step.written, from)
            || uses_at(program, step.position).iter().any(reads_part)
        {
            Some(Refusal::Reads)
        } else {
            None
        };
        if let Some(because) = because {
            // Operations on whole buffers are not candidates, and need no remark.
            if view != target.value {
                facts.declined.push(Declined {
                    op,
                    position: step.position,
                    because,
                });
            }
            continue;
        }
        let (Some(block), Some(end)) = (parent_block(op), end) else {
            continue;
        };
        // The contents are written earlier: perhaps out of bounds, if an operation in between guards that.
        let stop = match is_within(view, target.value, semantics)
            && have_same_sizes(source.value, view, semantics)
        {
            true => 0,
            false => positions.stop(block, step.position, semantics),
        };
        let is_around = old.block != new.block;
        let begin = match is_around {
            true => begin(analysis, step, (from, target.value), &place, semantics),
            false => None,
        };
        facts.moves.push(Move {
            is_around,
            begin,
            from,
            into,
            place,
            view,
            op,
            position: step.position,
            end,
            copies: step.copy.is_some(),
            is_whole: view == target.value && target.place.is_some() && end == step.position + 1,
            ready: ready(view, block, target.value, &positions, semantics, 0).max(stop),
        });
    }
    view_candidates::find(analysis, &mut facts, semantics, globals);
    touches(analysis, &mut facts, &positions, semantics);
    let candidates = std::mem::take(&mut facts.view_candidates);
    for one in candidates {
        match view_candidates::is_view_only(&facts.buffers, &one) {
            true => facts.view_candidates.push(one),
            false => facts.declined.push(Declined {
                op: one.op,
                position: one.position,
                because: Refusal::Written,
            }),
        }
    }
    let moves = std::mem::take(&mut facts.moves);
    for one in moves {
        match is_only_read_after(&facts.buffers[one.from.index()], &one) {
            true => facts.moves.push(one),
            false => facts.declined.push(Declined {
                op: one.op,
                position: one.position,
                because: Refusal::Needed,
            }),
        }
    }
    // The others are decided later.
    let moves: FxHashSet<Position> = facts.moves.iter().map(|one| one.position).collect();
    facts.declined.retain(|one| !moves.contains(&one.position));
    (facts, positions)
}

/// The operation that writes all of a buffer first, if it does so in step with the part of `into` that a step copies the
/// buffer to.
fn begin<'c>(
    analysis: &Analysis<'c>,
    step: &InStep,
    (from, into): (BufferId, Val<'c>),
    place: &BufferPart,
    semantics: &mut Semantics,
) -> Option<Begin<'c>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let value = |of: ValueId| analysis.handles.values[of.index()];
    let whole = program.buffers[from.index()].value;
    let touches = |used: &&Use| {
        used.kind != UseKind::Mention && aliases.buffers(used.value).any(|buffer| buffer == from)
    };
    let position = program.uses.iter().find(touches)?.position;
    let start = program
        .in_step
        .partition_point(|other| other.position < position);
    let mut first = program.in_step[start..].iter();
    let first = first
        .by_ref()
        .take_while(|other| other.position == position)
        .find(|other| {
            other.written == whole
                && other.block == step.block
                && other.same_elements
                && (other.copy.is_some() || !other.apart)
                && have_same_addresses(
                    (value(other.read), into),
                    (value(step.written), into),
                    semantics,
                )
        })?;
    let base = aliases.base(step.written);
    let mut others = uses_at(program, position).iter().filter(|used| {
        used.kind != UseKind::Mention && used.value != first.read && used.value != whole
    });
    let is_alone = others.all(|used| {
        let mut is_apart = || BufferPart::of(value(used.value), into, semantics).is_apart(place);
        !aliases.buffers(used.value).any(|buffer| buffer == from)
            && (aliases.base(used.value) != base || is_apart())
    });
    is_alone.then(|| Begin {
        position,
        copy: first.copy.and_then(|_| analysis.handles.op_at(position)),
    })
}

impl<'c> Facts<'c> {
    /// Declines a copy to part of a buffer whose source is a part itself, or has another shape.
    fn decline_view(&mut self, analysis: &Analysis<'c>, step: &InStep) {
        let base = analysis.aliases.base(step.read);
        let is_own = matches!(
            analysis.program.values[base.index()].kind,
            ValueKind::Alloc(_)
        );
        let op = analysis.handles.op_at(step.position);
        let op = op.filter(|_| is_own && step.copy.is_some());
        self.declined.extend(op.map(|op| Declined {
            op,
            position: step.position,
            because: Refusal::View,
        }));
    }
}

/// The position after the last use of a buffer that is read at a step, if it is dead after the step, or after the
/// step, which copies, is used only in the block of the step.
pub fn end_of(analysis: &Analysis<'_>, step: &InStep, live: &Ranges) -> Option<Position> {
    let &[(_, end)] = live.as_slice() else {
        return None;
    };
    let block = &analysis.program.blocks[step.block.index()];
    (end == step.position + 1 || step.copy.is_some() && end <= block.end).then_some(end)
}

/// Whether the buffer that a move reads is not written after it.
fn is_only_read_after(from: &Fact<'_>, one: &Move<'_>) -> bool {
    let start = from
        .touches
        .partition_point(|touch| touch.position <= one.position);
    !from.touches[start..].iter().any(|touch| touch.writes)
}

/// The reason why buffers are not moved.
pub fn pinned(analysis: &Analysis<'_>, buffers: [BufferId; 2]) -> Refusal {
    let is_size = |buffer: BufferId| {
        let reason = analysis.skip_reason(buffer);
        matches!(reason, Some(Reason::BelowMinSize | Reason::AboveMaxSize))
    };
    match buffers.into_iter().any(is_size) {
        true => Refusal::Size,
        false => Refusal::Pinned,
    }
}

/// Whether the operation at `position` reads `from` only as `read`, in step with `written`.
pub fn is_alone(
    analysis: &Analysis<'_>,
    position: Position,
    read: ValueId,
    written: ValueId,
    from: BufferId,
) -> bool {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    uses_at(program, position).iter().all(|used| {
        used.kind == UseKind::Mention
            || used.value == read
            || used.value == written
            || !aliases.buffers(used.value).any(|buffer| buffer == from)
    })
}

/// Facts about each buffer on its own.
pub fn buffers<'c>(analysis: &Analysis<'c>) -> Vec<Fact<'c>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let mut fact: Vec<Fact<'c>> = program
        .buffers
        .iter()
        .map(|buffer| Fact {
            value: analysis.handles.values[buffer.value.index()],
            is_plain: true,
            moves: false,
            takes: false,
            place: None,
            first_user: Position::MAX,
            ready: 0,
            touches: Vec::new(),
        })
        .collect();
    let merges = program.values.iter().enumerate();
    let merges = merges.filter(|(_, value)| value.kind == ValueKind::Merge);
    let pending = program.pending.iter().flat_map(|entry| &entry.values);
    let others = merges.map(|(index, _)| ValueId::new(index));
    for value in others.chain(pending.copied()) {
        for buffer in aliases.buffers(value) {
            fact[buffer.index()].is_plain = false;
        }
    }
    // An asserted alignment does not hold for a part of another buffer.
    let asserted = program.alignments.iter().map(|(value, _)| *value);
    let spoken_of = program.distinct.iter().flatten().copied();
    for value in asserted.chain(spoken_of) {
        for buffer in aliases.buffers(value) {
            fact[buffer.index()].is_plain = false;
        }
    }
    // A buffer that is returned at the end has not escaped before.
    let mut is_returned = vec![true; program.buffers.len()];
    for (value, reason) in &program.escapes {
        if *reason != Reason::Returned {
            for buffer in aliases.buffers(*value) {
                is_returned[buffer.index()] = false;
            }
        }
    }
    // Its offset is fixed, or its banks.
    for (fact, op) in fact.iter_mut().zip(&analysis.handles.buffers) {
        fact.is_plain &= !is_placed(*op);
    }
    for dealloc in &program.deallocs {
        for buffer in aliases.buffers(dealloc.value) {
            if dealloc.value != program.buffers[buffer.index()].value {
                fact[buffer.index()].is_plain = false;
            }
        }
    }
    for (index, fact) in fact.iter_mut().enumerate() {
        let reason = analysis.skip_reason(BufferId::new(index));
        fact.takes = fact.is_plain
            && (reason.is_none() || (reason == Some(Reason::Returned) && is_returned[index]));
    }
    for (place, plannable) in analysis.plannable.iter().enumerate() {
        let fact = &mut fact[plannable.buffer.index()];
        fact.place = Some(place);
        fact.moves = fact.is_plain && plannable.carried.is_empty();
        fact.takes &= plannable.carried.is_empty();
    }
    fact
}

/// Touches of the buffers that take part.
fn touches(
    analysis: &Analysis<'_>,
    facts: &mut Facts<'_>,
    positions: &Positions,
    semantics: &mut Semantics,
) {
    let program = &analysis.program;
    let mut takes_part = vec![false; facts.buffers.len()];
    for one in &facts.moves {
        takes_part[one.from.index()] = true;
        takes_part[one.into.index()] = true;
    }
    for one in &facts.view_candidates {
        takes_part[one.to.index()] = true;
        if let Some(buffer) = one.buffer {
            takes_part[buffer.index()] = true;
        }
    }
    for used in &program.uses {
        let base = analysis.aliases.base(used.value);
        let ValueKind::Alloc(buffer) = program.values[base.index()].kind else {
            continue;
        };
        if !takes_part[buffer.index()] || !matches!(used.kind, UseKind::Touch | UseKind::Overwrite)
        {
            continue;
        }
        let value = analysis.handles.values[used.value.index()];
        let fact = &mut facts.buffers[buffer.index()];
        fact.touches.push(Touch {
            position: used.position,
            place: BufferPart::of(value, fact.value, semantics),
            writes: used.writes,
        });
    }
    for (fact, _) in facts
        .buffers
        .iter_mut()
        .zip(&takes_part)
        .filter(|(_, part)| **part)
    {
        let Some(block) = parent_block_of(fact.value) else {
            continue;
        };
        fact.first_user = users(fact.value)
            .filter_map(|user| positions.in_block(user, block))
            .min()
            .unwrap_or(Position::MAX);
        if let Some(Origin::Result(alloc, _)) = origin(fact.value) {
            let sizes =
                operands(alloc).map(|size| ready(size, block, fact.value, positions, semantics, 0));
            fact.ready = sizes.max().unwrap_or(0);
            fact.takes &= alloc.successor_count() == 0;
        }
    }
}
