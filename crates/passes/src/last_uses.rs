//! Calls that use memory for the last time.

use crate::elide_copies::can_be_anywhere;
use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    live::Ranges,
    program::{BufferId, Position, ValueId, ValueKind},
};
use memplan_mlir::{
    calls::call_arguments,
    ir::{Identity, Key, Op, Val, is_memref, operands, type_of},
    symbols,
};
use memplan_semantics::attributes::is_placed;
use rustc_hash::FxHashMap;

/// A caller, with what it passes to its calls.
pub struct LastUses<'c> {
    pub analysis: Analysis<'c>,
    positions: FxHashMap<Key, Position>,
    ids: FxHashMap<Key, ValueId>,
    /// For each buffer, its index in the plan.
    places: FxHashMap<BufferId, usize>,
    /// For each buffer, whether it can be at any address.
    can_be_anywhere: Vec<bool>,
    /// For each buffer, whether only views refer to it, nothing says where it is, and nothing frees it.
    is_plain: Vec<bool>,
}

impl<'c> LastUses<'c> {
    /// Reads a caller.
    pub fn of(analysis: Analysis<'c>) -> Self {
        let (program, aliases) = (&analysis.program, &analysis.aliases);
        let merges = program.values.iter().enumerate();
        let merges = merges.filter(|(_, value)| value.kind == ValueKind::Merge);
        let pending = program.pending.iter().flat_map(|entry| &entry.values);
        let others = merges
            .map(|(index, _)| ValueId::new(index))
            .chain(pending.copied())
            .chain(program.alignments.iter().map(|(value, _)| *value))
            .chain(program.distinct.iter().flatten().copied())
            .chain(program.deallocs.iter().map(|free| free.value));
        let reasons = (0..program.buffers.len()).map(BufferId::new);
        let reasons = reasons.map(|buffer| analysis.skip_reason(buffer));
        let mut is_plain: Vec<bool> = reasons
            .zip(&analysis.handles.buffers)
            .map(|(reason, op)| {
                !is_placed(*op) && reason.is_none_or(|reason| reason == Reason::Returned)
            })
            .collect();
        for buffer in others.flat_map(|value| aliases.buffers(value)) {
            is_plain[buffer.index()] = false;
        }
        let ops = analysis.handles.ops.iter();
        let values = analysis.handles.values.iter().enumerate();
        let plannable = analysis.plannable.iter().enumerate();
        Self {
            positions: ops.map(|(position, op)| (op.key(), *position)).collect(),
            ids: values
                .map(|(index, value)| (value.key(), ValueId::new(index)))
                .collect(),
            places: plannable.map(|(index, one)| (one.buffer, index)).collect(),
            can_be_anywhere: can_be_anywhere(&analysis),
            is_plain,
            analysis,
        }
    }

    /// Position of a call.
    pub fn position(&self, call: Op<'c>) -> Option<Position> {
        self.positions.get(&call.key()).copied()
    }

    /// Live ranges of a buffer, if it is planned.
    pub fn live(&self, buffer: BufferId) -> Option<&Ranges> {
        let place = self.places.get(&buffer)?;
        Some(&self.analysis.plannable[*place].live)
    }

    /// Whether only views refer to a buffer, nothing says where it is, and nothing frees it.
    pub fn is_plain(&self, buffer: BufferId) -> bool {
        self.is_plain[buffer.index()]
    }

    /// The allocation whose result a call passes as an argument, if nothing else that it passes may be the same memory.
    pub fn allocated(&self, call: Op<'c>, argument: usize) -> Option<BufferId> {
        match self.kind(self.separate(call, argument, None)?) {
            ValueKind::Alloc(buffer) => Some(buffer),
            _ => None,
        }
    }

    /// The buffer that a call passes as an argument, all of it, if it is dead after the call, and nothing else that the call
    /// uses is the same memory, other than what it passes as the argument `except`.
    pub fn buffer(&self, call: Op<'c>, argument: usize, except: Option<usize>) -> Option<BufferId> {
        let (program, aliases) = (&self.analysis.program, &self.analysis.aliases);
        let value = self.separate(call, argument, except)?;
        let ValueKind::Alloc(buffer) = self.kind(aliases.base(value)) else {
            return None;
        };
        let position = self.position(call)?;
        let live = self.live(buffer)?;
        let is_last = aliases.roots(value) == [Root::Buffer(buffer)]
            && program.is_all_of(value, program.buffers[buffer.index()].value)
            && self.is_plain[buffer.index()]
            && self.can_be_anywhere[buffer.index()]
            && live.iter().all(|(_, end)| *end <= position + 1);
        is_last.then_some(buffer)
    }

    /// The argument of the caller that a call passes as an argument, all of it, if nothing else that the call uses is the same
    /// memory.
    pub fn argument(&self, call: Op<'c>, argument: usize) -> Option<(u32, ValueId)> {
        let (program, aliases) = (&self.analysis.program, &self.analysis.aliases);
        let value = self.separate(call, argument, None)?;
        let base = aliases.base(value);
        let ValueKind::Argument(number) = self.kind(base) else {
            return None;
        };
        program.is_all_of(value, base).then_some((number, base))
    }

    fn kind(&self, value: ValueId) -> ValueKind {
        self.analysis.program.values[value.index()].kind
    }

    /// What a call passes as an argument, if nothing else that it passes may be the same memory.
    fn separate(&self, call: Op<'c>, argument: usize, except: Option<usize>) -> Option<ValueId> {
        let aliases = &self.analysis.aliases;
        if self.analysis.program.has_arena || symbols::has_argument_attributes(call) {
            return None;
        }
        let given = given(call)?;
        let id = |place: usize| self.ids.get(&given.get(place)?.key()).copied();
        let value = id(argument)?;
        let roots = aliases.roots(value);
        let is_apart = |other: ValueId| {
            let mut others = aliases.roots(other).iter();
            !aliases.is_unknown(other) && !others.any(|root| roots.contains(root))
        };
        let mut others = (0..given.len())
            .filter(|at| *at != argument && Some(*at) != except && is_memref(type_of(given[*at])));
        let all_apart = others.all(|at| id(at).is_some_and(is_apart));
        (all_apart && !aliases.is_unknown(value)).then_some(value)
    }
}

/// The operands that a call passes as arguments.
fn given<'c>(call: Op<'c>) -> Option<Vec<Val<'c>>> {
    let range = call_arguments(call)?;
    let given: Vec<Val<'c>> = operands(call).collect();
    Some(given.get(range)?.to_vec())
}
