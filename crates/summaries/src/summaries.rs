//! Summaries of all functions of a module.

use crate::{
    call_graph::CallGraph,
    callee::{self, Callee, Callees},
    facets,
    fixpoint::{Fixpoint, solve},
    summary::{ArgumentNumbers, FunctionSummary},
    targets::{Resolver, Target, Targets, functions_around},
    trace::{Contract, Question},
    values::{BorrowedOfValues, OfValues},
};
use memplan_mlir::{
    calls::{called_type, function_body},
    ir::{Identity, Key, Op, arguments, blocks, holds_memref, results, type_of},
};
use memplan_semantics::{Allocator, Readings, names::Names};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Largest number of mutually recursive functions that are traced up to a fixpoint.
const MOST_TRACED: usize = 4096;
/// Least number of rounds for each of them.
const ROUNDS: usize = 16;

/// Parameters of the analysis of a module.
pub struct Questions {
    /// Parameters of the trace of a body.
    pub question: Question,
    /// Whether functions without a body capture their arguments.
    pub declared_capture: bool,
    /// Allocator of results of a function that did not converge; `None` if unknown.
    pub freed_by: Option<Allocator>,
    /// For each function, whether it returns flags that tell new results from others; empty: no function
    /// does.
    pub with_flags: Vec<bool>,
    /// For each function, the arguments that it takes ownership of; empty: no function does.
    pub taken_over: Vec<ArgumentNumbers>,
    /// For each function, whether it may have effects on its own that concern callers; empty: all may.
    pub matters: Vec<bool>,
}

/// Effects of each function of a module on the memory of its callers, computed before the module is changed.
pub struct Summaries {
    targets: Targets,
    /// Index of each function.
    places: FxHashMap<Key, usize>,
    functions: Vec<FunctionSummary>,
    declarations: Vec<SmallVec<[u32; 2]>>,
    declared_capture: bool,
    /// Union over the possible callees of indirect calls; `None` if these may be unknown functions.
    of_values: Option<Box<OfValues>>,
    /// Borrowed results of the possible callees of indirect calls.
    borrowed: BorrowedOfValues,
}

impl Default for Summaries {
    fn default() -> Self {
        Self::of_declarations()
    }
}

impl Summaries {
    /// Summaries of no function.
    fn of_declarations() -> Self {
        Self {
            targets: Targets::default(),
            places: FxHashMap::default(),
            functions: Vec::new(),
            declarations: Vec::new(),
            declared_capture: false,
            of_values: None,
            borrowed: BorrowedOfValues::default(),
        }
    }

    /// Summaries for a pass on one function: of the callees of `calls`, only the attributes of results. Other
    /// threads may change bodies.
    pub fn of_marks(calls: &[Op<'_>], names: &mut Names) -> Self {
        let places = FxHashMap::default();
        let mut resolver = Resolver::new(&places);
        let mut most = 0;
        for call in calls {
            let memrefs = results(*call).filter(|result| holds_memref(type_of(*result)));
            if memrefs.count() > 0 {
                most = most.max(results(*call).count());
                resolver.target(*call, names);
            }
        }
        let declared = resolver.declarations.iter();
        let declared = declared.map(|function| borrowed_of(*function, most));
        let values = calls
            .iter()
            .copied()
            .filter(|call| called_type(*call).is_some());
        let functions = functions_around(values, names);
        Self {
            borrowed: BorrowedOfValues::of(&functions),
            declarations: declared.collect(),
            targets: resolver.targets,
            ..Self::default()
        }
    }

    /// Summaries of `functions`, which are all functions with a body at or below `root`, for passes that take
    /// bodies as written. `declared_capture`: functions without a body capture their arguments.
    pub fn as_written<'c>(
        root: Op<'c>,
        functions: impl IntoIterator<Item = Op<'c>>,
        declared_capture: bool,
        readings: &Readings,
    ) -> Self {
        let mut graph = CallGraph::of(root, functions.into_iter().collect());
        let question = Question {
            contract: Contract::AsWritten,
            numbers: false,
            describe: |op, semantics| semantics.of(op),
        };
        let questions = Questions {
            question,
            declared_capture,
            freed_by: Some(Allocator::Memref),
            with_flags: Vec::new(),
            taken_over: Vec::new(),
            matters: Vec::new(),
        };
        Self::of(&mut graph, &questions, readings)
    }

    /// Traces the functions of a graph that are called. Mutually recursive functions start from the
    /// assumption that they have no effects.
    pub fn of(graph: &mut CallGraph<'_>, questions: &Questions, readings: &Readings) -> Self {
        let most = most_results(graph);
        let declared = graph.declarations.iter();
        let declared = declared.map(|function| borrowed_of(*function, most));
        let declarations = declared.collect();
        let count = graph.functions.len();
        let targets = graph.take_targets();
        let is_by_value = questions.question.contract == Contract::Ownership;
        let calls_values = is_by_value
            && graph
                .calls
                .iter()
                .flatten()
                .any(|call| call.target == Target::Unknown);
        let borrowed = match calls_values {
            true => BorrowedOfValues::of(&graph.values()),
            false => BorrowedOfValues::default(),
        };
        let mut solver = Solver {
            graph,
            questions,
            readings,
            calls_values,
            summaries: Self {
                targets,
                places: graph.functions.iter().map(Identity::key).zip(0..).collect(),
                functions: vec![FunctionSummary::default(); count],
                declarations,
                declared_capture: questions.declared_capture,
                of_values: is_by_value.then(|| Box::new(OfValues::none())),
                borrowed,
            },
        };
        for function in 0..count {
            solver.summaries.functions[function].copies_returned = solver.copies_returned(function);
        }
        solver.solve();
        solver.summaries
    }

    /// Summary of a function with a body, if it was analysed.
    pub fn of_function(&self, function: Op<'_>) -> Option<&FunctionSummary> {
        let place = self.places.get(&function.key())?;
        Some(&self.functions[*place])
    }

    /// Mutable summary of a function, for passes that add facts.
    pub fn of_function_mut(&mut self, function: Op<'_>) -> Option<&mut FunctionSummary> {
        let place = self.places.get(&function.key())?;
        Some(&mut self.functions[*place])
    }

    /// Whether the possible callees of an indirect call disagree on borrowed results.
    pub fn disagree(&self, call: Op<'_>) -> bool {
        self.targets.of(call) == Target::Unknown && self.borrowed.disagree(call)
    }

    /// Summary of the callee of a call, if it has a body.
    pub fn of_call(&self, call: Op<'_>) -> Option<&FunctionSummary> {
        Some(&self.functions[self.targets.of(call).function()?])
    }
}

impl Callees for Summaries {
    fn callee(&self, call: Op<'_>) -> Callee<'_> {
        match self.targets.of(call) {
            Target::Function(function) => Callee::Known(&self.functions[function]),
            Target::Declared { place, .. } => Callee::Declared {
                captures: self.declared_capture,
                borrowed: &self.declarations[place],
            },
            Target::Unknown => {
                let borrowed = self.borrowed.of_call(call);
                match &self.of_values {
                    Some(values) => Callee::OneOf {
                        summary: values.like(call),
                        borrowed,
                    },
                    None => Callee::Unknown { borrowed },
                }
            }
        }
    }
}

/// Number of rounds for a component of `count` functions.
fn rounds(count: usize) -> usize {
    (MOST_TRACED / count.max(1)).max(ROUNDS)
}

/// Results, among the first `results`, that a function declares as borrowed.
fn borrowed_of(function: Op<'_>, results: usize) -> SmallVec<[u32; 2]> {
    let borrowed = callee::borrowed(function, results);
    borrowed.map(|at| at as u32).collect()
}

/// Largest number of results of a call.
fn most_results(graph: &CallGraph<'_>) -> usize {
    let calls = graph.calls.iter().flatten();
    calls
        .map(|call| results(call.op).count())
        .max()
        .unwrap_or(0)
}

struct Solver<'g, 'c> {
    graph: &'g CallGraph<'c>,
    questions: &'g Questions,
    readings: &'g Readings,
    /// Whether an indirect call exists: it may call every function with a reference.
    calls_values: bool,
    summaries: Summaries,
}

impl Solver<'_, '_> {
    /// Solves callees before callers, and recursive components up to a fixpoint. With indirect calls, all
    /// functions form one component.
    fn solve(&mut self) {
        let graph = self.graph;
        for _ in 0..rounds(graph.functions.len()) {
            if !solve(graph, rounds, self) || !self.calls_values {
                return;
            }
            self.of_values();
        }
        self.give_up(&graph.order);
        self.of_values();
    }

    fn of_values(&mut self) {
        if !self.calls_values {
            return;
        }
        let mut values = OfValues::none();
        let functions = self.graph.functions.iter().zip(&self.summaries.functions);
        for ((function, summary), taken) in functions.zip(self.graph.references()) {
            if taken.is_some() {
                values.add(*function, summary);
            }
        }
        values.settle();
        self.summaries.of_values = Some(Box::new(values));
    }

    fn copies_returned(&self, function: usize) -> bool {
        let flags = &self.questions.with_flags;
        self.questions.question.contract == Contract::Ownership
            && !flags.get(function).copied().unwrap_or(false)
    }

    /// Whether a caller needs the summary of a function.
    fn is_asked(&self, function: usize) -> bool {
        !self.graph.callers[function].is_empty()
            || (self.calls_values && self.graph.referrer(function).is_some())
    }

    /// Whether a function may have effects that concern callers.
    fn matters(&self, function: usize) -> bool {
        let by_itself = self.questions.matters.get(function);
        let does = |summary: &FunctionSummary| {
            let nothing = FunctionSummary {
                copies_returned: summary.copies_returned,
                is_union: summary.is_union,
                ..FunctionSummary::default()
            };
            *summary != nothing
        };
        by_itself.copied().unwrap_or(true)
            || self.graph.calls[function]
                .iter()
                .any(|call| match self.summaries.callee(call.op) {
                    Callee::Known(summary) | Callee::OneOf { summary, .. } => does(summary),
                    _ => false,
                })
    }
}

impl Fixpoint for Solver<'_, '_> {
    fn step(&mut self, function: usize) -> bool {
        let op = self.graph.functions[function];
        if !self.is_asked(function) || !self.matters(function) {
            return false;
        }
        let Some(body) = function_body(op) else {
            return false;
        };
        let copies = self.copies_returned(function);
        let (summaries, question) = (&self.summaries, self.questions.question);
        let mut summary = self.readings.with(op, |semantics| {
            facets::of_body(op, body, semantics, summaries, question, copies)
        });
        if let Some(taken_over) = self.questions.taken_over.get(function) {
            summary.take_over(taken_over);
        }
        if self.graph.recursive[function] && summary.heap > 0 {
            // As many activations as there may be.
            summary.heap = u64::MAX;
        }
        let known = &mut self.summaries.functions[function];
        summary.grow(known);
        let changed = summary != *known;
        *known = summary;
        changed
    }

    /// Sets the worst case.
    fn give_up(&mut self, functions: &[usize]) {
        for function in functions {
            if let Some(body) = function_body(self.graph.functions[*function]) {
                let entry = blocks(body).next();
                let count = entry.map_or(0, |block| arguments(block).count());
                let results = self.summaries.functions[*function].results.len();
                let freed_by = self.questions.freed_by;
                let mut anything = FunctionSummary::anything(count, results, freed_by);
                anything.copies_returned = self.copies_returned(*function);
                self.summaries.functions[*function] = anything;
            }
        }
    }
}
