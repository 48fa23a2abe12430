//! Private functions whose results say whether the caller becomes their owner.
//!
//! A function is one of these if it is private, has a body, returns memrefs by `func.return`, and is
//! only ever called, by `func.call` and from functions that this run changes. Its type, its returns and
//! all calls of it change together: a flag for each memref, behind the other results. Callees come
//! before callers, which know of a result that is always new, or never. Functions that call each other
//! in a circle are told of each other what all of them together show.

use super::{
    Work,
    bases::Bases,
    callees::ByFunction,
    read,
    told::{self, Callees, MARK, Told},
};
use memplan_mlir::{
    calls::function_body,
    ir::{
        Identity, Op, blocks, holds_memref, is_memref, operands, ops, parent, regions, terminator,
        type_of,
    },
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols,
};
use memplan_semantics::{
    Semantics,
    names::{Names, OpKind},
};
use memplan_summaries::{CallGraph, Fixpoint, solve_component};
use std::rc::Rc;

/// How often functions that call each other are looked at until nothing more is found out.
const MOST_ROUNDS: usize = 16;

/// Works on all functions at or below `root`. Goes on after a failure, so that every function gets its
/// diagnostics.
pub fn run<'c>(
    root: Op<'c>,
    functions: Vec<Op<'c>>,
    work: Work,
    facts: &ByFunction,
) -> Result<(), Failed> {
    let graph = CallGraph::of(root, functions);
    let mut semantics = Semantics::default();
    let mut module = Module {
        telling: telling(&graph, semantics.names()),
        told: vec![Rc::from([]); graph.functions.len()],
        graph: Rc::new(graph),
        semantics,
        facts,
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
    told: Vec<Rc<[Told]>>,
    semantics: Semantics,
    facts: &'f ByFunction,
}

impl<'f> Module<'_, 'f> {
    /// What the calls of a function are told.
    fn callees(&self, function: usize) -> Callees<'f> {
        let mut callees = Callees::new(self.facts.get(&self.graph.functions[function].key()));
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

    fn function(&mut self, function: usize, sharpen: bool, work: Work) -> Result<(), Failed> {
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
        let Ok(reading) = read::read(body, &Bases::default(), &callees, &mut self.semantics) else {
            return false;
        };
        let told = told::of(&reading, &callees);
        let changed = *told != *self.told[function];
        self.told[function] = told.into();
        changed
    }

    fn give_up(&mut self, functions: &[usize]) {
        for function in functions {
            self.told[*function] = Told::anything(self.told[*function].len()).into();
        }
    }
}

/// Which functions return flags.
pub fn telling(graph: &CallGraph<'_>, names: &mut Names) -> Vec<bool> {
    let mut telling: Vec<bool> = graph
        .functions
        .iter()
        .zip(graph.references())
        .map(|(function, taken)| taken.is_none() && can_tell(*function, names))
        .collect();
    for (caller, calls) in graph.functions.iter().zip(&graph.calls) {
        let is_done = is_done(*caller, names);
        for call in calls {
            if let Some(callee) = call.target.function()
                && telling[callee]
                && (is_done || !is_read(call.op, *caller, names))
            {
                telling[callee] = false;
            }
        }
    }
    telling
}

/// Does an operation belong to a function, not to a table of symbols inside?
fn is_read<'c>(op: Op<'c>, function: Op<'c>, names: &mut Names) -> bool {
    let mut above = parent(op);
    while let Some(op) = above.filter(|above| above.key() != function.key()) {
        if names.info(op).is_symbol_table() {
            return false;
        }
        above = parent(op);
    }
    true
}

/// Private, and returns memrefs.
fn can_tell<'c>(function: Op<'c>, names: &mut Names) -> bool {
    let Some(body) = function_body(function) else {
        return false;
    };
    if names.info(function).kind != OpKind::Func
        || !symbols::is_private(function)
        || is_done(function, names)
    {
        return false;
    }
    let mut returns = false;
    for end in blocks(body).filter_map(terminator) {
        match names.info(end).kind {
            OpKind::FuncReturn => {
                for r#type in operands(end).map(type_of) {
                    if !is_memref(r#type) && holds_memref(r#type) {
                        return false;
                    }
                    returns |= is_memref(r#type);
                }
            }
            OpKind::Unreachable | OpKind::LlvmUnreachable => {}
            _ if end.successor_count() > 0 => {}
            _ => return false,
        }
    }
    returns
}

/// Who frees what in a function was decided before.
fn is_done<'c>(function: Op<'c>, names: &mut Names) -> bool {
    if function.has_attribute(MARK) {
        return true;
    }
    let mut open = vec![function];
    while let Some(op) = open.pop() {
        for op in regions(op).flat_map(blocks).flat_map(ops) {
            let info = names.info(op);
            if info.kind == OpKind::BufferizationDealloc
                || (info.is_call() && op.has_attribute(MARK))
            {
                return true;
            }
            if regions(op).next().is_some() && !info.is_function() && !info.is_symbol_table() {
                open.push(op);
            }
        }
    }
    false
}
