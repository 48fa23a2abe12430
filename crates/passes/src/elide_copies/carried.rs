//! Buffers that each iteration of a loop allocates, writes and hands to the next one, which does not use them: all
//! iterations write the one that the loop starts with, and that is the result.

use memplan_lifetimes::{
    Analysis, Reason,
    program::{BlockId, BufferId, Successor, ValueId, ValueKind},
};
use memplan_mlir::ir::{
    Block, Identity, Key, Op, Origin, Val, erase, origin, parent_block, replace_all_uses,
    terminator, type_of, uses,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A buffer that becomes the one that a loop carries.
struct Carried<'c> {
    alloc: Op<'c>,
    /// The values that are the same memory now: the buffer, and the results of the loop.
    values: Vec<Val<'c>>,
    /// The buffer that the loop starts with.
    by: Val<'c>,
}

/// Lets iterations write the buffer that a loop carries; returns the number of allocations that are gone, which `gone`
/// receives. `says` is called for each before the change. The analysis is invalid if there are any.
pub fn run<'c>(analysis: &Analysis<'c>, gone: &mut FxHashSet<Key>, says: impl Fn(Op<'c>)) -> usize {
    let found = find(analysis);
    for Carried { alloc, values, by } in &found {
        says(*alloc);
        gone.insert(alloc.key());
        values
            .iter()
            .for_each(|value| replace_all_uses(*value, *by));
        erase(*alloc);
    }
    found.len()
}

fn find<'c>(analysis: &Analysis<'c>) -> Vec<Carried<'c>> {
    let program = &analysis.program;
    let mut found = Vec::new();
    let mut aliases: Option<FxHashMap<BufferId, Vec<ValueId>>> = None;
    let mut taken: FxHashSet<BufferId> = FxHashSet::default();
    for index in 0..program.values.len() {
        let value = ValueId::new(index);
        let fact = &program.values[index];
        let block = fact.block;
        if fact.kind != ValueKind::Merge
            || fact.position != program.blocks[block.index()].first
            || !is_loop(analysis, block)
            || analysis.aliases.is_external(value)
            || uses(analysis.handles.values[index]).next().is_some()
        {
            continue;
        }
        let Some((first, next)) = sources(analysis, value, block) else {
            continue;
        };
        let aliases = aliases.get_or_insert_with(|| all_aliases(analysis));
        if taken.contains(&first)
            || taken.contains(&next)
            || !is_only_carried(analysis, aliases, value, (first, next))
        {
            continue;
        }
        let made = analysis.handles.values[program.buffers[next.index()].value.index()];
        if let Some(Origin::Result(alloc, _)) = origin(made) {
            taken.extend([first, next]);
            let by = analysis.handles.values[program.buffers[first.index()].value.index()];
            let results = results(analysis, &aliases[&next], block, (first, next));
            found.push(Carried {
                alloc,
                values: std::iter::once(made).chain(results).collect(),
                by,
            });
        }
    }
    found
}

/// Values after a loop that are one of both buffers, and of the same type.
fn results<'c>(
    analysis: &Analysis<'c>,
    aliases: &[ValueId],
    block: BlockId,
    (first, next): (BufferId, BufferId),
) -> Vec<Val<'c>> {
    let program = &analysis.program;
    let end = program.nodes[program.blocks[block.index()].node.index()].end;
    let form = |value: ValueId| type_of(analysis.handles.values[value.index()]);
    let all = aliases.iter().filter(|value| {
        let fact = &program.values[value.index()];
        let mut buffers = analysis.aliases.buffers(**value);
        fact.kind == ValueKind::Merge
            && fact.position >= end
            && buffers.all(|buffer| buffer == first || buffer == next)
            && !analysis.aliases.is_external(**value)
            && form(**value) == form(program.buffers[first.index()].value)
    });
    all.map(|value| analysis.handles.values[value.index()])
        .collect()
}

/// Whether a block is all of a loop.
fn is_loop(analysis: &Analysis<'_>, block: BlockId) -> bool {
    let program = &analysis.program;
    let fact = &program.blocks[block.index()];
    let node = &program.nodes[fact.node.index()];
    node.parent.is_some()
        && node.blocks.len() == 1
        && fact.successors.contains(&Successor::Block(block))
}

/// The buffer that a loop starts with, and the one that an iteration hands on, of the same type.
fn sources(
    analysis: &Analysis<'_>,
    value: ValueId,
    block: BlockId,
) -> Option<(BufferId, BufferId)> {
    let program = &analysis.program;
    let node = &program.nodes[program.blocks[block.index()].node.index()];
    let start = node.start;
    let [one, other] = program.values[value.index()].sources[..] else {
        return None;
    };
    let buffer = |value: ValueId| match program.values[value.index()].kind {
        ValueKind::Alloc(buffer) => Some(buffer),
        _ => None,
    };
    let (one, other) = (buffer(one)?, buffer(other)?);
    let is_first = |buffer: BufferId| program.buffers[buffer.index()].position < start;
    let (first, next) = match is_first(one) {
        true => (one, other),
        false => (other, one),
    };
    let (before, inside) = (
        &program.buffers[first.index()],
        &program.buffers[next.index()],
    );
    let form = |value: ValueId| type_of(analysis.handles.values[value.index()]);
    // In another block than the loop, the first one may be needed again when the loop is executed again.
    let fits = is_first(first)
        && Some(before.block) == node.parent
        && inside.block == block
        && before.scope == inside.scope
        && inside.dynamic.is_none()
        && inside.alignment <= before.alignment
        && form(before.value) == form(value)
        && form(inside.value) == form(value);
    let is_known = |buffer: BufferId| {
        let reason = analysis.skip_reason(buffer);
        reason.is_none_or(|reason| reason == Reason::Returned)
    };
    (fits && is_known(first) && is_known(next)).then_some((first, next))
}

/// For each buffer, the values that may be it.
fn all_aliases(analysis: &Analysis<'_>) -> FxHashMap<BufferId, Vec<ValueId>> {
    let mut all: FxHashMap<BufferId, Vec<ValueId>> = FxHashMap::default();
    for value in (0..analysis.program.values.len()).map(ValueId::new) {
        for buffer in analysis.aliases.buffers(value) {
            all.entry(buffer).or_default().push(value);
        }
    }
    all
}

/// Whether the loop alone has both buffers while it runs: the first one only as the carried value, and the other one only
/// by itself and its views.
fn is_only_carried(
    analysis: &Analysis<'_>,
    aliases: &FxHashMap<BufferId, Vec<ValueId>>,
    carried: ValueId,
    (first, next): (BufferId, BufferId),
) -> bool {
    let program = &analysis.program;
    let fact = &program.values[carried.index()];
    let node = &program.nodes[program.blocks[fact.block.index()].node.index()];
    let of = |buffer: BufferId| aliases.get(&buffer).map_or(&[][..], Vec::as_slice);
    let is_after = |value: ValueId| program.values[value.index()].position >= node.end;
    let own = program.buffers[first.index()].value;
    let mut firsts = of(first).iter();
    let is_first_gone = firsts.all(|value| *value == own || *value == carried || is_after(*value))
        && program
            .uses
            .iter()
            .all(|used| used.value != own || used.position <= node.start);
    let made = program.buffers[next.index()].value;
    let mut nexts = of(next).iter();
    let is_next_handed_on = nexts.all(|value| {
        *value == carried || analysis.aliases.base(*value) == made || is_after(*value)
    });
    // Each is handed on once.
    let value = |value: ValueId| analysis.handles.values[value.index()];
    let times = |of: ValueId, op: Option<Op<'_>>| {
        let all = uses(value(of)).filter(|(user, _)| op.is_some_and(|op| op.key() == user.key()));
        all.count()
    };
    let around = analysis.handles.op_at(node.start);
    let end = defining_block(value(made)).and_then(terminator);
    let once = times(own, around) == 1 && times(made, end) == 1;
    let frees = program.deallocs.iter();
    let mut frees = frees.flat_map(|free| analysis.aliases.buffers(free.value));
    is_first_gone
        && is_next_handed_on
        && once
        && !frees.any(|buffer| buffer == first || buffer == next)
}

/// The block of the operation that makes a value.
fn defining_block(value: Val<'_>) -> Option<Block<'_>> {
    match origin(value) {
        Some(Origin::Result(op, _)) => parent_block(op),
        _ => None,
    }
}
