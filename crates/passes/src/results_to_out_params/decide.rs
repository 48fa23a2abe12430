//! Decides which results become arguments.

use super::{Change, MovedResult};
use crate::{
    hosts::{self, Host},
    new_buffers,
};
use memplan_lifetimes::{
    Analysis, Reason, Summaries, analyse,
    callers_memory::{self, CallersMemory},
    live::Since,
    program::{BufferId, Position},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, is_memref, operands, type_of},
    layout::{element_count, has_identity_layout},
    symbols::{function_type, is_private},
};
use memplan_semantics::{Readings, Semantics, attributes};
use memplan_summaries::CallGraph;
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether there may be results to move.
pub fn has_candidates(graph: &CallGraph<'_>) -> bool {
    graph
        .functions
        .iter()
        .any(|function| is_candidate(*function))
}

/// Whether a function is private, has a body, and a memref of static size as a result. Results may become donated arguments:
/// then nothing has to be allocated.
fn is_candidate(function: Op<'_>) -> bool {
    is_private(function)
        && function_body(function).is_some()
        && !attributes::has_c_interface(function)
        && function_type(function).is_some_and(|form| {
            let mut arguments = 0..form.input_count();
            let is_donating = arguments.any(|at| attributes::is_donated(function, at));
            let mut results = (0..form.result_count()).filter_map(|at| form.result(at).ok());
            !is_donating
                && results.any(|result| {
                    is_memref(result)
                        && has_identity_layout(result)
                        && element_count(result).is_some()
                })
        })
}

/// The functions with results that become arguments, callees first.
pub fn decide<'c>(
    graph: &CallGraph<'c>,
    summaries: &Summaries,
    readings: &Readings,
) -> Vec<Change<'c>> {
    let mut calls: FxHashMap<usize, Vec<Op<'c>>> = FxHashMap::default();
    for call in graph.calls.iter().flatten() {
        if let Some(callee) = call.target.function() {
            calls.entry(callee).or_default().push(call.op);
        }
    }
    let mut changes = Vec::new();
    for &at in &graph.order {
        let function = graph.functions[at];
        if !is_candidate(function) || graph.referrer(at).is_some() {
            continue;
        }
        let Some(calls) = calls.remove(&at) else {
            continue;
        };
        let results = readings.with(function, |semantics| {
            results(&analyse(function, semantics, summaries), semantics)
        });
        if !results.is_empty() {
            changes.push(Change {
                function,
                results,
                calls,
            });
        }
    }
    changes
}

/// The results of a function that become arguments, and the buffers that live in them before.
fn results<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics) -> Vec<MovedResult<'c>> {
    let program = &analysis.program;
    if program.has_arena {
        return Vec::new();
    }
    let mut numbers: Vec<u32> = program.returned.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut held = Held::of(analysis);
    let mut moved = Vec::new();
    for number in numbers {
        let Some(buffer) = new_buffers::of_result(analysis, number) else {
            continue;
        };
        let alloc = analysis.handles.buffers[buffer.index()];
        if !new_buffers::is_only_returned(analysis, buffer) || operands(alloc).next().is_some() {
            continue;
        }
        let host = host(analysis, buffer);
        let mut guests = hosts::guests(analysis, &[host], &held.guests(), semantics);
        if let Some(guests) = held.grow(buffer, guests.pop().unwrap_or_default()) {
            moved.push(MovedResult {
                number: number as usize,
                alloc,
                guests: guests
                    .into_iter()
                    .map(|guest| analysis.handles.buffers[guest.index()])
                    .collect(),
            });
        }
    }
    moved
}

/// The memory of a result.
fn host<'c>(analysis: &Analysis<'c>, result: BufferId) -> Host<'c> {
    let program = &analysis.program;
    let fact = &program.buffers[result.index()];
    let memory = CallersMemory {
        value: fact.value,
        since: Since::FirstTouch,
        is_kept: false,
    };
    let needed = callers_memory::needed(program, &analysis.aliases, &[memory]);
    Host {
        form: type_of(analysis.handles.values[fact.value.index()]),
        alignment: fact.alignment,
        needed: needed.into_iter().next().unwrap_or_default(),
    }
}

/// The bytes that a function holds, if it frees each buffer after its last use.
struct Held<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// The most of the function as it is.
    most: i128,
    /// The results that it has from the start, and the buffers in them.
    moved: Vec<(BufferId, Vec<BufferId>)>,
}

impl<'a, 'c> Held<'a, 'c> {
    fn of(analysis: &'a Analysis<'c>) -> Self {
        let most = most(analysis, &[]);
        Self {
            analysis,
            most,
            moved: Vec::new(),
        }
    }

    /// The buffers that live in results.
    fn guests(&self) -> FxHashSet<BufferId> {
        let all = self.moved.iter().flat_map(|(_, guests)| guests);
        all.copied().collect()
    }

    /// Lets the function have a result from the start, if it holds no more at its peak then; returns the buffers that live
    /// in it.
    fn grow(&mut self, result: BufferId, guests: Vec<BufferId>) -> Option<Vec<BufferId>> {
        self.moved.push((result, guests));
        if most(self.analysis, &self.moved) <= self.most {
            return self.moved.last().map(|(_, guests)| guests.clone());
        }
        self.moved.pop();
        None
    }
}

/// The most bytes that a function holds at once, with the results that it has from the start. What is not known of a call is
/// the largest number.
fn most(analysis: &Analysis<'_>, moved: &[(BufferId, Vec<BufferId>)]) -> i128 {
    let program = &analysis.program;
    let mut changes: Vec<(Position, i128)> = Vec::new();
    let is_guest = |buffer: BufferId| moved.iter().any(|(_, guests)| guests.contains(&buffer));
    for plannable in &analysis.plannable {
        if is_guest(plannable.buffer) {
            continue;
        }
        let size = i128::from(program.buffers[plannable.buffer.index()].size);
        let ranges = plannable.live.iter();
        changes.extend(ranges.flat_map(|(first, end)| [(*first, size), (*end, -size)]));
    }
    for (index, fact) in program.buffers.iter().enumerate() {
        let buffer = BufferId::new(index);
        if analysis.skip_reason(buffer) == Some(Reason::Returned) {
            let is_moved = moved.iter().any(|(result, _)| *result == buffer);
            let first = if is_moved { 0 } else { fact.position };
            changes.push((first, i128::from(fact.size)));
        }
    }
    for call in &program.calls {
        let heap = i128::from(call.heap);
        changes.extend([(call.position, heap), (call.position + 1, -heap)]);
    }
    // What ends at a position is freed before what begins there.
    changes.sort_unstable();
    let (mut held, mut most) = (0_i128, 0_i128);
    for (_, change) in changes {
        held += change;
        most = most.max(held);
    }
    most
}
