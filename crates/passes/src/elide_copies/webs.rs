//! Buffers that are written anew when nothing needs them any more become several.
//!
//! CSE makes one buffer of many of the same type. Each time that all of it is written anew, it might as well be
//! another one, which can become a part of something, or a view, for itself. The plan gives them the same bytes
//! again where that is of use.

use super::read::uses_at;
use crate::merge_alloc::OFFSET;
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, Position, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    copy::copy_before,
    ir::{
        Block, Identity, Key, Op, Origin, erase, is_memref, operands, origin, parent, parent_block,
        replace_all_uses, results, type_of, uses,
    },
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    values::set_operand,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A buffer that is several now: the allocation of each life, in the order of the text.
pub type Lives<'c> = Vec<Op<'c>>;

/// Makes several of what can be. What was read is not true any more if there are some.
pub fn run<'c>(analysis: &Analysis<'c>, names: &mut Names) -> Vec<Lives<'c>> {
    let program = &analysis.program;
    let mut is_plain = vec![true; program.buffers.len()];
    let merges = (0..program.values.len()).map(ValueId::new);
    let merges = merges.filter(|value| program.values[value.index()].kind == ValueKind::Merge);
    let pending = program.pending.iter().flat_map(|entry| &entry.values);
    let freed = program.deallocs.iter().map(|free| free.value);
    for value in merges.chain(pending.copied()).chain(freed) {
        for buffer in analysis.aliases.buffers(value) {
            is_plain[buffer.index()] = false;
        }
    }
    for (plain, op) in is_plain.iter_mut().zip(&analysis.handles.buffers) {
        *plain &= !op.has_attribute(OFFSET);
    }
    let moves = may_move(analysis, names);
    let mut positions: Option<FxHashMap<Key, Position>> = None;
    let mut found = Vec::new();
    for plannable in &analysis.plannable {
        let live = &plannable.live;
        let at = plannable.buffer.index();
        // Sizes that only the run knows may be computed later than the first life begins.
        let has_sizes = operands(analysis.handles.buffers[at]).next().is_some();
        if live.len() < 2
            || has_sizes
            || !is_plain[at]
            || !moves[at]
            || !plannable.carried.is_empty()
        {
            continue;
        }
        let positions = positions.get_or_insert_with(|| {
            let ops = analysis.handles.ops.iter();
            ops.map(|(position, op)| (op.key(), *position)).collect()
        });
        let splits = split(analysis, plannable.buffer, live, positions, names);
        let Some(parts) = splits else { continue };
        let mut lives = vec![analysis.handles.buffers[at]];
        lives.extend(
            parts[1..]
                .iter()
                .filter_map(|part| write(analysis, plannable.buffer, part)),
        );
        found.push(lives);
    }
    found
}

/// Makes one again of those lives that have not become anything else: `changed` are allocations that are gone, or that
/// others have become part of.
pub fn join<'c>(lives: &Lives<'c>, changed: &FxHashSet<Key>) {
    let mut same = lives.iter().filter(|alloc| !changed.contains(&alloc.key()));
    let Some(first) = same.next().and_then(|alloc| results(*alloc).next()) else {
        return;
    };
    for alloc in same {
        results(*alloc).for_each(|value| replace_all_uses(value, first));
        erase(*alloc);
    }
}

/// Which buffers an operation reads element by element, or a copy makes: what may become a part, or a view.
fn may_move(analysis: &Analysis<'_>, names: &mut Names) -> Vec<bool> {
    let program = &analysis.program;
    let mut moves = vec![false; program.buffers.len()];
    let mut mark = |value: ValueId| {
        let base = analysis.aliases.base(value);
        if let ValueKind::Alloc(buffer) = program.values[base.index()].kind {
            moves[buffer.index()] = true;
        }
    };
    for step in program.in_step.iter().filter(|step| step.same_elements) {
        mark(step.read);
    }
    for (position, op) in &analysis.handles.ops {
        if matches!(names.info(*op).known, Known::Copy | Known::LinalgTranspose) {
            let uses = uses_at(program, *position).iter();
            let written = uses.filter(|used| used.kind == UseKind::Overwrite);
            written.for_each(|used| mark(used.value));
        }
    }
    moves
}

/// What uses a buffer directly in one of its lives: operations and operands, and the first of them.
struct Part<'c> {
    uses: Vec<(Op<'c>, usize)>,
    first: Op<'c>,
}

/// The lives of a buffer, if they can be told apart: each starts by a write of all of it, in the block where it
/// is allocated, and views are of one life.
fn split<'c>(
    analysis: &Analysis<'c>,
    buffer: BufferId,
    live: &[(Position, Position)],
    positions: &FxHashMap<Key, Position>,
    names: &mut Names,
) -> Option<Vec<Part<'c>>> {
    let program = &analysis.program;
    let fact = &program.buffers[buffer.index()];
    let value = analysis.handles.values[fact.value.index()];
    let block = match origin(value)? {
        Origin::Result(op, _) => parent_block(op)?,
        Origin::Argument(..) => return None,
    };
    for (start, _) in live {
        // A range also starts behind code that is never reached, where nothing is written.
        let mut is_written = false;
        let starts = uses_at(program, *start).iter().all(|used| {
            let whole = || program.is_all_of(used.value, fact.value);
            if analysis.aliases.base(used.value) != fact.value || used.kind == UseKind::Mention {
                return true;
            }
            is_written = true;
            used.kind == UseKind::Overwrite && used.block == fact.block && whole()
        });
        if !(starts && is_written) {
            return None;
        }
    }
    let mut parts: Vec<Vec<(Op<'c>, usize, Position)>> = vec![Vec::new(); live.len()];
    for (op, operand) in uses(value) {
        let mut lives = Vec::new();
        lives_of(op, block, live, positions, names, &mut lives, 0)?;
        lives.dedup();
        let [only] = lives.as_slice() else {
            return None;
        };
        parts[*only].push((op, operand, position_in(op, block, positions)?));
    }
    parts
        .into_iter()
        .map(|uses| {
            let first = uses.iter().map(|one| one.2).min()?;
            Some(Part {
                first: analysis.handles.op_at(first)?,
                uses: uses
                    .into_iter()
                    .map(|(op, operand, _)| (op, operand))
                    .collect(),
            })
        })
        .collect()
}

/// The lives in which an operation touches what it uses, or what uses its view does.
fn lives_of<'c>(
    op: Op<'c>,
    block: Block<'c>,
    live: &[(Position, Position)],
    positions: &FxHashMap<Key, Position>,
    names: &mut Names,
    lives: &mut Vec<usize>,
    depth: usize,
) -> Option<()> {
    let is_view = matches!(
        names.info(op).known,
        Known::Subview | Known::ExpandShape | Known::CollapseShape | Known::Cast
    );
    if is_view && depth < DEEPEST {
        for view in results(op) {
            for (user, _) in uses(view) {
                lives_of(user, block, live, positions, names, lives, depth + 1)?;
            }
        }
        return Some(());
    }
    if results(op).any(|result| is_memref(type_of(result))) {
        return None;
    }
    let position = position_in(op, block, positions)?;
    let after = live.partition_point(|(start, _)| *start <= position);
    let place = after.checked_sub(1)?;
    lives.push(place);
    lives.sort_unstable();
    (position < live[place].1).then_some(())
}

/// Views of views that are followed.
const DEEPEST: usize = 16;

/// Where an operation, or the one around it, stands in a block.
fn position_in(
    op: Op<'_>,
    block: Block<'_>,
    positions: &FxHashMap<Key, Position>,
) -> Option<Position> {
    let mut at = op;
    while parent_block(at)?.key() != block.key() {
        at = parent(at)?;
    }
    positions.get(&at.key()).copied()
}

/// Gives one life an allocation of its own.
fn write<'c>(analysis: &Analysis<'c>, buffer: BufferId, part: &Part<'c>) -> Option<Op<'c>> {
    let alloc = analysis.handles.buffers[buffer.index()];
    let made = copy_before(alloc, parent_block(part.first)?, part.first)?;
    let value = results(made).next()?;
    for (op, operand) in &part.uses {
        set_operand(*op, *operand, value);
    }
    Some(made)
}
