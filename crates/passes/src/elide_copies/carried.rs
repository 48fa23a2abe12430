//! Buffers that each iteration of a loop allocates, writes and hands to the next one: all iterations write the one that the
//! loop starts with, and that is the result.
//!
//! This needs that the iteration does not use the buffer of the last one any more when it writes its own, other than
//! element by element, or in other parts. Then the loop carries nothing, and the iteration argument goes.

use super::{
    old_contents::{UsesByBase, are_needed},
    read::Positions,
    types::is_reshape,
};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BlockId, BufferId, Successor, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Origin, Val, erase, operands, origin, parent_block, replace_all_uses,
        terminator, type_of,
    },
    rebuild::drop_invariants,
    strides::reshaped_view,
    values::set_operand,
};
use memplan_semantics::{Semantics, attributes::is_placed};
use rustc_hash::{FxHashMap, FxHashSet};

/// A buffer that becomes the one that a loop carries.
struct Carried<'c> {
    /// The loop.
    around: Op<'c>,
    alloc: Op<'c>,
    /// The buffer, which becomes `by` or a view of it.
    made: Val<'c>,
    /// The operation that hands it on, and the number of its operand.
    handed_on: (Op<'c>, usize),
    /// The iteration argument, and the results of the loop.
    same: Vec<Val<'c>>,
    /// What the loop starts with.
    by: Val<'c>,
}

/// Lets iterations write the buffer that a loop carries; returns the number of allocations that are gone, which `gone`
/// receives. `says` is called for each before the change. The analysis is invalid if there are any.
pub fn run<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    gone: &mut FxHashSet<Key>,
    says: impl Fn(Op<'c>),
) -> usize {
    let found = find(analysis, semantics);
    let mut loops: Vec<Op<'c>> = Vec::new();
    for one in &found {
        says(one.alloc);
        gone.insert(one.alloc.key());
        let (end, operand) = one.handed_on;
        set_operand(end, operand, one.by);
        let view = match type_of(one.made) == type_of(one.by) {
            true => one.by,
            false => reshaped_view(one.alloc, one.by, type_of(one.made)),
        };
        replace_all_uses(one.made, view);
        let same = one.same.iter();
        same.for_each(|value| replace_all_uses(*value, one.by));
        erase(one.alloc);
        if !loops.iter().any(|known| known.key() == one.around.key()) {
            loops.push(one.around);
        }
    }
    for around in loops {
        drop_invariants(around);
    }
    found.len()
}

fn find<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics) -> Vec<Carried<'c>> {
    let program = &analysis.program;
    let mut found = Vec::new();
    let mut facts: Option<(Positions, Aliases)> = None;
    let mut taken: FxHashSet<BufferId> = FxHashSet::default();
    for index in 0..program.values.len() {
        let value = ValueId::new(index);
        let fact = &program.values[index];
        if fact.kind != ValueKind::Merge
            || fact.position != program.blocks[fact.block.index()].first
            || !is_loop(analysis, fact.block)
            || analysis.aliases.is_external(value)
        {
            continue;
        }
        let Some(sources) = Sources::of(analysis, value) else {
            continue;
        };
        let (positions, aliases) =
            facts.get_or_insert_with(|| (Positions::of(analysis), Aliases::of(analysis)));
        let pair = [sources.first, sources.next];
        if pair.iter().any(|buffer| taken.contains(buffer)) {
            continue;
        }
        if let Some(one) = sources.carried(analysis, aliases, positions, semantics) {
            taken.extend(pair);
            found.push(one);
        }
    }
    found
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

/// What an iteration argument may be.
struct Sources {
    /// The iteration argument.
    argument: ValueId,
    /// The value that the loop starts with: a buffer, or all of it in another shape.
    start: ValueId,
    first: BufferId,
    next: BufferId,
}

impl Sources {
    /// The buffers that an iteration argument may be, if one is made before the loop and one in each iteration.
    fn of(analysis: &Analysis<'_>, argument: ValueId) -> Option<Self> {
        let program = &analysis.program;
        let block = program.values[argument.index()].block;
        let node = &program.nodes[program.blocks[block.index()].node.index()];
        let &[one, other] = program.values[argument.index()].sources.as_slice() else {
            return None;
        };
        let buffer = |value: ValueId| {
            let base = analysis.aliases.base(value);
            match program.values[base.index()].kind {
                ValueKind::Alloc(buffer) if program.is_all_of(value, base) => Some(buffer),
                _ => None,
            }
        };
        let (own, others) = (buffer(one)?, buffer(other)?);
        let is_first = |buffer: BufferId| program.buffers[buffer.index()].position < node.start;
        let (start, first, next) = match is_first(own) {
            true => (one, own, others),
            false => (other, others, own),
        };
        let (before, inside) = (
            &program.buffers[first.index()],
            &program.buffers[next.index()],
        );
        let form = |value: ValueId| type_of(analysis.handles.values[value.index()]);
        let (form_of_start, form_of_next) = (form(start), form(inside.value));
        // In another block than the loop, the first one may be needed again when the loop is executed again.
        let fits = is_first(first)
            && Some(before.block) == node.parent
            && inside.block == block
            && before.scope == inside.scope
            && inside.dynamic.is_none()
            && inside.alignment <= before.alignment
            && form_of_start == form(argument)
            && (form_of_next == form_of_start || is_reshape(form_of_next, form_of_start));
        let is_known = |buffer: BufferId| {
            let reason = analysis.skip_reason(buffer);
            let is_fixed = is_placed(analysis.handles.buffers[buffer.index()]);
            !is_fixed && reason.is_none_or(|reason| reason == Reason::Returned)
        };
        (fits && is_known(first) && is_known(next)).then_some(Self {
            argument,
            start,
            first,
            next,
        })
    }

    /// The change, if nothing sees it.
    fn carried<'c>(
        &self,
        analysis: &Analysis<'c>,
        aliases: &Aliases,
        positions: &Positions,
        semantics: &mut Semantics,
    ) -> Option<Carried<'c>> {
        let program = &analysis.program;
        let value = |of: ValueId| analysis.handles.values[of.index()];
        let block = program.values[self.argument.index()].block;
        let node = &program.nodes[program.blocks[block.index()].node.index()];
        let around = analysis.handles.op_at(node.start)?;
        let made = value(program.buffers[self.next.index()].value);
        let Some(Origin::Result(alloc, _)) = origin(made) else {
            return None;
        };
        let body = parent_block(alloc)?;
        let end = terminator(body)?;
        // Each is handed on once.
        let handed_on = self.only_operand(analysis, aliases, self.next, end)?;
        self.only_operand(analysis, aliases, self.first, around)?;
        let is_seen = !self.is_only_carried(analysis, aliases)
            || are_needed(
                analysis,
                &aliases.uses,
                (self.argument, program.buffers[self.next.index()].value),
                body,
                positions,
                semantics,
            );
        (!is_seen).then(|| Carried {
            around,
            alloc,
            made,
            handed_on: (end, handed_on),
            same: std::iter::once(value(self.argument))
                .chain(self.results(analysis, aliases, around))
                .collect(),
            by: value(self.start),
        })
    }

    /// The operand of an operation that is a buffer or a view of it, if there is only one.
    fn only_operand(
        &self,
        analysis: &Analysis<'_>,
        aliases: &Aliases,
        buffer: BufferId,
        op: Op<'_>,
    ) -> Option<usize> {
        let own = analysis.program.buffers[buffer.index()].value;
        let values = aliases.values_of(buffer);
        let values = values.filter(|value| analysis.aliases.base(*value) == own);
        let values: Vec<Val<'_>> = values
            .map(|value| analysis.handles.values[value.index()])
            .collect();
        let numbers = operands(op).enumerate();
        let mut numbers = numbers.filter(|(_, operand)| values.contains(operand));
        let (number, _) = numbers.next()?;
        numbers.next().is_none().then_some(number)
    }

    /// Whether the loop alone has both buffers while it runs, as the iteration argument, as the buffer that an iteration
    /// makes, and as views of these.
    fn is_only_carried(&self, analysis: &Analysis<'_>, aliases: &Aliases) -> bool {
        let program = &analysis.program;
        let block = program.values[self.argument.index()].block;
        let node = &program.nodes[program.blocks[block.index()].node.index()];
        let is_after = |value: ValueId| program.values[value.index()].position >= node.end;
        let own = program.buffers[self.first.index()].value;
        let made = program.buffers[self.next.index()].value;
        let is_of = |value: ValueId, base: ValueId| analysis.aliases.base(value) == base;
        let mut firsts = aliases.values_of(self.first);
        let is_first_gone = firsts
            .all(|value| is_of(value, self.argument) || is_of(value, own) || is_after(value))
            && aliases
                .uses
                .of_base(analysis, own)
                .all(|used| used.position <= node.start);
        let mut nexts = aliases.values_of(self.next);
        let is_next_handed_on =
            nexts.all(|value| is_of(value, self.argument) || is_of(value, made) || is_after(value));
        let is_either = |value: ValueId| {
            let mut buffers = analysis.aliases.buffers(value);
            buffers.any(|buffer| buffer == self.first || buffer == self.next)
        };
        // Nor does anything say where they are, or use them for an unknown time.
        let pending = program.pending.iter().flat_map(|entry| &entry.values);
        let asserted = program.alignments.iter().map(|(value, _)| value);
        let freed = program.deallocs.iter().map(|free| &free.value);
        let others = pending.chain(asserted).chain(freed);
        let mut others = others.chain(program.distinct.iter().flatten());
        is_first_gone && is_next_handed_on && !others.any(|value| is_either(*value))
    }

    /// The results of the loop that are one of both buffers.
    fn results<'c>(
        &self,
        analysis: &Analysis<'c>,
        aliases: &Aliases,
        around: Op<'c>,
    ) -> Vec<Val<'c>> {
        let form = type_of(analysis.handles.values[self.start.index()]);
        let all = aliases.values_of(self.next).filter(|value| {
            let mut buffers = analysis.aliases.buffers(*value);
            buffers.all(|buffer| buffer == self.first || buffer == self.next)
                && !analysis.aliases.is_external(*value)
        });
        let all = all.map(|value| analysis.handles.values[value.index()]);
        let is_result = |value: &Val<'c>| {
            type_of(*value) == form
                && matches!(origin(*value), Some(Origin::Result(op, _)) if op.key() == around.key())
        };
        all.filter(is_result).collect()
    }
}

/// The values that may be each buffer, and the uses of each value.
struct Aliases {
    values: FxHashMap<BufferId, Vec<ValueId>>,
    uses: UsesByBase,
}

impl Aliases {
    fn of(analysis: &Analysis<'_>) -> Self {
        let mut values: FxHashMap<BufferId, Vec<ValueId>> = FxHashMap::default();
        for value in (0..analysis.program.values.len()).map(ValueId::new) {
            for buffer in analysis.aliases.buffers(value) {
                values.entry(buffer).or_default().push(value);
            }
        }
        Self {
            values,
            uses: UsesByBase::of(analysis),
        }
    }

    fn values_of(&self, buffer: BufferId) -> impl Iterator<Item = ValueId> + '_ {
        let values = self.values.get(&buffer);
        values.into_iter().flatten().copied()
    }
}
