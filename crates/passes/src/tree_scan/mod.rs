//! `memplan-tree-scan`: plans the memory of a bounded program on one stack of static size, path by path.
//!
//! `read` (IR to a tree of segments) -> `decide` (`memplan-bounded`: offsets and moves) -> `write`, or
//! attributes with `apply=false`. `describe` writes the report and remarks. `structured` does the same for
//! `virtual=true`.

mod address_taken;
mod decide;
mod describe;
mod pending;
mod planned_memory;
mod read;
mod settings;
mod stack;
mod structured;
mod uses;
mod write;

use crate::{
    check_tree,
    codes::{INTERNAL, NAME_TAKEN, NEEDS_MODULE, OPTION},
    collector::{Collector, program_of},
    counts::Counts,
    failure,
    treeify::BEFORE,
    unbufferized,
};
use memplan_declarations::tree_scan::codes;
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
    const DECLARATION: &'static Declaration = &memplan_declarations::tree_scan::DECLARATION;

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
        self.collector.during(run.op, || self.work(run))
    }
}

impl TreeScan {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings =
            Settings::of(&run.values).map_err(|why| failure::fail(run.op, OPTION, why))?;
        unbufferized::warn(run.op);
        let is_function = Semantics::default().info(run.op).is_function();
        if is_function && settings.apply && settings.stack_placement == StackPlacement::Argument {
            return Err(fail(
                run.op,
                NEEDS_MODULE,
                "arena=arg concerns more than one function: schedule the pass on builtin.module",
            ));
        }
        let groups = functions::groups(run.op);
        let readings = Readings::of(run, groups.iter().flatten().copied());
        // A function pass must not inspect other functions, which other threads may change.
        let callees: Box<dyn Callees> = match is_function {
            true => Box::new(NoCallees::new(false)),
            false => {
                let functions: Vec<Op<'_>> = groups.iter().flatten().copied().collect();
                if settings.apply && settings.stack_placement == StackPlacement::Argument {
                    check_types_may_change(&CallGraph::of(run.op, functions.clone()))?;
                }
                Box::new(Summaries::as_written(run.op, functions, false, &readings))
            }
        };
        let counts = Counts::default();
        let planner = FunctionPlanner {
            settings: &settings,
            callees: &*callees,
            readings: &readings,
            counts: &counts,
            collector: &self.collector,
        };
        // Functions that receive their stack as an argument, with its size and alignment.
        let sizes = Mutex::new(Vec::new());
        let result = functions::visit_groups(run.op, &groups, |function| {
            if let Some(stack) = planner.function(function)? {
                let mut sizes = sizes.lock().unwrap_or_else(PoisonError::into_inner);
                sizes.push((symbol_name(function), stack));
            }
            Ok(())
        });
        counts.publish(run);
        result?;
        if settings.verify && settings.apply {
            memplan_verify::check_all(run.op)?;
        }
        if settings.apply && settings.stack_placement == StackPlacement::Argument {
            let sizes = sizes.into_inner().unwrap_or_else(PoisonError::into_inner);
            add_size_functions(run.op, sizes)?;
        }
        Ok(())
    }
}

fn fail(op: Op<'_>, code: &Code, why: impl std::fmt::Display) -> Failed {
    failure::fail_as::<TreeScan>(op, code, why)
}

/// Plans functions. Holds the settings, facts and results that all of them share.
struct FunctionPlanner<'w> {
    settings: &'w Settings,
    callees: &'w dyn Callees,
    /// The semantics of the functions before the pass.
    readings: &'w Readings,
    /// Placed values, and defragmentations and moved bytes of the worst path.
    counts: &'w Counts<3>,
    collector: &'w Collector,
}

/// Size and alignment of a stack, in bytes.
type StackSize = [i64; 2];

impl FunctionPlanner<'_> {
    fn function(&self, function: Op<'_>) -> Result<Option<StackSize>, Failed> {
        self.readings.with(function, |semantics| {
            let on_stack =
                self.settings.apply && self.settings.stack_placement == StackPlacement::Alloca;
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

    /// Plans a function whose blocks form a tree.
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
        let for_report = self.collector.is_open() || settings.remarks;
        let decision = decide::decide(&reading.tree, settings, for_report)
            .map_err(|error| fail(function, error.code(), error))?;
        let (layout, worst) = (&decision.chosen.layout, decision.chosen.worst);
        if settings.remarks {
            describe::remarks(function, &reading, &decision);
        }
        if self.collector.is_open() {
            let mut report = describe::report(function, &reading, &decision, settings);
            report.program = program_of(self.readings, function);
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
        write::write(
            function,
            &reading,
            layout,
            settings.stack_placement,
            semantics,
        )
        .map_err(|error| fail(function, INTERNAL, error))?;
        Ok(Some(stack))
    }
}

impl FunctionPlanner<'_> {
    /// Plans a function that keeps its loops and branches.
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
            let mut report = structured::describe::report(function, &reading, &decision, settings);
            report.program = program_of(self.readings, function);
            self.collector.add(function, report);
        }
        if reading.allocation_vars.is_empty() && (settings.apply || reading.definitions.is_empty())
        {
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
        self.counts
            .add([reading.allocation_vars.len() as u64, 0, 0]);
        structured::write(
            function,
            &reading,
            chosen,
            decision.unit,
            settings.stack_placement,
        )
        .map_err(|error| fail(function, INTERNAL, error))?;
        Ok(Some([chosen.peak as i64, decision.unit as i64]))
    }
}

/// Rejects functions whose type cannot change, as the module may call them.
fn check_types_may_change(graph: &CallGraph<'_>) -> Result<(), Failed> {
    let mut semantics = Semantics::default();
    for (at, function) in graph.functions.iter().enumerate() {
        // Callers of functions of other dialects are unknown.
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

/// Adds `@NAME_arena_size() -> (index, index)`, which returns the size and alignment of the stack that a
/// caller provides.
fn add_size_functions(root: Op<'_>, sizes: Vec<(String, StackSize)>) -> Result<(), Failed> {
    let functions: Vec<Op<'_>> = functions::groups(root).into_iter().flatten().collect();
    let mut names = FreshNames::default();
    for function in functions {
        let name = symbol_name(function);
        let Some((_, size)) = sizes.iter().find(|(other, _)| *other == name) else {
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
