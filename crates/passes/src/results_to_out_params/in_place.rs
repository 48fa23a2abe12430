//! Calls in place: a function that may write its out-param to the memory of another argument does so, if that memory is dead
//! after each of its calls.

use crate::{
    elide_copies::{ArgumentMemory, can_be_anywhere},
    merge_alloc::OFFSET,
};
use memplan_lifetimes::{
    Analysis, Reason, Summaries,
    alias::Root,
    analyse,
    program::{BufferId, Position, ValueId, ValueKind},
};
use memplan_mlir::{
    calls::{call_arguments, function_body},
    ir::{
        Identity, Key, Op, Origin, Val, arguments, blocks, erase, is_memref, operands, origin,
        replace_all_uses, type_of,
    },
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::{Readings, attributes::NOALIAS};
use memplan_summaries::CallGraph;
use rustc_hash::FxHashMap;

/// The out-params of functions that were results, by function.
pub type OutParams = FxHashMap<Key, Vec<usize>>;

/// A function whose out-param becomes another argument.
pub struct InPlace<'c> {
    function: Op<'c>,
    out_param: usize,
    argument: usize,
    calls: Vec<Op<'c>>,
}

impl<'c> InPlace<'c> {
    /// The function, and its calls.
    pub fn ops(&self) -> impl Iterator<Item = Op<'c>> + '_ {
        self.calls.iter().copied().chain([self.function])
    }
}

/// Finds such functions, one out-param of each. The changes go together: one at a call concerns buffers of the caller alone,
/// and a function's own change its arguments.
pub fn decide<'c>(
    graph: &CallGraph<'c>,
    out_params: &OutParams,
    summaries: &Summaries,
    readings: &Readings,
) -> Vec<InPlace<'c>> {
    let mut callers: FxHashMap<usize, Caller<'c>> = FxHashMap::default();
    let mut calls: FxHashMap<usize, Vec<(usize, Op<'c>)>> = FxHashMap::default();
    for (caller, all) in graph.calls.iter().enumerate() {
        for call in all {
            if let Some(callee) = call.target.function() {
                calls.entry(callee).or_default().push((caller, call.op));
            }
        }
    }
    let analysis = |at: usize| {
        let function = graph.functions[at];
        readings.with(function, |semantics| {
            analyse(function, semantics, summaries)
        })
    };
    let mut found = Vec::new();
    for &at in &graph.order {
        let function = graph.functions[at];
        let Some(out) = out_params
            .get(&function.key())
            .filter(|out| !out.is_empty())
        else {
            continue;
        };
        let Some(calls) = calls.get(&at).filter(|_| graph.referrer(at).is_none()) else {
            continue;
        };
        let own = analysis(at);
        let pairs = readings.with(function, |semantics| {
            let memory = ArgumentMemory::of(function, &own);
            let mut pairs = Vec::new();
            for out_param in out {
                for argument in candidates(function, *out_param) {
                    if memory.may_hold(argument, *out_param, semantics) {
                        pairs.push((*out_param, argument));
                    }
                }
            }
            pairs
        });
        for (caller, _) in calls.iter().filter(|_| !pairs.is_empty()) {
            let entry = callers.entry(*caller);
            entry.or_insert_with(|| Caller::of(analysis(*caller)));
        }
        let fits = |pair: &(usize, usize)| {
            calls.iter().all(|(caller, call)| {
                let caller = callers.get(caller);
                caller.is_some_and(|caller| caller.is_dead_after(*call, *pair))
            })
        };
        if let Some((out_param, argument)) = pairs.into_iter().find(fits) {
            found.push(InPlace {
                function,
                out_param,
                argument,
                calls: calls.iter().map(|(_, call)| *call).collect(),
            });
        }
    }
    found
}

/// The arguments of the type of an out-param, without attributes, which may say that they are not written.
fn candidates(function: Op<'_>, out_param: usize) -> Vec<usize> {
    let all = function_arguments(function);
    let Some(form) = all.get(out_param).map(|value| type_of(*value)) else {
        return Vec::new();
    };
    let others = all.iter().enumerate();
    let others = others.filter(|(at, value)| {
        *at != out_param
            && type_of(**value) == form
            && !symbols::has_other_attribute(function, *at, NOALIAS)
    });
    others.map(|(at, _)| at).collect()
}

fn function_arguments<'c>(function: Op<'c>) -> Vec<Val<'c>> {
    let entry = function_body(function).and_then(|body| blocks(body).next());
    entry.map_or_else(Vec::new, |entry| arguments(entry).collect())
}

/// A caller, with what is asked of each of its calls.
struct Caller<'c> {
    analysis: Analysis<'c>,
    positions: FxHashMap<Key, Position>,
    ids: FxHashMap<Key, ValueId>,
    /// For each buffer, its index in the plan.
    places: FxHashMap<BufferId, usize>,
    /// For each buffer, whether it can be at any address.
    can_be_anywhere: Vec<bool>,
    /// For each buffer, whether only views refer to it, nothing says where it is, and nothing frees it.
    is_plain: Vec<bool>,
    /// For each buffer, the position of its first use.
    first_use: Vec<Position>,
}

impl<'c> Caller<'c> {
    fn of(analysis: Analysis<'c>) -> Self {
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
                !op.has_attribute(OFFSET) && reason.is_none_or(|reason| reason == Reason::Returned)
            })
            .collect();
        for buffer in others.flat_map(|value| aliases.buffers(value)) {
            is_plain[buffer.index()] = false;
        }
        let mut first_use = vec![Position::MAX; program.buffers.len()];
        for used in &program.uses {
            for buffer in aliases.buffers(used.value) {
                let first = &mut first_use[buffer.index()];
                *first = used.position.min(*first);
            }
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
            first_use,
            analysis,
        }
    }

    /// Whether the memory that a call passes as `argument` is a buffer that nothing else in the call is, and that is dead
    /// after it, and what it passes as `out_param` is a buffer that is used first by the call.
    fn is_dead_after(&self, call: Op<'c>, (out_param, argument): (usize, usize)) -> bool {
        let (program, aliases) = (&self.analysis.program, &self.analysis.aliases);
        let is_open = !program.has_arena && !symbols::has_argument_attributes(call);
        let Some(range) = call_arguments(call).filter(|_| is_open) else {
            return false;
        };
        let given: Vec<Val<'c>> = operands(call).collect();
        let given = &given[range];
        let id = |place: usize| self.ids.get(&given.get(place)?.key()).copied();
        let (Some(position), Some(old), Some(new)) = (
            self.positions.get(&call.key()).copied(),
            id(argument),
            id(out_param),
        ) else {
            return false;
        };
        let alloc = |value: ValueId| match program.values[value.index()].kind {
            ValueKind::Alloc(buffer) => Some(buffer),
            _ => None,
        };
        let (Some(from), Some(to)) = (alloc(aliases.base(old)), alloc(new)) else {
            return false;
        };
        let is_either = |value: ValueId| {
            let mut buffers = aliases.buffers(value);
            buffers.any(|one| one == from || one == to) || aliases.is_unknown(value)
        };
        let mut others = (0..given.len())
            .filter(|at| *at != argument && *at != out_param && is_memref(type_of(given[*at])));
        let are_apart = others.all(|at| id(at).is_some_and(|value| !is_either(value)));
        let (before, after) = (&program.buffers[from.index()], &program.buffers[to.index()]);
        from != to
            && aliases.roots(old) == [Root::Buffer(from)]
            && program.is_all_of(old, before.value)
            && before.scope == after.scope
            && after.alignment <= before.alignment
            && are_apart
            && self.is_plain[from.index()]
            && self.is_plain[to.index()]
            && self.can_be_anywhere[from.index()]
            && self.are_one_after_the_other((from, to), position)
    }

    /// Whether one buffer is live up to a position alone, and another one from there on alone. Several such changes, one
    /// after the other, then go together.
    fn are_one_after_the_other(
        &self,
        (from, to): (BufferId, BufferId),
        position: Position,
    ) -> bool {
        let live = |buffer: BufferId| {
            let place = self.places.get(&buffer)?;
            Some(&self.analysis.plannable[*place].live)
        };
        let is_after = match live(to) {
            Some(after) => after.iter().all(|(first, _)| *first >= position),
            // Returned.
            None => self.first_use[to.index()] >= position,
        };
        is_after
            && live(from).is_some_and(|before| before.iter().all(|(_, end)| *end <= position + 1))
    }
}

/// Writes a change: the calls, then the function. Returns whether it could.
pub fn write(change: &InPlace<'_>, out_params: &mut OutParams) -> bool {
    for call in &change.calls {
        let Some(range) = call_arguments(*call) else {
            return false;
        };
        let given: Vec<Val<'_>> = operands(*call).collect();
        let given = &given[range.clone()];
        let (old, new) = (given[change.argument], given[change.out_param]);
        symbols::drop_operands(*call, &[range.start + change.out_param]);
        replace_all_uses(new, old);
        if let Some(Origin::Result(alloc, _)) = origin(new) {
            erase(alloc);
        }
    }
    let all = function_arguments(change.function);
    replace_all_uses(all[change.out_param], all[change.argument]);
    if let Some(known) = out_params.get_mut(&change.function.key()) {
        known.retain(|one| *one != change.out_param);
        for one in known {
            *one -= usize::from(*one > change.out_param);
        }
    }
    symbols::drop_argument(change.function, change.out_param)
}
