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
use memplan_semantics::Readings;
use memplan_summaries::CallGraph;
use rustc_hash::{FxHashMap, FxHashSet};

/// The out-params of functions that were results, by function.
pub type OutParams = FxHashMap<Key, Vec<usize>>;

/// A function whose out-param becomes another argument.
pub struct InPlace<'c> {
    function: Op<'c>,
    out_param: usize,
    argument: usize,
    calls: Vec<Op<'c>>,
}

/// Finds such functions, one out-param of each. Each function is in one change alone, as a callee or a caller.
pub fn decide<'c>(
    graph: &CallGraph<'c>,
    out_params: &OutParams,
    summaries: &Summaries,
    readings: &Readings,
) -> Vec<InPlace<'c>> {
    let mut callers: FxHashMap<usize, Analysis<'c>> = FxHashMap::default();
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
    let mut changed: FxHashSet<usize> = FxHashSet::default();
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
        let touched = || calls.iter().map(|(caller, _)| *caller).chain([at]);
        if touched().any(|one| changed.contains(&one)) {
            continue;
        }
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
            callers.entry(*caller).or_insert_with(|| analysis(*caller));
        }
        let fits = |pair: &(usize, usize)| {
            calls.iter().all(|(caller, call)| {
                callers
                    .get(caller)
                    .is_some_and(|analysis| is_dead_after(analysis, *call, *pair))
            })
        };
        if let Some((out_param, argument)) = pairs.into_iter().find(fits) {
            changed.extend(touched());
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

/// The arguments of the type of an out-param.
fn candidates(function: Op<'_>, out_param: usize) -> Vec<usize> {
    let all = function_arguments(function);
    let Some(form) = all.get(out_param).map(|value| type_of(*value)) else {
        return Vec::new();
    };
    let others = all.iter().enumerate();
    let others = others.filter(|(at, value)| *at != out_param && type_of(**value) == form);
    others.map(|(at, _)| at).collect()
}

fn function_arguments<'c>(function: Op<'c>) -> Vec<Val<'c>> {
    let entry = function_body(function).and_then(|body| blocks(body).next());
    entry.map_or_else(Vec::new, |entry| arguments(entry).collect())
}

/// Whether the memory that a call passes as `argument` is a buffer of the caller that nothing else in the call is, and that is
/// dead after it, and what it passes as `out_param` is a buffer that is used first by the call.
fn is_dead_after(
    analysis: &Analysis<'_>,
    call: Op<'_>,
    (out_param, argument): (usize, usize),
) -> bool {
    let program = &analysis.program;
    let Some(range) = call_arguments(call).filter(|_| !program.has_arena) else {
        return false;
    };
    let given: Vec<Val<'_>> = operands(call).collect();
    let given = &given[range];
    let position = analysis.handles.ops.iter();
    let position = position.into_iter().find(|(_, op)| op.key() == call.key());
    let (Some((position, _)), Some(old), Some(new)) =
        (position, given.get(argument), given.get(out_param))
    else {
        return false;
    };
    let position = *position;
    let by_key = |value: &Val<'_>| {
        let mut all = analysis.handles.values.iter();
        all.position(|one| one.key() == value.key())
            .map(ValueId::new)
    };
    let (Some(old), Some(new)) = (by_key(old), by_key(new)) else {
        return false;
    };
    let alloc = |value: ValueId| match program.values[value.index()].kind {
        ValueKind::Alloc(buffer) => Some(buffer),
        _ => None,
    };
    let (Some(from), Some(to)) = (alloc(analysis.aliases.base(old)), alloc(new)) else {
        return false;
    };
    let is_one =
        |value: ValueId, buffer: BufferId| analysis.aliases.roots(value) == [Root::Buffer(buffer)];
    let others = given.iter().enumerate();
    let others = others
        .filter(|(at, value)| *at != argument && *at != out_param && is_memref(type_of(**value)));
    let mut others = others.map(|(_, value)| by_key(value));
    let is_either = |value: ValueId| {
        let mut buffers = analysis.aliases.buffers(value);
        buffers.any(|one| one == from || one == to) || analysis.aliases.is_unknown(value)
    };
    let are_apart = others.all(|value| value.is_some_and(|value| !is_either(value)));
    let (before, after) = (&program.buffers[from.index()], &program.buffers[to.index()]);
    let is_fixed =
        |buffer: BufferId| analysis.handles.buffers[buffer.index()].has_attribute(OFFSET);
    from != to
        && is_one(old, from)
        && program.is_all_of(old, before.value)
        && before.scope == after.scope
        && after.alignment <= before.alignment
        && !is_fixed(from)
        && !is_fixed(to)
        && are_apart
        && !program.deallocs.iter().any(|free| is_either(free.value))
        && is_plain(analysis, to)
        && can_be_anywhere(analysis)[from.index()]
        && are_one_after_the_other(analysis, (from, to), position)
}

/// Whether only views refer to a buffer that is planned or returned, and nothing says where it is.
fn is_plain(analysis: &Analysis<'_>, buffer: BufferId) -> bool {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let is_it = |value: ValueId| aliases.buffers(value).any(|one| one == buffer);
    let merges = program.values.iter().enumerate();
    let merges = merges.filter(|(_, value)| value.kind == ValueKind::Merge);
    let pending = program.pending.iter().flat_map(|entry| &entry.values);
    let mut others = merges
        .map(|(index, _)| ValueId::new(index))
        .chain(pending.copied())
        .chain(program.alignments.iter().map(|(value, _)| *value))
        .chain(program.distinct.iter().flatten().copied());
    let reason = analysis.skip_reason(buffer);
    reason.is_none_or(|reason| reason == Reason::Returned) && !others.any(is_it)
}

/// Whether one buffer is live up to a position alone, and another one from there on alone. Several such changes, one after the
/// other, then go together.
fn are_one_after_the_other(
    analysis: &Analysis<'_>,
    (from, to): (BufferId, BufferId),
    position: Position,
) -> bool {
    let live = |buffer: BufferId| {
        let mut all = analysis.plannable.iter();
        all.find(|one| one.buffer == buffer).map(|one| &one.live)
    };
    let is_after = match live(to) {
        Some(after) => after.iter().all(|(first, _)| *first >= position),
        // Returned.
        None => {
            let mut uses = analysis.program.uses.iter();
            uses.all(|used| {
                used.position >= position
                    || !analysis.aliases.buffers(used.value).any(|one| one == to)
            })
        }
    };
    is_after && live(from).is_some_and(|before| before.iter().all(|(_, end)| *end <= position + 1))
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
