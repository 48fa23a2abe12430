//! Calls in place: a function that may write its out-param to the memory of another argument does so, if that memory is dead
//! after each of its calls.

use crate::{elide_copies::ArgumentMemory, last_uses::LastUses};
use memplan_lifetimes::{
    Analysis, Summaries, analyse,
    program::{BufferId, Position},
};
use memplan_mlir::{
    calls::{call_arguments, function_body},
    ir::{
        Identity, Key, Op, Origin, Val, arguments, blocks, erase, operands, origin,
        replace_all_uses, type_of,
    },
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
    last_uses: LastUses<'c>,
    /// For each buffer, the position of its first use.
    first_use: Vec<Position>,
}

impl<'c> Caller<'c> {
    fn of(analysis: Analysis<'c>) -> Self {
        let (program, aliases) = (&analysis.program, &analysis.aliases);
        let mut first_use = vec![Position::MAX; program.buffers.len()];
        for used in &program.uses {
            for buffer in aliases.buffers(used.value) {
                let first = &mut first_use[buffer.index()];
                *first = used.position.min(*first);
            }
        }
        Self {
            first_use,
            last_uses: LastUses::of(analysis),
        }
    }

    /// Whether the memory that a call passes as `argument` is a buffer that nothing else in the call is, and that is dead
    /// after it, and what it passes as `out_param` is a buffer that is used first by the call. Several such changes, one after
    /// the other, then go together.
    fn is_dead_after(&self, call: Op<'c>, (out_param, argument): (usize, usize)) -> bool {
        let last_uses = &self.last_uses;
        let program = &last_uses.analysis.program;
        let (Some(from), Some(to)) = (
            last_uses.buffer(call, argument, Some(out_param)),
            last_uses.allocated(call, out_param),
        ) else {
            return false;
        };
        let (before, after) = (&program.buffers[from.index()], &program.buffers[to.index()]);
        from != to
            && before.scope == after.scope
            && after.alignment <= before.alignment
            && last_uses.is_plain(to)
            && last_uses
                .position(call)
                .is_some_and(|position| self.begins_at(to, position))
    }

    /// Whether a buffer is used from a position on alone.
    fn begins_at(&self, buffer: BufferId, position: Position) -> bool {
        match self.last_uses.live(buffer) {
            Some(live) => live.iter().all(|(first, _)| *first >= position),
            // Returned.
            None => self.first_use[buffer.index()] >= position,
        }
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
