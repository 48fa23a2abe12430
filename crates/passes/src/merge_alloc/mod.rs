//! `memplan-merge-alloc`: static planning. One arena per scope and memory space, slices of it in
//! place of the allocations.
//!
//! read (memplan-lifetimes) -> `decide` -> `write` or `annotate`, and `describe` for the
//! report and remarks.

mod annotate;
mod decide;
mod declaration;
mod describe;
mod join;
mod write;

use crate::{collector::Collector, functions, verify};
use memplan_lifetimes::{Analysis, Callees, NoCallees, Summaries, analyse};
use memplan_mlir::{
    diagnostics,
    ir::Op,
    melior::ir::operation::OperationLike,
    names::Names,
    pass::{Declaration, Failed, Pass, Run, Values},
};
use memplan_planner::{Effort, Options, Planner};
use std::{
    str::FromStr,
    sync::atomic::{AtomicU64, Ordering},
};

/// The pass.
pub struct MergeAlloc {
    collector: Collector,
}

/// What the options come to.
#[derive(Clone, Copy, Debug)]
struct Settings {
    planner: Planner,
    effort: Effort,
    alignment: u64,
    free: bool,
    verify: bool,
    analyse_only: bool,
    remarks: bool,
    in_place: bool,
}

impl Settings {
    fn of(values: &Values) -> Result<Self, String> {
        Ok(Self {
            planner: Planner::from_str(values.text("planner"))
                .map_err(|error| error.to_string())?,
            effort: Effort::from_str(values.text("effort")).map_err(|error| error.to_string())?,
            alignment: values.integer("alignment") as u64,
            free: values.flag("free"),
            verify: values.flag("verify"),
            analyse_only: values.flag("analyse-only"),
            remarks: values.flag("remarks"),
            in_place: values.flag("in-place"),
        })
    }
}

impl Pass for MergeAlloc {
    const DECLARATION: &'static Declaration = &declaration::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn check(values: &Values) -> Result<(), String> {
        Settings::of(values).map(|_| ())
    }

    fn initialize(&self, values: &Values) -> Result<(), String> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings::of(&run.values).map_err(|message| {
            diagnostics::error(run.op.location(), message).emit();
            Failed
        })?;
        self.collector.start();
        let bodyless_keep = run.values.text("calls") == "capture";
        // A function pass must not look at other functions, which may be changing at this moment.
        let callees: Box<dyn Callees> = if Names::default().info(run.op).is_function() {
            Box::new(NoCallees::new(bodyless_keep))
        } else {
            Box::new(Summaries::of(
                functions::groups(run.op).into_iter().flatten(),
                bodyless_keep,
            ))
        };
        let counts = Counts::default();
        let result = functions::visit_all(run.op, |function| {
            self.function(function, &settings, &*callees, &counts)
        });
        for (index, count) in counts.0.into_iter().enumerate() {
            run.count(index, count.into_inner());
        }
        result
    }
}

/// The statistics, in the order of the declaration: merged, arenas, skipped.
#[derive(Default)]
struct Counts([AtomicU64; 3]);

impl Counts {
    fn add(&self, amounts: [usize; 3]) {
        for (count, amount) in self.0.iter().zip(amounts) {
            count.fetch_add(amount as u64, Ordering::Relaxed);
        }
    }
}

impl MergeAlloc {
    fn function<'c>(
        &self,
        function: Op<'c>,
        settings: &Settings,
        callees: &dyn Callees,
        counts: &Counts,
    ) -> Result<(), Failed> {
        let fail = |error: &dyn std::error::Error| {
            diagnostics::error(
                function.location(),
                format!("{}: {error}", declaration::DECLARATION.argument),
            )
            .emit();
            Failed
        };
        let mut names = Names::default();
        let analysis: Analysis<'c> = analyse(function, &mut names, callees);
        let options = Options::default().with_effort(settings.effort);
        let plan = decide::decide(
            &analysis,
            settings.planner,
            &options,
            settings.alignment,
            settings.in_place,
        )
        .map_err(|error| fail(&error))?;
        describe::remarks(function, &analysis, &plan, settings.remarks);
        if self.collector.is_open() {
            self.collector
                .add(function, describe::report(function, &analysis, &plan));
        }
        counts.add([
            analysis.plannable.len(),
            plan.arenas.len(),
            analysis.skipped.len(),
        ]);
        if settings.analyse_only {
            annotate::annotate(&analysis, &plan);
            return Ok(());
        }
        write::write(&analysis, &plan, settings.free).map_err(|error| fail(&error))?;
        if settings.verify {
            verify::check(function)?;
        }
        Ok(())
    }
}
