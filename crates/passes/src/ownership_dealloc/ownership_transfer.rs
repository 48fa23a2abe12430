//! Finds functions that become the owners of arguments: on each path they free the argument or return it.
//!
//! An example is a function that replaces a buffer only if necessary. It takes ownership of its argument, and
//! the caller owns the result. So the result is not copied, and the caller frees the result and not the
//! argument. A function is first assumed to do so. It does if a plan under that assumption needs no free of
//! the argument. Callers must own the memory that they pass, and must not use it after the call by its old
//! name. Recursive functions are assumed to own the arguments until one of them is found not to.

use super::{
    infer_summary,
    ownership_summary::Callees,
    read::{self, BaseMemrefs, ReadConstraints, Reading},
};
use memplan_mlir::{
    calls::{call_arguments, function_body},
    ir::{Identity, Op, Region, Val, blocks, holds_memref, operand, operands, terminator, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    Plan, decide,
    function::{ValueId, ValueKind},
    plan::Ownership,
};
use memplan_semantics::{Readings, Semantics};
use memplan_summaries::{ArgumentNumbers, CallGraph, FreesArgument, FunctionSummary, Summaries};

/// For each function, the arguments that it becomes the owner of.
pub type OwnedArguments = Vec<ArgumentNumbers>;

/// The number of times that functions are read, each time with fewer candidates.
const MAX_ROUNDS: usize = 8;

/// Finds the owned arguments of a graph's functions. `summaries` computes the summaries under an assumption.
pub fn find(
    graph: &CallGraph<'_>,
    mut summaries: impl FnMut(&OwnedArguments) -> Summaries,
    readings: &Readings,
) -> OwnedArguments {
    let none = OwnedArguments::new();
    let known = summaries(&none);
    let functions = graph.functions.iter().zip(graph.references());
    // An indirect call does not know the callee.
    let candidates = functions.map(|(function, reference)| {
        let summary = known.of_function(*function).filter(|_| reference.is_none());
        summary.map_or_else(ArgumentNumbers::new, |known| candidates(*function, known))
    });
    let mut all: OwnedArguments = candidates.collect();
    for _ in 0..MAX_ROUNDS {
        if all.iter().all(|arguments| arguments.is_empty()) {
            return none;
        }
        let known = summaries(&all);
        let callees = Callees::new(&known);
        let mut refuted: Vec<(usize, u32)> = Vec::new();
        for (at, function) in graph.functions.iter().enumerate() {
            if let Some(body) = function_body(*function) {
                readings.with(*function, |semantics| {
                    let function = Caller { graph, at, body };
                    function.find_refuted(&all, &callees, semantics, &mut refuted);
                });
            }
        }
        if refuted.is_empty() {
            return all;
        }
        for (function, argument) in refuted {
            all[function].retain(|at| *at != argument);
        }
    }
    none
}

/// A function of a call graph.
struct Caller<'g, 'c> {
    graph: &'g CallGraph<'c>,
    at: usize,
    body: Region<'c>,
}

impl<'c> Caller<'_, 'c> {
    /// Adds arguments that are not owned, of this function and of its callees.
    fn find_refuted(
        &self,
        all: &OwnedArguments,
        callees: &Callees<'_>,
        semantics: &mut Semantics,
        refuted: &mut Vec<(usize, u32)>,
    ) {
        let calls = self.graph.calls[self.at].iter();
        let calls = calls.filter_map(|call| Some((call.op, call.target.function()?)));
        let calls: Vec<(Op<'c>, usize)> = calls
            .filter(|(_, callee)| !all[*callee].is_empty())
            .collect();
        if calls.is_empty() && all[self.at].is_empty() {
            return;
        }
        let plan = read_and_plan(self.body, callees, semantics);
        let holds = |argument: &u32| {
            let plan = plan.as_ref();
            plan.is_some_and(|(reading, plan)| !plan_frees_argument(reading, plan, *argument))
        };
        let own = all[self.at].iter().filter(|argument| !holds(argument));
        refuted.extend(own.map(|argument| (self.at, *argument)));
        // Memory that the caller does not own may be used after the call through another name.
        for (call, callee) in calls {
            let first = call_arguments(call).map_or(0, |range| range.start) as u32;
            let is_own = |argument: &u32| {
                let given = operand(call, first + argument);
                let plan = plan.as_ref().zip(given);
                plan.is_some_and(|((reading, _), given)| is_owned(reading, given))
            };
            let other = all[callee].iter().filter(|argument| !is_own(argument));
            refuted.extend(other.map(|argument| (callee, *argument)));
        }
    }
}

/// Whether a memref is certainly new memory of the function.
fn is_owned<'c>(reading: &Reading<'c>, val: Val<'c>) -> bool {
    let Some(value) = reading.ids.get(&val.key()) else {
        return false;
    };
    let mut origins = reading.origins(*value).into_iter();
    origins.all(|origin| {
        let kind = &reading.function.value(origin).kind;
        matches!(kind, ValueKind::Fresh { owned: true, .. })
    })
}

/// Arguments that a function frees on some paths, if it returns memrefs.
fn candidates(function: Op<'_>, summary: &FunctionSummary) -> ArgumentNumbers {
    let ends = function_body(function).into_iter().flat_map(blocks);
    let mut ends = ends
        .filter_map(terminator)
        .filter(|end| end.successor_count() == 0);
    if !ends.any(|end| operands(end).any(|value| holds_memref(type_of(value)))) {
        return ArgumentNumbers::new();
    }
    let is_one = |frees: FreesArgument| {
        matches!(frees, FreesArgument::OnSomePaths | FreesArgument::IfFlag(_))
    };
    let arguments = summary.arguments.iter().zip(0..);
    let some = arguments.filter(|(argument, _)| is_one(argument.frees) && !argument.is_captured);
    some.map(|(_, number)| number).collect()
}

/// The reading and the plan of a function.
fn read_and_plan<'c>(
    body: Region<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Option<(Reading<'c>, Plan)> {
    let reading = read::read(
        body,
        &BaseMemrefs::default(),
        &ReadConstraints::default(),
        callees,
        semantics,
    );
    let reading = reading
        .ok()
        .filter(|reading| !reading.is_already_deallocated)?;
    let plan = decide(&reading.function).ok()?;
    Some((reading, plan))
}

/// Whether the plan frees an argument on some path, or tests whether to.
fn plan_frees_argument(reading: &Reading<'_>, plan: &Plan, argument: u32) -> bool {
    let holds = |value: ValueId| {
        plan.ownership_of(value) != Ownership::Never
            && reading.origins(value).into_iter().any(|origin| {
                infer_summary::argument_number(reading, origin) == Some(argument as usize)
            })
    };
    let frees = plan.frees.iter().map(|free| free.value);
    frees
        .chain(plan.tests.iter().map(|test| test.value))
        .any(holds)
}
