//! Functions that become the owners of arguments: on each path they free the argument, or return it.
//!
//! Such a function, like one that replaces a buffer where it has to, takes its argument from the caller and gives a buffer that is
//! the caller's. So what it returns is not copied, and the caller frees the result and not the argument.
//! Whether a function is one of these is found by reading it as if it were, and looking whether a free of its own would be
//! needed: it is none then. What callers pass must be their own, and not be used after the call by the old name.
//! Functions that call each other are taken to be until one of them turns out not to.

use super::{
    infer_summary,
    ownership_summary::Callees,
    read::{self, Bases, Reading, Stays},
};
use memplan_mlir::{
    calls::{call_arguments, function_body},
    ir::{Identity, Op, Region, Val, blocks, holds_memref, operand, operands, terminator, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::{
    Plan, decide,
    function::{Kind, ValueId},
    plan::Flag,
};
use memplan_semantics::{Readings, Semantics};
use memplan_summaries::{ArgumentNumbers, CallGraph, FreesArgument, FunctionSummary, Summaries};

/// For each function, the arguments that it becomes the owner of.
pub type TakenOver = Vec<ArgumentNumbers>;

/// How often functions are read, each time with fewer that are left.
const MOST_ROUNDS: usize = 8;

/// Of the functions of a graph; `summaries` are those where so many take arguments over.
pub fn find(
    graph: &CallGraph<'_>,
    mut summaries: impl FnMut(&TakenOver) -> Summaries,
    readings: &Readings,
) -> TakenOver {
    let none = TakenOver::new();
    let known = summaries(&none);
    let functions = graph.functions.iter().zip(graph.references());
    // Who calls a function as a value knows nothing of it.
    let candidates = functions.map(|(function, reference)| {
        let summary = known.of_function(*function).filter(|_| reference.is_none());
        summary.map_or_else(ArgumentNumbers::new, |known| candidates(*function, known))
    });
    let mut all: TakenOver = candidates.collect();
    for _ in 0..MOST_ROUNDS {
        if all.iter().all(|arguments| arguments.is_empty()) {
            return none;
        }
        let known = summaries(&all);
        let callees = Callees::new(&known);
        let mut others: Vec<(usize, u32)> = Vec::new();
        for (at, function) in graph.functions.iter().enumerate() {
            if let Some(body) = function_body(*function) {
                readings.with(*function, |semantics| {
                    let function = Caller { graph, at, body };
                    function.refuse(&all, &callees, semantics, &mut others);
                });
            }
        }
        if others.is_empty() {
            return all;
        }
        for (function, argument) in others {
            all[function].retain(|at| *at != argument);
        }
    }
    none
}

/// A function of a graph.
struct Caller<'g, 'c> {
    graph: &'g CallGraph<'c>,
    at: usize,
    body: Region<'c>,
}

impl<'c> Caller<'_, 'c> {
    /// Adds the arguments that functions do not take over, of this one, and of those that it calls.
    fn refuse(
        &self,
        all: &TakenOver,
        callees: &Callees<'_>,
        semantics: &mut Semantics,
        others: &mut Vec<(usize, u32)>,
    ) {
        let calls = self.graph.calls[self.at].iter();
        let calls = calls.filter_map(|call| Some((call.op, call.target.function()?)));
        let calls: Vec<(Op<'c>, usize)> = calls
            .filter(|(_, callee)| !all[*callee].is_empty())
            .collect();
        if calls.is_empty() && all[self.at].is_empty() {
            return;
        }
        let plan = planned(self.body, callees, semantics);
        let is_it = |argument: &u32| {
            let plan = plan.as_ref();
            plan.is_some_and(|(reading, plan)| !frees(reading, plan, *argument))
        };
        let own = all[self.at].iter().filter(|argument| !is_it(argument));
        others.extend(own.map(|argument| (self.at, *argument)));
        // What is not the caller's own may be used after the call, by a name that is not seen here.
        for (call, callee) in calls {
            let first = call_arguments(call).map_or(0, |range| range.start) as u32;
            let is_own = |argument: &u32| {
                let given = operand(call, first + argument);
                let plan = plan.as_ref().zip(given);
                plan.is_some_and(|((reading, _), given)| is_owned(reading, given))
            };
            let other = all[callee].iter().filter(|argument| !is_own(argument));
            others.extend(other.map(|argument| (callee, *argument)));
        }
    }
}

/// Is a memref new memory of the function's, for certain?
fn is_owned<'c>(reading: &Reading<'c>, val: Val<'c>) -> bool {
    let Some(value) = reading.ids.get(&val.key()) else {
        return false;
    };
    let mut origins = reading.origins(*value).into_iter();
    origins.all(|origin| {
        let kind = &reading.function.value(origin).kind;
        matches!(kind, Kind::Fresh { owned: true, .. })
    })
}

/// Arguments that a function frees on some paths, where it returns memrefs.
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

/// A function as it would be freed.
fn planned<'c>(
    body: Region<'c>,
    callees: &Callees<'_>,
    semantics: &mut Semantics,
) -> Option<(Reading<'c>, Plan)> {
    let reading = read::read(
        body,
        &Bases::default(),
        &Stays::default(),
        callees,
        semantics,
    );
    let reading = reading.ok().filter(|reading| !reading.is_done)?;
    let plan = decide(&reading.function).ok()?;
    Some((reading, plan))
}

/// Would the function have to free an argument itself, on some path, or find out whether it has to?
fn frees(reading: &Reading<'_>, plan: &Plan, argument: u32) -> bool {
    let is_it = |value: ValueId| {
        plan.flag(value) != Flag::No
            && reading
                .origins(value)
                .into_iter()
                .any(|origin| infer_summary::argument(reading, origin) == Some(argument as usize))
    };
    let frees = plan.frees.iter().map(|free| free.value);
    frees
        .chain(plan.tests.iter().map(|test| test.value))
        .any(is_it)
}
