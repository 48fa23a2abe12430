//! What each function of a module does with its memref arguments.

use crate::{
    alias::{Aliases, Root},
    policy::{CallPolicy, Callees},
    read,
    reason::Reason,
};
use memplan_mlir::{ir::Op, layout::DataLayout};
use memplan_semantics::Readings;
use memplan_summaries::{CallGraph, Fixpoint, Target, Targets, solve};

/// For passes that run on a module: what each function's body does with its arguments, found
/// before anything is changed.
#[derive(Debug, Default)]
pub struct Summaries {
    targets: Targets,
    /// For each function that is called, which arguments it keeps or frees.
    kept: Vec<Vec<bool>>,
    bodyless_keep: bool,
}

impl Summaries {
    /// Looks into all `functions` that are called, which are those with a body at or below `root`. An argument is kept if
    /// the body stores it, frees it, hands it to what keeps it, or loses sight of it; returning it is not keeping.
    /// Functions that call each other are solved together, from the assumption that they keep nothing.
    pub fn of<'c>(
        root: Op<'c>,
        functions: impl IntoIterator<Item = Op<'c>>,
        bodyless_keep: bool,
        readings: &Readings,
    ) -> Self {
        let mut graph = CallGraph::of(root, functions.into_iter().collect());
        let targets = graph.take_targets();
        let mut solver = Solver {
            graph: &graph,
            readings,
            summaries: Self {
                targets,
                kept: vec![Vec::new(); graph.functions.len()],
                bodyless_keep,
            },
        };
        // What is kept only grows, so that this ends.
        solve(&graph, |_| usize::MAX, &mut solver);
        solver.summaries
    }
}

struct Solver<'g, 'c> {
    graph: &'g CallGraph<'c>,
    readings: &'g Readings,
    summaries: Summaries,
}

impl Fixpoint for Solver<'_, '_> {
    fn step(&mut self, function: usize) -> bool {
        if self.graph.callers[function].is_empty() {
            return false;
        }
        let mut kept = self.arguments_kept(self.graph.functions[function]);
        let known = &mut self.summaries.kept[function];
        for (kept, known) in kept.iter_mut().zip(&*known) {
            *kept |= known;
        }
        let changed = kept != *known;
        *known = kept;
        changed
    }

    fn give_up(&mut self, _functions: &[usize]) {}
}

impl Solver<'_, '_> {
    fn arguments_kept(&mut self, function: Op<'_>) -> Vec<bool> {
        let mut layout = DataLayout::at(function);
        let (program, _) = self.readings.with(function, |semantics| {
            read::read(function, semantics, &mut layout, &self.summaries)
        });
        let aliases = Aliases::of(&program);
        let (_, mut arguments) = aliases.escapes(&program, |reason| reason != Reason::Returned);
        let mut seen = vec![false; program.values.len()];
        for dealloc in &program.deallocs {
            aliases.visit_origins(&program, dealloc.value, &mut seen, |root| {
                if let Root::Argument(number) = root {
                    arguments[number as usize].get_or_insert(Reason::FreedElsewhere);
                }
            });
        }
        let mut kept: Vec<bool> = Vec::new();
        for (place, reason) in program.argument_places.iter().zip(arguments) {
            kept.resize(*place, false);
            kept.push(reason.is_some());
        }
        kept
    }
}

impl Callees for Summaries {
    fn policy(&self, call: Op<'_>, argument: usize) -> CallPolicy {
        match self.targets.of(call) {
            Target::Unknown => CallPolicy::Indirect,
            Target::Declared { .. } => CallPolicy::bodyless(self.bodyless_keep),
            Target::Function(function) => {
                if self.kept[function].get(argument).copied().unwrap_or(false) {
                    CallPolicy::Keeps
                } else {
                    CallPolicy::Borrows
                }
            }
        }
    }

    fn is_of_borrower(&self, call: Op<'_>) -> bool {
        matches!(self.targets.of(call), Target::Declared { .. }) && !self.bodyless_keep
    }
}
