//! Private functions whose results say whether the caller becomes their owner.
//!
//! A function can be one of these if it is private, has a body, returns memrefs by `func.return`, and is
//! only ever called, by `func.call` and from functions that this run changes: all are that can, or those that need it. Its type, its returns and
//! all calls of it change together: a flag for each memref, behind the other results. Callees come
//! before callers, which know of a result that is always new, or never. Functions that call each other
//! in a circle are told of each other what all of them together show.

use super::{
    Work, infer_summary,
    ownership_summary::{Callees, OwnershipSummary},
    read::{self, Bases, Stays},
};
use memplan_mlir::{calls::function_body, ir::Op, pass::Failed};
use memplan_semantics::Readings;
use memplan_summaries::{CallGraph, Fixpoint, Summaries, solve_component};
use std::rc::Rc;

/// How often functions that call each other are looked at until nothing more is found out.
const MOST_ROUNDS: usize = 16;

/// Works on all functions at or below `root`, of which the `telling` return flags. Goes on after a failure, so that every function gets its
/// diagnostics.
pub fn run<'c>(
    root: Op<'c>,
    functions: Vec<Op<'c>>,
    work: Work<'_>,
    summaries: &Summaries,
    telling: Vec<bool>,
) -> Result<(), Failed> {
    let graph = CallGraph::of(root, functions);
    let mut module = Module {
        telling,
        told: vec![Rc::from([]); graph.functions.len()],
        graph: Rc::new(graph),
        readings: work.readings,
        summaries,
    };
    let graph = Rc::clone(&module.graph);
    let mut failed = false;
    for component in graph.components() {
        let is_recursive = graph.recursive[component[0]];
        if is_recursive {
            let callers = |function: usize| graph.callers[function].iter().copied();
            solve_component(component, true, MOST_ROUNDS, callers, &mut module);
        }
        for function in component {
            failed |= module.function(*function, !is_recursive, work).is_err();
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

struct Module<'c, 'f> {
    graph: Rc<CallGraph<'c>>,
    /// For each function, whether it returns flags.
    telling: Vec<bool>,
    /// For each, what its callers are told.
    told: Vec<Rc<[OwnershipSummary]>>,
    readings: &'f Readings,
    summaries: &'f Summaries,
}

impl<'f> Module<'_, 'f> {
    /// What the calls of a function are told.
    fn callees(&self, function: usize) -> Callees<'f> {
        let mut callees = Callees::new(self.summaries);
        for call in &self.graph.calls[function] {
            if let Some(callee) = call
                .target
                .function()
                .filter(|callee| self.telling[*callee])
            {
                callees.insert(call.op, Rc::clone(&self.told[callee]));
            }
        }
        callees
    }

    fn function(&mut self, function: usize, sharpen: bool, work: Work<'_>) -> Result<(), Failed> {
        let callees = self.callees(function);
        let told = work.function(
            self.graph.functions[function],
            &callees,
            self.telling[function],
        )?;
        if sharpen {
            self.told[function] = told.into();
        }
        Ok(())
    }
}

/// What functions tell each other, from nothing up to what no more changes.
impl Fixpoint for Module<'_, '_> {
    fn step(&mut self, function: usize) -> bool {
        let body = function_body(self.graph.functions[function]);
        let Some(body) = body.filter(|_| self.telling[function]) else {
            return false;
        };
        let callees = self.callees(function);
        // What is in the way is told when the function is worked on.
        let read = self
            .readings
            .with(self.graph.functions[function], |semantics| {
                read::read(
                    body,
                    &Bases::default(),
                    &Stays::default(),
                    &callees,
                    semantics,
                )
                .ok()
            });
        let Some(reading) = read else {
            return false;
        };
        let told = infer_summary::of(&reading, &callees);
        let changed = *told != *self.told[function];
        self.told[function] = told.into();
        changed
    }

    fn give_up(&mut self, functions: &[usize]) {
        for function in functions {
            self.told[*function] = OwnershipSummary::anything(self.told[*function].len()).into();
        }
    }
}
