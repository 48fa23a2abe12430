//! Summaries of callees: what they return and capture.

use super::{Reading, has_deallocs, read};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, operands, results, type_of},
};
use memplan_ownership::{
    function::ValueId,
    origins::{AliasResult, Origins},
};
use memplan_semantics::{Allocator, Readings, Semantics};
use memplan_summaries::{
    CallGraph, Contract, FunctionSummary, NewNumbers, Question, Questions, Summaries,
};

/// Summaries of the functions that are called, directly or indirectly, by functions with deallocs at or below
/// `op`. Empty for a run on a function: such a pass must not read another function.
pub fn summarize<'c>(
    op: Op<'c>,
    functions: impl Iterator<Item = Op<'c>>,
    readings: &Readings,
) -> Summaries {
    let mut semantics = Semantics::default();
    if semantics.info(op).is_function() {
        return Summaries::default();
    }
    let functions: Vec<Op<'_>> = functions.collect();
    let has_sites: Vec<bool> = functions
        .iter()
        .map(|function| has_deallocs(*function, &mut semantics))
        .collect();
    if !has_sites.contains(&true) {
        return Summaries::default();
    }
    let mut graph = CallGraph::of(op, functions);
    let questions = Questions {
        taken_over: Vec::new(),
        question: Question {
            contract: Contract::ClonesCopy,
            numbers: false,
            describe: |op, semantics| semantics.of(op),
        },
        declared_capture: true,
        freed_by: Some(Allocator::Memref),
        with_flags: Vec::new(),
        matters: called_with_memrefs(&graph, &has_sites, &mut semantics),
    };
    let mut summaries = Summaries::of(&mut graph, &questions, readings);
    let asked = graph.order.iter().filter(|at| questions.matters[**at]);
    for function in asked.map(|at| graph.functions[*at]) {
        separate_new_memory(function, &mut summaries, readings);
    }
    summaries
}

/// For each function, whether one with deallocs calls it with memrefs, directly or through other such
/// functions.
fn called_with_memrefs(
    graph: &CallGraph<'_>,
    has_sites: &[bool],
    semantics: &mut Semantics,
) -> Vec<bool> {
    let mut has_memrefs = |call: Op<'_>| {
        let mut touched = operands(call).chain(results(call));
        touched.any(|val| semantics.class(type_of(val)).holds_memref())
    };
    let mut callees = |caller: usize| -> Vec<usize> {
        let calls = graph.calls[caller].iter();
        let calls = calls.filter(|call| has_memrefs(call.op));
        calls.filter_map(|call| call.target.function()).collect()
    };
    let mut is_asked = vec![false; has_sites.len()];
    let with_sites = (0..has_sites.len()).filter(|at| has_sites[*at]);
    let mut open: Vec<usize> = with_sites.flat_map(&mut callees).collect();
    while let Some(function) = open.pop() {
        if !std::mem::replace(&mut is_asked[function], true) {
            open.extend(callees(function));
        }
    }
    is_asked
}

/// Gives different numbers to results whose new memory is never the same on one path, such as two buffers
/// that a loop swaps. Only the order of operations shows that, and summaries do not keep it.
fn separate_new_memory(function: Op<'_>, summaries: &mut Summaries, readings: &Readings) {
    let Some(summary) = summaries.of_function(function) else {
        return;
    };
    let new = summary.results.iter().flat_map(|result| &result.new);
    let mut numbers: Vec<u32> = new.copied().collect();
    numbers.sort_unstable();
    let is_shared = numbers.windows(2).any(|pair| pair[0] == pair[1]);
    let Some(body) = function_body(function).filter(|_| is_shared) else {
        return;
    };
    let reading = readings.with(function, |semantics| {
        read(function, body, semantics, summaries)
    });
    let numbers = numbers_apart(&reading, summary).into_iter().flatten();
    let results = summaries.of_function_mut(function).into_iter();
    for (result, new) in results.flat_map(|one| &mut one.results).zip(numbers) {
        result.new = new;
    }
}

/// New numbers for the new memory of results: results that may alias on a path share one. `None` if that
/// separates no two results. Examines all pairs of results that share a number now.
fn numbers_apart(reading: &Reading<'_>, summary: &FunctionSummary) -> Option<Vec<NewNumbers>> {
    let mut are_apart = false;
    let mut origins = Origins::of(&reading.memory);
    let results = &summary.results;
    let edges = reading.memory.function.edges.iter();
    let order = origins.order();
    let returns = edges.filter(|edge| edge.to.is_none() && order.is_reachable(edge.from));
    let returned: Vec<&[Option<ValueId>]> = returns.map(|edge| &edge.passed[..]).collect();
    let mut numbers: Vec<NewNumbers> = Vec::with_capacity(results.len());
    for (at, result) in results.iter().enumerate() {
        let mut own = NewNumbers::new();
        for before in 0..at {
            let may_share = result
                .new
                .iter()
                .any(|one| results[before].new.contains(one));
            let mut paths = returned.iter().filter(|_| may_share);
            let may_be_same = paths.any(|returned| match (returned[before], returned[at]) {
                (Some(one), Some(other)) => origins.alias(one, other) != AliasResult::No,
                _ => true,
            });
            // It may alias a different one on each path.
            are_apart |= may_share && !may_be_same;
            if may_be_same {
                own.extend_from_slice(&numbers[before]);
            }
        }
        own.sort_unstable();
        own.dedup();
        if own.is_empty() && result.is_new() {
            own.push(at as u32);
        }
        numbers.push(own);
    }
    are_apart.then_some(numbers)
}
