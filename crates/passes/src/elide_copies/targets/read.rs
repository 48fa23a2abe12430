//! Finds the buffers that may become memory of the caller.
//!
//! Such a buffer is written and read only in one block, up to an operation there that writes that memory element by element
//! as it reads the buffer. From the first write of the buffer on, nothing may read or write the memory up to that operation,
//! other than an operation that computes the first contents of the buffer in step with it. After a copy, the buffer may be read
//! as long as nothing writes the memory.

use super::{
    Target,
    accesses::{Access, Accesses},
};
use crate::elide_copies::{
    Refusal,
    buffer_part::{BufferPart, have_same_addresses},
    globals::Globals,
    read::{
        Declined, Fact, Positions, buffers, end_of, have_same_sizes, holds_elements_once, is_alone,
        is_within, pinned, ready,
    },
    types::{is_reshape, may_be},
};
use memplan_lifetimes::{
    Analysis,
    alias::Root,
    program::{InStep, Position, UseKind, ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{Op, parent_block, type_of, users},
    layout::memory_space,
    strides::has_elements_in_order,
};
use memplan_semantics::Semantics;

/// The buffers of a function that become memory of the caller, and copies that stay.
pub(super) fn read<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    positions: &Positions,
    semantics: &mut Semantics,
    globals: &Globals<'c>,
) -> (Vec<Target<'c>>, Vec<Declined<'c>>) {
    let (mut targets, mut refused) = (Vec::new(), Vec::new());
    let mut reader: Option<Reader<'_, 'c>> = None;
    for step in &analysis.program.in_step {
        let Some((argument, op)) = candidate(analysis, step) else {
            continue;
        };
        let reader = reader.get_or_insert_with(|| Reader {
            analysis,
            positions,
            facts: buffers(analysis),
            accesses: Accesses::of(function, analysis, semantics, globals),
            touches: touches(analysis),
            is_taken: vec![false; analysis.program.buffers.len()],
        });
        match reader.target(step, argument, op, semantics) {
            Ok(target) => targets.push(target),
            Err(because) if step.copy.is_some() => refused.push(Declined {
                op,
                position: step.position,
                because,
            }),
            Err(_) => {}
        }
    }
    (targets, refused)
}

/// The argument that a step writes, if it reads all of a buffer, or copies it in another shape.
fn candidate<'c>(analysis: &Analysis<'c>, step: &InStep) -> Option<(u32, Op<'c>)> {
    let kind = |value: ValueId| analysis.program.values[value.index()].kind;
    let whole = analysis.aliases.base(step.read);
    let is_all = step.copy.is_some() && analysis.program.is_all_of(step.read, whole);
    let is_buffer = matches!(kind(whole), ValueKind::Alloc(_)) && (step.read == whole || is_all);
    match kind(analysis.aliases.base(step.written)) {
        ValueKind::Argument(argument) if step.same_elements && is_buffer => {
            Some((argument, analysis.handles.op_at(step.position)?))
        }
        _ => None,
    }
}

/// For each buffer, the positions of its reads and writes, and whether they write.
fn touches(analysis: &Analysis<'_>) -> Vec<Vec<(Position, bool)>> {
    let mut touches = vec![Vec::new(); analysis.program.buffers.len()];
    for used in &analysis.program.uses {
        if matches!(used.kind, UseKind::Touch | UseKind::Overwrite) {
            for buffer in analysis.aliases.buffers(used.value) {
                touches[buffer.index()].push((used.position, used.writes));
            }
        }
    }
    touches
}

struct Reader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    positions: &'a Positions,
    facts: Vec<Fact<'c>>,
    accesses: Accesses<'a, 'c>,
    touches: Vec<Vec<(Position, bool)>>,
    is_taken: Vec<bool>,
}

impl<'c> Reader<'_, 'c> {
    /// The target of a step, or the reason against it.
    fn target(
        &mut self,
        step: &InStep,
        argument: u32,
        op: Op<'c>,
        semantics: &mut Semantics,
    ) -> Result<Target<'c>, Refusal> {
        let (analysis, positions) = (self.analysis, self.positions);
        let (program, handles) = (&analysis.program, &analysis.handles);
        let whole = analysis.aliases.base(step.read);
        let ValueKind::Alloc(from) = program.values[whole.index()].kind else {
            return Err(Refusal::View);
        };
        let fact = &self.facts[from.index()];
        let (value, view) = (fact.value, handles.values[step.written.index()]);
        let [form, written] = [value, view].map(type_of);
        let reshaped = step.read != whole;
        // All elements of a transposition are copied, too, but in another order.
        let read = type_of(handles.values[step.read.index()]);
        if reshaped && !(is_reshape(form, written) && has_elements_in_order(read)) {
            return Err(Refusal::View);
        }
        let base = handles.values[analysis.aliases.base(step.written).index()];
        let Some(place) = fact
            .place
            .filter(|_| fact.moves && !self.is_taken[from.index()])
        else {
            return Err(pinned(analysis, [from, from]));
        };
        let live = &analysis.plannable[place].live;
        let end = end_of(analysis, step, live).ok_or(Refusal::Needed)?;
        let Some(block) =
            parent_block(op).filter(|_| program.buffers[from.index()].block == step.block)
        else {
            return Err(Refusal::Elsewhere);
        };
        if memory_space(type_of(value)) != memory_space(type_of(view)) {
            return Err(Refusal::MemorySpace);
        }
        if !holds_elements_once(view, semantics, 0) {
            return Err(Refusal::Overlaps);
        }
        let copies = step.copy.is_some();
        if !copies
            && (step.apart || !is_alone(analysis, step.position, step.read, step.written, from))
        {
            return Err(Refusal::Reads);
        }
        may_be(value, if reshaped { form } else { written }, semantics)?;
        let all = &self.touches[from.index()];
        let first_write = all.iter().find(|(_, writes)| *writes).map(|(at, _)| *at);
        let Some((at, write)) = first_write.and_then(|at| Some((at, handles.op_at(at)?))) else {
            return Err(Refusal::Needed);
        };
        if all
            .iter()
            .any(|(at, writes)| *writes && *at > step.position)
        {
            return Err(Refusal::Needed);
        }
        let begin = positions.in_block(write, block).ok_or(Refusal::Elsewhere)?;
        let user = users(value).filter_map(|user| positions.in_block(user, block));
        let first = user.min().unwrap_or(step.position).min(begin);
        // The contents are written earlier: perhaps out of bounds, if an operation in between guards that.
        let stop = match is_within(view, base, semantics)
            && (reshaped || have_same_sizes(value, view, semantics))
        {
            true => 0,
            false => positions.stop(block, step.position, semantics),
        };
        if ready(view, block, base, positions, semantics, 0).max(stop) >= first {
            return Err(Refusal::Late);
        }
        let initial = self.initial(step, (begin, at), semantics);
        self.is_unseen(step, argument, (begin, end), initial, semantics)?;
        self.accesses.take(begin, end, argument);
        self.is_taken[from.index()] = true;
        let initial = initial.filter(|step| step.copy.is_some());
        Ok(Target {
            value,
            view,
            reshaped,
            op,
            copies,
            first,
            initial: initial.and_then(|step| handles.op_at(step.position)),
        })
    }

    /// The step that writes the first contents of a buffer at `at` as it reads the same memory, if no other operation of the
    /// block, which starts at `begin`, is around it.
    fn initial(
        &self,
        step: &InStep,
        (begin, at): (Position, Position),
        semantics: &mut Semantics,
    ) -> Option<InStep> {
        let values = &self.analysis.handles.values;
        let base = values[self.analysis.aliases.base(step.written).index()];
        let all = &self.analysis.program.in_step;
        let start = all.partition_point(|other| other.position < at);
        let steps = all[start..].iter();
        let mut steps = steps.take_while(|other| other.position == at && begin == at);
        let found = steps.find(|other| {
            have_same_addresses(
                (values[other.read.index()], base),
                (values[step.written.index()], base),
                semantics,
            ) && other.written == step.read
                && other.same_elements
                && (other.copy.is_some() || !other.apart)
        });
        found.copied()
    }

    /// Checks that nothing sees the memory change early, or changes it.
    fn is_unseen(
        &mut self,
        step: &InStep,
        argument: u32,
        (begin, end): (Position, Position),
        initial: Option<InStep>,
        semantics: &mut Semantics,
    ) -> Result<(), Refusal> {
        if self.accesses.is_escaped(argument) {
            return Err(Refusal::Aliases);
        }
        let values = &self.analysis.handles.values;
        let base = self.analysis.aliases.base(step.written);
        let own = BufferPart::of(
            values[step.written.index()],
            values[base.index()],
            semantics,
        );
        let aliases = &self.analysis.aliases;
        let mut is_apart = |value: ValueId| {
            let is_argument = aliases.roots(value) == [Root::Argument(argument)]
                && aliases.base(value) == base
                && !aliases.is_unknown(value);
            is_argument
                && BufferPart::of(values[value.index()], values[base.index()], semantics)
                    .is_apart(&own)
        };
        // Disjoint parts of the memory do not count.
        let parts: Vec<ValueId> = self.accesses.of_argument(argument, (begin, end)).collect();
        let parts: Vec<ValueId> = parts.into_iter().filter(|value| is_apart(*value)).collect();
        let before = |access: Access, _: bool| match access {
            Access::Named(used) => {
                let is_own = used.position == step.position
                    && used.value == step.written
                    && used.kind == UseKind::Overwrite;
                let is_first = initial.is_some_and(|first| first.read == used.value)
                    && used.position == begin
                    && !used.writes;
                !is_own && !is_first && !parts.contains(&used.value)
            }
            Access::Hidden => true,
        };
        let after = |access: Access, writes: bool| match access {
            Access::Named(used) => writes && !parts.contains(&used.value),
            Access::Hidden => writes,
        };
        let accesses = &self.accesses;
        let in_parallel = self.analysis.program.scope_of(step.block).index() > 0;
        let find = |range, counts: &dyn Fn(Access, bool) -> bool| {
            accesses
                .find(argument, range, in_parallel, counts)
                .is_some()
        };
        let is_seen = find((begin, step.position), &before)
            || end > step.position + 1 && find((step.position + 1, end - 1), &after);
        if is_seen {
            Err(Refusal::Aliases)
        } else {
            Ok(())
        }
    }
}
