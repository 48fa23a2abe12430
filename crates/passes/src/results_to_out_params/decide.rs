//! Decides which results become arguments.

use super::{Change, MovedResult};
use crate::{
    hosts, new_buffers,
    result_heap::{self, Counting, Heap},
    shapes::Shapes,
};
use memplan_lifetimes::{Analysis, Summaries, analyse};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, is_memref, operands, results as op_results, type_of},
    layout::{element_count, has_identity_layout, memory_space},
    symbols::{function_type, is_private},
};
use memplan_semantics::{Readings, Semantics, attributes};
use memplan_summaries::CallGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

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
    let mut heaps: BTreeMap<String, Heap<'_, 'c>> = BTreeMap::new();
    let mut lodged = FxHashSet::default();
    let mut shapes = Shapes::default();
    let mut moved = Vec::new();
    for number in numbers {
        let Some(buffer) = new_buffers::of_result(analysis, number) else {
            continue;
        };
        let alloc = analysis.handles.buffers[buffer.index()];
        let Some(alloc_value) = op_results(alloc).next() else {
            continue;
        };
        if !new_buffers::is_only_returned(analysis, buffer) || operands(alloc).next().is_some() {
            continue;
        }
        let space = memory_space(type_of(alloc_value));
        let heap = heaps
            .entry(space)
            .or_insert_with_key(|space| Heap::of(analysis, space, &Counting::Buffers));
        let position = program.buffers[buffer.index()].position;
        if !heap.is_known(0, position) {
            continue;
        }
        let host = result_heap::host(analysis, buffer, (&mut shapes, semantics));
        let mut guests = hosts::guests(analysis, &[host], &lodged, (&mut shapes, semantics));
        let guests = guests.pop().unwrap_or_default();
        heap.begin(buffer, position, 0);
        guests.iter().for_each(|guest| heap.lodge(*guest));
        if !heap.is_within() {
            heap.begin(buffer, 0, position);
            guests.iter().for_each(|guest| heap.release(*guest));
            continue;
        }
        lodged.extend(&guests);
        moved.push(MovedResult {
            number: number as usize,
            alloc,
            guests: guests
                .into_iter()
                .map(|guest| analysis.handles.buffers[guest.index()])
                .collect(),
        });
    }
    moved
}
