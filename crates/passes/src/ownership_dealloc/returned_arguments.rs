//! Private functions that return arguments of theirs, though nothing asks them to return flags.
//!
//! By the rule, what a function returns without owning it is copied. A private function all of whose calls are known need not:
//! where a result is never new memory, it is marked `memplan.borrowed`, and stays the caller's; where some result is an
//! argument on one path and new on another, as that of a function that grows a buffer, the function returns flags.
//! Others keep to the rule: those that may return memory that is no argument, or return new memory where they may have freed the
//! argument.

use crate::regions::borrowed::{is_lent_by, lend};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, blocks, is_memref, operand, operands, terminator, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::Readings;
use memplan_summaries::{FreesArgument, FunctionSummary, ResultFacet, Summaries};

/// How often summaries are found anew until it is settled which functions need not copy.
const MOST_ROUNDS: usize = 4;

/// How functions return what they do not own.
pub struct Returning {
    /// For each function, the results that are never new.
    pub borrowed: Vec<Vec<usize>>,
    /// For each, whether it returns flags.
    pub with_flags: Vec<bool>,
}

impl Returning {
    /// Of `functions`, of which the `telling` can return flags. `summaries` are those where so many return flags; `None` where all
    /// functions keep to the rule.
    pub fn of(
        functions: &[Op<'_>],
        telling: Vec<bool>,
        mut summaries: impl FnMut(&[bool]) -> Summaries,
    ) -> Option<Self> {
        let mut some = telling;
        for _ in 0..MOST_ROUNDS {
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
                    let borrowed = summary(at).map(|known| borrowed(functions[at], known));
                    borrowed.unwrap_or_default()
                });
                let borrowed: Vec<Vec<usize>> = borrowed.collect();
                let flagged = some.iter().zip(&borrowed);
                return Some(Self {
                    with_flags: flagged.map(|(is, lent)| *is && lent.is_empty()).collect(),
                    borrowed,
                });
            }
            some = fewer;
        }
        None
    }

    /// Functions say which of their results are borrowed.
    pub fn mark(&self, functions: &[Op<'_>], readings: &Readings) {
        for (function, borrowed) in functions.iter().zip(&self.borrowed) {
            if !borrowed.is_empty() {
                readings.with(*function, |_| lend(*function, borrowed));
            }
        }
    }
}

/// The memrefs that a function returns, by number, other than those that it says are borrowed.
fn memrefs<'s>(
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
        value.is_some_and(|value| is_memref(type_of(value))) && !is_lent_by(function, at)
    };
    let all = summary.results.iter().enumerate();
    all.filter(move |(at, _)| is_returned(*at))
}

/// Does a function return arguments, and nothing else that it does not own?
fn returns_arguments(function: Op<'_>, summary: &FunctionSummary) -> bool {
    // What is never new is the caller's, whose it is no longer where it has been freed.
    let stays = |result: &ResultFacet| {
        let mut arguments = result.may_be.iter();
        let mut all = arguments.clone();
        if all.any(|at| summary.argument(*at as usize).is_taken_over) {
            return false;
        }
        (!result.is_new() && !result.is_moved)
            || arguments.all(|at| summary.argument(*at as usize).frees == FreesArgument::No)
    };
    let mut any = false;
    let mut all = memrefs(function, summary);
    all.all(|(_, result)| {
        any |= !result.may_be.is_empty();
        !result.elsewhere && !result.is_unknown && stays(result)
    }) && any
}

/// The results that are arguments, where none is both that and new memory, or a view that may start elsewhere: those need flags.
fn borrowed(function: Op<'_>, summary: &FunctionSummary) -> Vec<usize> {
    let mut borrowed = Vec::new();
    for (at, result) in memrefs(function, summary) {
        match (result.may_be.is_empty(), result.is_new()) {
            (true, _) => {}
            (false, false) if !result.is_moved => borrowed.push(at),
            (false, _) => return Vec::new(),
        }
    }
    borrowed
}
