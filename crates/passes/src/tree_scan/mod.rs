//! `memplan-tree-scan`: the memory of a bounded program on one stack, path by path.
//!
//! read -> `decide` (memplan-bounded) -> `write`, or attributes; `describe` for the report and remarks.

mod addressed;
mod codes;
mod decide;
mod declaration;
mod describe;
mod memory;
mod pending;
mod read;
mod settings;
mod stack;
mod structured;
mod uses;
mod write;

use crate::{
    check_tree,
    codes::{INTERNAL, NAME_TAKEN, NEEDS_MODULE, OPTION},
    collector::Collector,
    counts::Counts,
    failure,
    treeify::BEFORE,
};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    build::{self, Builder},
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
    symbols::FreshNames,
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::CallGraph;
use settings::{Settings, StackPlacement};
use std::sync::{Mutex, PoisonError};

/// The pass.
pub struct TreeScan {
    collector: Collector,
}

impl Pass for TreeScan {
    const DECLARATION: &'static Declaration = &declaration::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::of(values).map(|_| ())
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings =
            Settings::of(&run.values).map_err(|why| failure::fail(run.op, OPTION, why))?;
        self.collector.start();
        let is_function = Semantics::default().info(run.op).is_function();
        if is_function && settings.apply && settings.home == StackPlacement::Argument {
            return Err(fail(
                run.op,
                NEEDS_MODULE,
                "arena=arg concerns more than one function: schedule the pass on builtin.module",
            ));
        }
        let groups = functions::groups(run.op);
        let readings = Readings::of(run, groups.iter().flatten().copied());
        // A function pass must not look at other functions, which may be changing at this moment.
        let callees: Box<dyn Callees> = match is_function {
            true => Box::new(NoCallees::new(false)),
            false => {
                let functions: Vec<Op<'_>> = groups.iter().flatten().copied().collect();
                if settings.apply && settings.home == StackPlacement::Argument {
                    may_change(&CallGraph::of(run.op, functions.clone()))?;
                }
                Box::new(Summaries::as_written(run.op, functions, false, &readings))
            }
        };
        let counts = Counts::default();
        let work = Work {
            settings: &settings,
            callees: &*callees,
            readings: &readings,
            counts: &counts,
            collector: &self.collector,
        };
        // Functions whose stack is an argument, with its size and alignment.
        let told = Mutex::new(Vec::new());
        let result = functions::visit_groups(run.op, &groups, |function| {
            if let Some(stack) = work.function(function)? {
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                told.push((symbol_name(function), stack));
            }
            Ok(())
        });
        counts.tell(run);
        result?;
        if settings.verify && settings.apply {
            memplan_verify::check_all(run.op)?;
        }
        if settings.apply && settings.home == StackPlacement::Argument {
            let told = told.into_inner().unwrap_or_else(PoisonError::into_inner);
            tell_sizes(run.op, told)?;
        }
        Ok(())
    }
}

fn fail(op: Op<'_>, code: &Code, why: impl std::fmt::Display) -> Failed {
    failure::fail_as::<TreeScan>(op, code, why)
}

/// What the work on every function shares.
struct Work<'w> {
    settings: &'w Settings,
    callees: &'w dyn Callees,
    /// The functions, as they were read.
    readings: &'w Readings,
    /// Values placed, defragmentations and bytes moved on the worst path.
    counts: &'w Counts<3>,
    collector: &'w Collector,
}

/// Size and alignment of a stack.
type StackSize = [i64; 2];

impl Work<'_> {
    fn function(&self, function: Op<'_>) -> Result<Option<StackSize>, Failed> {
        self.readings.with(function, |semantics| {
            let on_stack = self.settings.apply && self.settings.home == StackPlacement::Alloca;
            if on_stack && !semantics.info(function).is_allocation_scope() {
                let message = "arena=alloca: the function is not an AutomaticAllocationScope, \
                               so it cannot hold stack memory";
                return Err(fail(function, codes::NO_SCOPE, message));
            }
            match self.settings.is_virtual {
                true => self.structured(function, semantics),
                false => self.tree(function, semantics),
            }
        })
    }

    /// A function that is a tree.
    fn tree(
        &self,
        function: Op<'_>,
        semantics: &mut Semantics,
    ) -> Result<Option<StackSize>, Failed> {
        let settings = self.settings;
        check_tree::check(function)?;
        let reading = read::read(function, semantics, self.callees, settings)
            .map_err(|error| fail(function, read::code(&error), error))?;
        let Some(reading) = reading else {
            return Ok(None);
        };
        let wants_all = self.collector.is_open() || settings.remarks;
        let decision = decide::decide(&reading.tree, settings, wants_all)
            .map_err(|error| fail(function, error.code(), error))?;
        let (layout, worst) = (&decision.chosen.layout, decision.chosen.worst);
        if settings.remarks {
            describe::remarks(function, &reading, &decision);
        }
        if self.collector.is_open() {
            let report = describe::report(function, &reading, &decision, settings);
            self.collector.add(function, report);
        }
        let placed = reading.buffers.iter().flatten().count() as u64;
        self.counts
            .add([placed, worst.defragmentations, worst.moved_bytes]);
        if !settings.apply {
            describe::annotate(&reading, layout);
            return Ok(None);
        }
        build::remove_attribute(function, BEFORE);
        if reading.tree.values.is_empty() {
            return Ok(None);
        }
        let stack = [layout.peak as i64, reading.tree.unit() as i64];
        write::write(function, &reading, layout, settings.home, semantics)
            .map_err(|error| fail(function, INTERNAL, error))?;
        Ok(Some(stack))
    }
}

impl Work<'_> {
    /// A function with its loops and branches.
    fn structured(
        &self,
        function: Op<'_>,
        semantics: &mut Semantics,
    ) -> Result<Option<StackSize>, Failed> {
        let settings = self.settings;
        let reading = structured::read(function, semantics, self.callees, settings)?;
        let Some(reading) = reading else {
            return Ok(None);
        };
        let decision = structured::decide(&reading, settings, self.collector.is_open())
            .map_err(|error| fail(function, structured::code(&error), error))?;
        if settings.remarks {
            structured::describe::remark(function, &decision);
        }
        if self.collector.is_open() {
            let report = structured::describe::report(function, &reading, &decision, settings);
            self.collector.add(function, report);
        }
        if reading.names.is_empty() && (settings.apply || reading.makers.is_empty()) {
            return Ok(None);
        }
        if let Some(problem) = &decision.problem {
            let message = format!("virtual=true: nothing was changed: {problem}");
            Diagnostic::new(codes::UNCHANGED, function.location(), message).emit();
        }
        if !settings.apply {
            structured::describe::annotate(&reading, &decision);
            return Ok(None);
        }
        let Some(chosen) = &decision.chosen else {
            return Ok(None);
        };
        self.counts.add([reading.names.len() as u64, 0, 0]);
        structured::write(function, &reading, chosen, decision.unit, settings.home)
            .map_err(|error| fail(function, INTERNAL, error))?;
        Ok(Some([chosen.peak as i64, decision.unit as i64]))
    }
}

/// Functions of which nobody in the module knows the signature.
fn may_change(graph: &CallGraph<'_>) -> Result<(), Failed> {
    let mut semantics = Semantics::default();
    for (at, function) in graph.functions.iter().enumerate() {
        // Who calls functions of other dialects, and how, is not known.
        if !semantics.table_facts(*function).is_extendable {
            let message = "arena=arg needs a func.func";
            return Err(fail(*function, codes::ARGUMENT, message));
        }
        if !graph.callers[at].is_empty() || graph.referrer(at).is_some() {
            let message =
                "arena=arg: the function is used in the module, so its type cannot change";
            return Err(fail(*function, codes::ARGUMENT, message));
        }
    }
    Ok(())
}

/// `@NAME_arena_size() -> (index, index)` gives size and alignment of the stack that a caller provides.
fn tell_sizes(root: Op<'_>, told: Vec<(String, StackSize)>) -> Result<(), Failed> {
    let functions: Vec<Op<'_>> = functions::groups(root).into_iter().flatten().collect();
    let mut names = FreshNames::default();
    for function in functions {
        let name = symbol_name(function);
        let Some((_, size)) = told.iter().find(|(told, _)| *told == name) else {
            continue;
        };
        let new = format!("{name}_arena_size");
        if !names.take(function, &new) {
            return Err(fail(
                function,
                NAME_TAKEN,
                format!("arena=arg: the name @{new} is taken"),
            ));
        }
        if let Some(builder) = Builder::before(function, function.location()) {
            builder
                .constant_function(&new, size)
                .map_err(|error| fail(function, INTERNAL, error))?;
        }
    }
    Ok(())
}
