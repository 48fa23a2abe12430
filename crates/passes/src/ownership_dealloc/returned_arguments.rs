//! Finds private functions that return arguments and need no copy, without the option to return flags.
//!
//! In general, a result that the function does not own is copied. A private function whose calls are all
//! known need not do that. Results that are never new memory are marked `memplan.borrowed`, and the caller
//! keeps the ownership. If a result is an argument on one path and new on another, as when a function grows a
//! buffer, the function returns flags. Copies stay where a function may return memory that is no argument, or
//! returns new memory where it may have freed the argument.

use crate::regions::borrowed::{is_borrowed_result, mark_borrowed_results};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, blocks, is_memref, operand, operands, terminator, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Readings;
use memplan_summaries::{FreesArgument, FunctionSummary, ResultFacet, Summaries};

/// The number of times that summaries are computed until the set of functions is stable.
const MAX_ROUNDS: usize = 4;

/// The conventions by which functions return memory that they do not own.
pub struct ReturnConventions {
    /// For each function, the results that are never new memory.
    pub borrowed: Vec<Vec<usize>>,
    /// For each function, whether it returns flags.
    pub with_flags: Vec<bool>,
}

impl ReturnConventions {
    /// Finds the conventions of `functions`; `candidates` can return flags. `summaries` computes the
    /// summaries for a choice of functions that return flags. `None` if no function needs a special
    /// convention.
    pub fn of(
        functions: &[Op<'_>],
        candidates: Vec<bool>,
        mut summaries: impl FnMut(&[bool]) -> Summaries,
    ) -> Option<Self> {
        let mut some = candidates;
        for _ in 0..MAX_ROUNDS {
            if !some.contains(&true) {
                return None;
            }
            let known = summaries(&some);
            let summary = |at: usize| known.of_function(functions[at]).filter(|_| some[at]);
            let need = |at: usize| {
                summary(at).is_some_and(|summary| returns_arguments(functions[at], summary))
            };
            let fewer: Vec<bool> = (0..functions.len()).map(need).collect();
            if fewer == some {
                let borrowed = (0..functions.len()).map(|at| {
                    let borrowed = summary(at).map(|known| borrowed_results(functions[at], known));
                    borrowed.unwrap_or_default()
                });
                let borrowed: Vec<Vec<usize>> = borrowed.collect();
                let flagged = some.iter().zip(&borrowed);
                return Some(Self {
                    with_flags: flagged
                        .map(|(is, borrowed)| *is && borrowed.is_empty())
                        .collect(),
                    borrowed,
                });
            }
            some = fewer;
        }
        None
    }

    /// Marks the borrowed results of functions.
    pub fn mark(&self, functions: &[Op<'_>], readings: &Readings) {
        for (function, borrowed) in functions.iter().zip(&self.borrowed) {
            if !borrowed.is_empty() {
                readings.with(*function, |_| mark_borrowed_results(*function, borrowed));
            }
        }
    }
}

/// The memrefs that a function returns, by number, without those that are marked as borrowed already.
fn returned_memrefs<'s>(
    function: Op<'_>,
    summary: &'s FunctionSummary,
) -> impl Iterator<Item = (usize, &'s ResultFacet)> {
    let ends = function_body(function).into_iter().flat_map(blocks);
    let mut ends = ends
        .filter_map(terminator)
        .filter(|end| end.successor_count() == 0)
        .filter(|end| operands(*end).count() == summary.results.len());
    let end = ends.next();
    let is_returned = move |at: usize| {
        let value = end.and_then(|end| operand(end, at as u32));
        value.is_some_and(|value| is_memref(type_of(value))) && !is_borrowed_result(function, at)
    };
    let all = summary.results.iter().enumerate();
    all.filter(move |(at, _)| is_returned(*at))
}

/// Whether a function returns arguments, and no other memory that it does not own.
fn returns_arguments(function: Op<'_>, summary: &FunctionSummary) -> bool {
    // A result that is never new belongs to the caller. If the argument has been freed, it does not.
    let keeps_owner = |result: &ResultFacet| {
        let mut arguments = result.may_be.iter();
        let mut all = arguments.clone();
        if all.any(|at| summary.argument(*at as usize).is_taken_over) {
            return false;
        }
        (!result.is_new() && !result.is_moved)
            || arguments.all(|at| summary.argument(*at as usize).frees == FreesArgument::No)
    };
    let mut any = false;
    let mut all = returned_memrefs(function, summary);
    all.all(|(_, result)| {
        any |= !result.may_be.is_empty();
        !result.elsewhere && !result.is_unknown && keeps_owner(result)
    }) && any
}

/// The results that are arguments. Empty if some result may also be new memory, or be shifted: these need
/// flags.
fn borrowed_results(function: Op<'_>, summary: &FunctionSummary) -> Vec<usize> {
    let mut borrowed = Vec::new();
    for (at, result) in returned_memrefs(function, summary) {
        match (result.may_be.is_empty(), result.is_new()) {
            (true, _) => {}
            (false, false) if !result.is_moved => borrowed.push(at),
            (false, _) => return Vec::new(),
        }
    }
    borrowed
}
