//! What there is to decide on: operations that move the contents of a buffer to a part of another, and what
//! is done to that one, and when.

use super::{places::Place, refusal::Refusal};
use crate::merge_alloc::OFFSET;
use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    live::Ranges,
    program::{BufferId, InStep, Position, Program, Use, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    build::integers_of,
    effects::{EffectKind, effects, is_pure},
    ir::{
        Block, Identity, Key, Op, Origin, Type, Val, block_parent, blocks, operands, ops, origin,
        parent, parent_block, regions, results, type_of, users,
    },
    layout::memory_space,
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    strides::{have_same_elements, is_injective, transposed_type},
    values::is_safe_to_speculate,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An operation writes part of a buffer element by element as it reads another, which nothing needs behind
/// it: that one could be the part from the start.
pub struct Move<'c> {
    /// What is read.
    pub from: BufferId,
    /// What is written.
    pub into: BufferId,
    /// Which part.
    pub place: Place,
    /// The view that is that part.
    pub view: Val<'c>,
    /// The operation.
    pub op: Op<'c>,
    /// Where.
    pub position: Position,
    /// It copies, and does nothing else.
    pub copies: bool,
    /// All of a buffer that can be planned, in the same layout: planning does this by itself.
    pub is_whole: bool,
    /// The view can be made behind this position.
    pub ready: Position,
}

/// An operation copies something to all of a buffer, perhaps with its dimensions in another order, and nothing
/// else writes that one: it could be a view.
pub struct Lend<'c> {
    /// What is copied.
    pub source: Val<'c>,
    /// The buffer that it is part of; `None` for memory from outside.
    pub buffer: Option<BufferId>,
    /// Which part.
    pub place: Place,
    /// The copy.
    pub to: BufferId,
    /// Place i is this dimension of the source; none where they are in the same order.
    pub order: Option<Vec<i64>>,
    /// The type of the view.
    pub form: Type<'c>,
    /// The operation.
    pub op: Op<'c>,
    /// Where.
    pub position: Position,
    /// Behind the last use of the copy.
    pub end: Position,
}

/// An operation reads or writes a buffer.
pub struct Touch {
    /// Where.
    pub position: Position,
    /// Which part.
    pub place: Place,
    /// It may write.
    pub writes: bool,
}

/// What is known of a buffer.
pub struct Fact<'c> {
    /// Its result.
    pub value: Val<'c>,
    /// Only views refer to it besides its own value, and nothing uses it that goes on by itself.
    pub is_plain: bool,
    /// It may be part of another one.
    pub moves: bool,
    /// Others may be part of it.
    pub takes: bool,
    /// It is planned.
    pub place: Option<usize>,
    /// The first operation of its block that uses it.
    pub first_user: Position,
    /// It can be allocated behind this position.
    pub ready: Position,
    /// Reads and writes in the order of the text.
    pub touches: Vec<Touch>,
}

/// An operation of which it is clear that it stays.
pub struct Declined<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// Where.
    pub position: Position,
    /// Why.
    pub because: Refusal,
}

/// All of it.
pub struct Facts<'c> {
    /// For each buffer.
    pub buffers: Vec<Fact<'c>>,
    /// In the order of the text.
    pub moves: Vec<Move<'c>>,
    /// In the order of the text.
    pub lends: Vec<Lend<'c>>,
    /// What could be neither.
    pub declined: Vec<Declined<'c>>,
    /// Some sizes are known to the run only.
    pub has_unknown_sizes: bool,
}

/// Where operations stand.
pub struct Positions {
    by_op: FxHashMap<Key, Position>,
}

impl Positions {
    fn of(analysis: &Analysis<'_>) -> Self {
        let ops = analysis.handles.ops.iter();
        Self {
            by_op: ops.map(|(position, op)| (op.key(), *position)).collect(),
        }
    }

    /// Where an operation, or the one around it, stands in a block.
    pub fn in_block(&self, op: Op<'_>, block: Block<'_>) -> Option<Position> {
        let mut at = op;
        while parent_block(at)?.key() != block.key() {
            at = parent(at)?;
        }
        self.by_op.get(&at.key()).copied()
    }
}

/// Behind which position of `block` a value is there, if what can be is made as early as possible: of
/// `buffer`, the allocation.
fn ready(
    value: Val<'_>,
    block: Block<'_>,
    buffer: Val<'_>,
    positions: &Positions,
    names: &mut Names,
    depth: usize,
) -> Position {
    let Some(Origin::Result(op, _)) = origin(value) else {
        return 0;
    };
    if parent_block(op).is_none_or(|around| around.key() != block.key()) {
        return 0;
    }
    let moves = value == buffer
        || match names.info(op).known {
            Known::Subview | Known::ExpandShape | Known::CollapseShape | Known::Cast => true,
            // A dimension of what may be part of something else does not come before that.
            Known::Dim => false,
            _ => is_safe_to_speculate(op),
        };
    if !moves || depth == DEEPEST {
        return positions.in_block(op, block).unwrap_or(Position::MAX);
    }
    operands(op)
        .map(|operand| ready(operand, block, buffer, positions, names, depth + 1))
        .max()
        .unwrap_or(0)
}

/// Operations in a row that are made earlier.
const DEEPEST: usize = 16;

/// Can a touch be made earlier, as one that writes parts of this buffer and does nothing else? Behind which
/// position then.
pub fn early(
    analysis: &Analysis<'_>,
    buffer: &Fact<'_>,
    position: Position,
    positions: &Positions,
    names: &mut Names,
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
    let mut behind = 0;
    let mut from_outside = |value: Val<'_>| {
        behind = behind.max(ready(value, block, buffer.value, positions, names, 0));
    };
    operands(op).for_each(&mut from_outside);
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        // What may divide by zero stays behind what asserts that it does not.
        if regions(nested).next().is_some() || !is_pure(nested) {
            return None;
        }
        operands(nested)
            .filter(|value| !is_inside(*value, op))
            .for_each(&mut from_outside);
    }
    Some(behind)
}

/// Is a value made in an operation's regions?
fn is_inside(value: Val<'_>, op: Op<'_>) -> bool {
    let block = match origin(value) {
        Some(Origin::Result(op, _)) => parent_block(op),
        Some(Origin::Argument(block, _)) => Some(block),
        None => None,
    };
    block.and_then(block_parent).map(|around| around.key()) == Some(op.key())
}

/// The block that makes a value.
pub fn parent_block_of(value: Val<'_>) -> Option<Block<'_>> {
    match origin(value)? {
        Origin::Result(op, _) => parent_block(op),
        Origin::Argument(block, _) => Some(block),
    }
}

/// The uses at a position.
pub fn uses_at(program: &Program, position: Position) -> &[Use] {
    let start = program
        .uses
        .partition_point(|used| used.position < position);
    let count = program.uses[start..].partition_point(|used| used.position == position);
    &program.uses[start..start + count]
}

/// What there is to decide on in a function.
pub fn read<'c>(analysis: &Analysis<'c>, names: &mut Names) -> (Facts<'c>, Positions) {
    let positions = Positions::of(analysis);
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let mut facts = Facts {
        buffers: buffers(analysis),
        moves: Vec::new(),
        lends: Vec::new(),
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
            facts.decline_view(analysis, step, names);
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
        let dies = |live: &Ranges| live.len() == 1 && live[0].1 == step.position + 1;
        let place = Place::of(view, target.value, names);
        let reads_part = |used: &Use| {
            let value = analysis.handles.values[used.value.index()];
            aliases.base(used.value) == aliases.base(step.written)
                && used.kind != UseKind::Mention
                && !(used.kind == UseKind::Overwrite && used.value == step.written)
                && !Place::of(value, target.value, names).is_apart(&place)
        };
        let because = if !source.moves || !target.takes || live.is_none() {
            Some(pinned(analysis, [from, into]))
        } else if !live.is_some_and(dies) {
            Some(Refusal::Needed)
        } else if old.block != step.block || old.scope != new.scope {
            Some(Refusal::Elsewhere)
        } else if memory_space(type_of(source.value)) != memory_space(type_of(target.value)) {
            Some(Refusal::MemorySpace)
        } else if !is_injective(type_of(view)) {
            Some(Refusal::Overlaps)
        } else if !is_alone(analysis, step.position, step.read, step.written, from)
            || uses_at(program, step.position).iter().any(reads_part)
        {
            Some(Refusal::Reads)
        } else {
            None
        };
        if let Some(because) = because {
            // Of operations on whole buffers, nobody expects that they become parts.
            if view != target.value {
                facts.declined.push(Declined {
                    op,
                    position: step.position,
                    because,
                });
            }
            continue;
        }
        let Some(block) = parent_block(op) else {
            continue;
        };
        facts.moves.push(Move {
            from,
            into,
            place,
            view,
            op,
            position: step.position,
            copies: names.info(op).known == Known::Copy,
            is_whole: view == target.value && target.place.is_some(),
            ready: ready(view, block, target.value, &positions, names, 0),
        });
    }
    lends(analysis, &mut facts, names);
    touches(analysis, &mut facts, &positions, names);
    let lends = std::mem::take(&mut facts.lends);
    for one in lends {
        match is_view_only(&facts.buffers, &one) {
            true => facts.lends.push(one),
            false => facts.declined.push(Declined {
                op: one.op,
                position: one.position,
                because: Refusal::Written,
            }),
        }
    }
    // What may move is decided on.
    let moves: FxHashSet<Position> = facts.moves.iter().map(|one| one.position).collect();
    facts.declined.retain(|one| !moves.contains(&one.position));
    (facts, positions)
}

impl<'c> Facts<'c> {
    /// What is copied to part of a buffer is part of one itself, or one in another shape.
    fn decline_view(&mut self, analysis: &Analysis<'c>, step: &InStep, names: &mut Names) {
        let base = analysis.aliases.base(step.read);
        let is_own = matches!(
            analysis.program.values[base.index()].kind,
            ValueKind::Alloc(_)
        );
        let op = analysis.handles.op_at(step.position);
        let op = op.filter(|op| is_own && names.info(*op).known == Known::Copy);
        self.declined.extend(op.map(|op| Declined {
            op,
            position: step.position,
            because: Refusal::View,
        }));
    }
}

/// Why buffers that stay where they are do.
fn pinned(analysis: &Analysis<'_>, buffers: [BufferId; 2]) -> Refusal {
    let is_size = |buffer: BufferId| {
        let reason = analysis.left_because(buffer);
        matches!(reason, Some(Reason::BelowMinSize | Reason::AboveMaxSize))
    };
    match buffers.into_iter().any(is_size) {
        true => Refusal::Size,
        false => Refusal::Pinned,
    }
}

/// Does the operation at `position` read `from` as `read` only, in step with `written`?
fn is_alone(
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

/// What is known of each buffer by itself.
fn buffers<'c>(analysis: &Analysis<'c>) -> Vec<Fact<'c>> {
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
    // What is asserted of the alignment of one does not hold of a part of another.
    let asserted = program.alignments.iter().map(|(value, _)| *value);
    let spoken_of = program.distinct.iter().flatten().copied();
    for value in asserted.chain(spoken_of) {
        for buffer in aliases.buffers(value) {
            fact[buffer.index()].is_plain = false;
        }
    }
    // Returned at the end, it is known to nobody else before.
    let mut is_returned = vec![true; program.buffers.len()];
    for (value, reason) in &program.escapes {
        if *reason != Reason::Returned {
            for buffer in aliases.buffers(*value) {
                is_returned[buffer.index()] = false;
            }
        }
    }
    // Where it lies has been decided by somebody else.
    for (fact, op) in fact.iter_mut().zip(&analysis.handles.buffers) {
        fact.is_plain &= !op.has_attribute(OFFSET);
    }
    for dealloc in &program.deallocs {
        for buffer in aliases.buffers(dealloc.value) {
            if dealloc.value != program.buffers[buffer.index()].value {
                fact[buffer.index()].is_plain = false;
            }
        }
    }
    for (index, fact) in fact.iter_mut().enumerate() {
        let reason = analysis.left_because(BufferId::new(index));
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

/// Where the buffers that take part are used.
fn touches(
    analysis: &Analysis<'_>,
    facts: &mut Facts<'_>,
    positions: &Positions,
    names: &mut Names,
) {
    let program = &analysis.program;
    let mut takes_part = vec![false; facts.buffers.len()];
    for one in &facts.moves {
        takes_part[one.from.index()] = true;
        takes_part[one.into.index()] = true;
    }
    for one in &facts.lends {
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
            place: Place::of(value, fact.value, names),
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
                operands(alloc).map(|size| ready(size, block, fact.value, positions, names, 0));
            fact.ready = sizes.max().unwrap_or(0);
            fact.takes &= alloc.successor_count() == 0;
        }
    }
}

/// Copies that nothing else writes, as far as memory from outside is concerned.
fn lends<'c>(analysis: &Analysis<'c>, facts: &mut Facts<'c>, names: &mut Names) {
    let mut outside: Option<Outside> = None;
    for (position, op) in &analysis.handles.ops {
        let known = names.info(*op).known;
        if !matches!(known, Known::Copy | Known::LinalgTranspose) {
            continue;
        }
        match lend(analysis, facts, names, &mut outside, (*position, *op)) {
            Some(Ok(one)) => facts.lends.push(one),
            Some(Err(because)) => facts.declined.push(Declined {
                op: *op,
                position: *position,
                because,
            }),
            None => {}
        }
    }
}

/// A copy that could be a view, or why it stays; none where it writes no buffer of the function, or a part of one.
fn lend<'c>(
    analysis: &Analysis<'c>,
    facts: &Facts<'c>,
    names: &mut Names,
    outside: &mut Option<Outside>,
    (position, op): (Position, Op<'c>),
) -> Option<Result<Lend<'c>, Refusal>> {
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
    let order = match names.info(op).known {
        Known::LinalgTranspose => Some(integers_of(op, "permutation")?),
        _ => None,
    };
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
            if outside.is_written(analysis, (position, end), names) {
                return Some(Err(Refusal::Written));
            }
            None
        }
        _ => return Some(Err(Refusal::Pinned)),
    };
    Some(Ok(Lend {
        source,
        buffer,
        place: match buffer {
            Some(buffer) => Place::of(source, facts.buffers[buffer.index()].value, names),
            None => Place::Whole,
        },
        to,
        order,
        form,
        op,
        position,
        end,
    }))
}

/// Where memory that comes from outside may be written, or freed.
struct Outside {
    /// By operations that name it, or call something.
    named: Vec<Position>,
    /// For each operation that has a position: whether it writes what it does not name.
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
        Self {
            named,
            unnamed: vec![None; analysis.handles.ops.len()],
        }
    }

    /// Behind the first position, and in front of the second.
    fn is_written(
        &mut self,
        analysis: &Analysis<'_>,
        (after, end): (Position, Position),
        names: &mut Names,
    ) -> bool {
        let next = self.named.partition_point(|write| *write <= after);
        if self.named.get(next).is_some_and(|write| *write < end) {
            return true;
        }
        let ops = &analysis.handles.ops;
        let start = ops.partition_point(|(position, _)| *position <= after);
        let count = ops[start..].partition_point(|(position, _)| *position < end);
        // What is read for so long is not worth the search.
        count > MOST_OPS
            || (start..start + count)
                .any(|at| *self.unnamed[at].get_or_insert_with(|| writes_unnamed(ops[at].1, names)))
    }
}

/// Operations that are looked at for what they may write, from a copy to the last use of it.
const MOST_OPS: usize = 4096;

/// May an operation, or one in it, write memory that it does not name?
fn writes_unnamed(op: Op<'_>, names: &mut Names) -> bool {
    let info = names.info(op);
    if info.known == Known::Assert || info.is_terminator() && info.is_registered() {
        return false;
    }
    let own = match effects(op) {
        Some(effects) => effects
            .iter()
            .any(|one| one.value.is_none() && one.memory && one.kind != EffectKind::Read),
        None => !info.has_recursive_effects(),
    };
    own || regions(op)
        .flat_map(blocks)
        .flat_map(ops)
        .any(|nested| writes_unnamed(nested, names))
}

/// Is a copy written by nothing but what copies, and read behind that only?
fn is_view_only(buffers: &[Fact<'_>], one: &Lend<'_>) -> bool {
    let copy = &buffers[one.to.index()];
    copy.first_user == one.position
        && copy
            .touches
            .iter()
            .all(|touch| !touch.writes || touch.position == one.position)
}
