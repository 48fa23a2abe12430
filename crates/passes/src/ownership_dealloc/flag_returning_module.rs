//! Deallocation of a module in which private functions return ownership flags.
//!
//! A function can return flags if it is private, has a body, returns memrefs by `func.return`, and is only
//! called by `func.call` from functions that this run changes. Either all such functions do, or those that
//! need it. The type of the function, its returns and all its calls change together: there is a flag for each
//! memref, after the other results. Callees are processed before callers, so that callers know results that
//! are always new, or never. For recursive functions a fixpoint of their summaries is computed first.

use super::{
    DeallocContext, infer_summary,
    ownership_summary::{Callees, OwnershipSummary},
    read::{self, BaseMemrefs, ReadConstraints},
};
use memplan_mlir::{calls::function_body, ir::Op, pass::Failed};
use memplan_semantics::Readings;
use memplan_summaries::{CallGraph, Fixpoint, Summaries, solve_component};
use std::rc::Rc;

/// The number of iterations of the fixpoint of recursive functions.
const MAX_ROUNDS: usize = 16;

/// Processes all functions at or below `root`; those marked in `returns_flags` return flags. Continues after
/// a failure, so that every function gets its diagnostics.
pub fn run<'c>(
    root: Op<'c>,
    functions: Vec<Op<'c>>,
    context: DeallocContext<'_>,
    summaries: &Summaries,
    returns_flags: Vec<bool>,
) -> Result<(), Failed> {
    let graph = CallGraph::of(root, functions);
    let mut module = Module {
        returns_flags,
        ownership: vec![Rc::from([]); graph.functions.len()],
        graph: Rc::new(graph),
        readings: context.readings,
        summaries,
    };
    let graph = Rc::clone(&module.graph);
    let mut failed = false;
    for component in graph.components() {
        let is_recursive = graph.recursive[component[0]];
        if is_recursive {
            let callers = |function: usize| graph.callers[function].iter().copied();
            solve_component(component, true, MAX_ROUNDS, callers, &mut module);
        }
        for function in component {
            failed |= module.function(*function, !is_recursive, context).is_err();
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

struct Module<'c, 'f> {
    graph: Rc<CallGraph<'c>>,
    /// For each function, whether it returns flags.
    returns_flags: Vec<bool>,
    /// For each function, the ownership of its results.
    ownership: Vec<Rc<[OwnershipSummary]>>,
    readings: &'f Readings,
    summaries: &'f Summaries,
}

impl<'f> Module<'_, 'f> {
    /// The summaries of the functions that a function calls.
    fn callees(&self, function: usize) -> Callees<'f> {
        let mut callees = Callees::new(self.summaries);
        for call in &self.graph.calls[function] {
            if let Some(callee) = call
                .target
                .function()
                .filter(|callee| self.returns_flags[*callee])
            {
                callees.insert(call.op, Rc::clone(&self.ownership[callee]));
            }
        }
        callees
    }

    fn function(
        &mut self,
        function: usize,
        refines: bool,
        context: DeallocContext<'_>,
    ) -> Result<(), Failed> {
        let callees = self.callees(function);
        let ownership = context.dealloc_function(
            self.graph.functions[function],
            &callees,
            self.returns_flags[function],
        )?;
        if refines {
            self.ownership[function] = ownership.into();
        }
        Ok(())
    }
}

/// Ownership of results, from the bottom of the lattice up to the fixpoint.
impl Fixpoint for Module<'_, '_> {
    fn step(&mut self, function: usize) -> bool {
        let body = function_body(self.graph.functions[function]);
        let Some(body) = body.filter(|_| self.returns_flags[function]) else {
            return false;
        };
        let callees = self.callees(function);
        // Errors are reported when the function is processed.
        let read = self
            .readings
            .with(self.graph.functions[function], |semantics| {
                read::read(
                    body,
                    &BaseMemrefs::default(),
                    &ReadConstraints::default(),
                    &callees,
                    semantics,
                )
                .ok()
            });
        let Some(reading) = read else {
            return false;
        };
        let ownership = infer_summary::infer(&reading, &callees);
        let changed = *ownership != *self.ownership[function];
        self.ownership[function] = ownership.into();
        changed
    }

    fn give_up(&mut self, functions: &[usize]) {
        for function in functions {
            self.ownership[*function] =
                OwnershipSummary::unknown(self.ownership[*function].len()).into();
        }
    }
}
