//! Functions of which two activations may exist at the same time.

use crate::{
    call_graph::{Call, CallGraph, FunctionId, callees},
    targets::Target,
};
use memplan_flow::{Components, Graph};
use memplan_mlir::{
    ir::{Op, symbol_name},
    symbols,
};
use memplan_semantics::names::Names;
use std::fmt;

/// Why two activations of a function may exist at the same time.
#[derive(Clone)]
pub enum Overlap<'c> {
    /// This call, or a caller of it, is in a parallel or asynchronous body.
    Parallel(Op<'c>),
    /// This call may reach the function again by known calls.
    Recursive(Op<'c>),
    /// Unknown code may call the function again.
    ReEntry {
        /// The operation of the function that starts the chain of calls.
        call: Op<'c>,
        /// The operation at the end of the chain, in this function or in a callee, that runs unknown code.
        unknown: Op<'c>,
        /// What runs there.
        code: ReEntry,
    },
}

/// Unknown code that may call functions of the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReEntry {
    /// A function without a body.
    Declared {
        /// Its symbol.
        name: String,
    },
    /// A callee that is a value, or a symbol that is not found.
    Callee,
    /// An operation of unknown effects.
    Operation,
}

impl<'c> Overlap<'c> {
    /// The first operation of the function that leads to its second activation.
    pub const fn call(&self) -> Op<'c> {
        match self {
            Self::Parallel(call) | Self::Recursive(call) | Self::ReEntry { call, .. } => *call,
        }
    }
}

impl fmt::Display for Overlap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parallel(_) => f.write_str("it is called in a parallel body"),
            Self::Recursive(_) => f.write_str("it is recursive"),
            Self::ReEntry { code, .. } => code.fmt(f),
        }
    }
}

impl fmt::Display for ReEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared { name } => write!(
                f,
                "@{name} has no body and may call it again; mark @{name} memplan.nocallback if it does not"
            ),
            Self::Callee => f.write_str("a callee that is not known may call it again"),
            Self::Operation => f.write_str(
                "an operation of unknown effects may call it again; mark that memplan.nocallback if it does not",
            ),
        }
    }
}

/// Functions that may have several activations at once.
pub struct Overlaps<'c> {
    /// Components of the graph with calls from unknown code.
    with_outside: Components<FunctionId>,
    /// For each function, a call in a parallel body from which it is reachable.
    parallel: Vec<Option<Op<'c>>>,
}

impl<'c> Overlaps<'c> {
    /// Finds them. The graph's references must be known, or the module unchanged ([`CallGraph::references`]).
    pub fn of(graph: &CallGraph<'c>) -> Self {
        let count = graph.functions.len();
        // One more node represents unknown code.
        let outside = FunctionId::new(count);
        let with_outside = Graph::new(count + 1, |caller: FunctionId| -> Vec<FunctionId> {
            if caller == outside {
                let open = (0..count).filter(|index| {
                    graph.referrer(*index).is_some()
                        || !symbols::is_private(graph.functions[*index])
                });
                return open.map(FunctionId::new).collect();
            }
            let calls = &graph.calls[caller.index()];
            let leaves = calls.iter().any(|call| call.target.may_call_back());
            callees(calls).chain(leaves.then_some(outside)).collect()
        });
        let mut parallel: Vec<Option<Op<'c>>> = vec![None; count];
        let mut work: Vec<(usize, Op<'c>)> = Vec::new();
        for calls in graph.calls.iter().rev() {
            for call in calls.iter().rev().filter(|call| call.in_parallel) {
                work.extend(call.target.function().map(|callee| (callee, call.op)));
            }
        }
        while let Some((function, because)) = work.pop() {
            if parallel[function].is_none() {
                parallel[function] = Some(because);
                let callees = callees(&graph.calls[function]);
                work.extend(callees.map(|callee| (callee.index(), because)));
            }
        }
        Self {
            with_outside: Components::of(&with_outside),
            parallel,
        }
    }

    /// Why two activations of a function may exist at the same time, if they may.
    pub fn why(&self, graph: &CallGraph<'c>, function: usize) -> Option<Overlap<'c>> {
        if let Some(call) = self.parallel[function] {
            return Some(Overlap::Parallel(call));
        }
        if graph.recursive[function] {
            let own = graph.component[function];
            let calls = &mut graph.calls[function].iter();
            let call = calls.find(|call| {
                let callee = call.target.function();
                callee.is_some_and(|callee| graph.component[callee] == own)
            })?;
            return Some(Overlap::Recursive(call.op));
        }
        self.re_entry(graph, function)
    }

    /// The shortest chain of calls from a function to unknown code that may call the function.
    fn re_entry(&self, graph: &CallGraph<'c>, function: usize) -> Option<Overlap<'c>> {
        let component = |at: usize| self.with_outside.component(FunctionId::new(at));
        let own = component(function);
        if own != component(graph.functions.len()) {
            return None;
        }
        let mut seen = vec![false; graph.functions.len()];
        seen[function] = true;
        // Calls, each with the operation of `function` that leads to it.
        let mut level: Vec<(Op<'c>, &Call<'c>)> = Vec::new();
        level.extend(graph.calls[function].iter().map(|call| (call.op, call)));
        while !level.is_empty() {
            if let Some((call, last)) = level.iter().find(|(_, at)| at.target.may_call_back()) {
                return Some(Overlap::ReEntry {
                    call: *call,
                    unknown: last.op,
                    code: code(graph, last),
                });
            }
            let mut next = Vec::new();
            for (first, call) in level {
                if let Some(callee) = call.target.function()
                    && !std::mem::replace(&mut seen[callee], true)
                {
                    next.extend(graph.calls[callee].iter().map(|call| (first, call)));
                }
            }
            level = next;
        }
        None
    }
}

/// The unknown code that a call runs.
fn code(graph: &CallGraph<'_>, call: &Call<'_>) -> ReEntry {
    match call.target {
        Target::Declared { place, .. } => ReEntry::Declared {
            name: symbol_name(graph.declarations[place]),
        },
        _ if Names::default().info(call.op).is_call() => ReEntry::Callee,
        _ => ReEntry::Operation,
    }
}
