//! `memplan-reorder`: reorders the operations of each block so that fewer bytes are live at once.
//!
//! `read` (blocks as graphs, over memplan-lifetimes) -> `decide` (an order) -> `write`, and `needs`: the
//! function is read again, and if it does not need less, the order is restored.

mod decide;
mod describe;
mod graph;
mod read;
mod results;
mod work;
mod write;

use crate::{
    coalescing::PackingOptions, codes::OPTION, collector::Collector, counts::Counts, failure::fail,
};
use memplan_declarations::{merge_alloc::CALLS, reorder::codes};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    ir::Op,
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, attributes::KEEP_FORM, functions, names::Names};
pub use results::count as count_results;
use std::sync::atomic::{AtomicBool, Ordering};

/// Steps of the default effort.
const NORMAL: u64 = 200_000;

/// Reorders the blocks of one function, with the default effort; returns whether it changed.
pub fn reorder<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    how: &PackingOptions,
    with_results: bool,
) -> bool {
    let outcomes = work::function(function, semantics, callees, how, NORMAL, with_results);
    outcomes.iter().any(|outcome| outcome.reordered)
}

/// The pass.
pub struct Reorder {
    collector: Collector,
}

impl Pass for Reorder {
    const DECLARATION: &'static Declaration = &memplan_declarations::reorder::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        PackingOptions::of(Self::DECLARATION.argument, values).map(|_| ())
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl Reorder {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let how = PackingOptions::of(Self::DECLARATION.argument, &run.values)
            .map_err(|message| fail(run.op, OPTION, message))?;
        let effort = match run.values.text("effort") {
            "quick" => 20_000,
            "normal" => NORMAL,
            "thorough" => 20_000_000,
            steps => steps.parse().unwrap_or(u64::MAX),
        };
        let remarks = run.values.flag("remarks");
        let with_results = run.values.text("results") == "on";
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
        let visit_all = |callees: &dyn Callees| {
            functions::visit_groups(run.op, &groups, |function| {
                if function.has_attribute(KEEP_FORM) {
                    return Ok(());
                }
                let outcomes = readings.with(function, |semantics| {
                    work::function(function, semantics, callees, &how, effort, with_results)
                });
                let reordered = outcomes.iter().filter(|outcome| outcome.reordered).count();
                let proven = outcomes
                    .iter()
                    .filter(|outcome| outcome.is_proven())
                    .count();
                counts.add([reordered as u64, proven as u64]);
                changed.fetch_or(reordered > 0, Ordering::Relaxed);
                describe::remarks(function, &outcomes, remarks);
                if self.collector.is_open() {
                    let report = describe::report(function, &outcomes);
                    self.collector.add(function, report);
                }
                Ok(())
            })
        };
        // A function pass must not inspect other functions, which other threads may change.
        let result = if Names::default().info(run.op).is_function() {
            visit_all(&NoCallees::new(bodyless_keep))
        } else {
            visit_all(&Summaries::as_written(
                run.op,
                all(),
                bodyless_keep,
                &readings,
            ))
        };
        readings.save(run, all());
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.publish(run);
        result
    }
}
