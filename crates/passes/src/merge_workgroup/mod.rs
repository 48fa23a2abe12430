//! `memplan-merge-workgroup`: buffers in workgroup memory share bytes between barriers.
//!
//! `read` (the buffers of a kernel, and what its threads do to them, as a kernel of `memplan-workgroup`) -> `decide` (offsets,
//! and barriers to add) -> `write`, and `describe` for the report and the remarks.

mod decide;
mod describe;
mod promote;
mod read;
mod write;

use crate::{codes::INTERNAL, collector::Collector, counts::Counts, failure::fail_as};
use decide::{Decision, Settings};
use memplan_declarations::merge_workgroup::codes;
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Op, blocks, ops, regions, symbol_name},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_report::FunctionReport;
use memplan_semantics::{
    Semantics, functions,
    workgroup::{Callees, Kernel, read_callees},
};
use read::Candidates;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pass.
pub struct MergeWorkgroup {
    collector: Collector,
}

impl Pass for MergeWorkgroup {
    const DECLARATION: &'static Declaration = &memplan_declarations::merge_workgroup::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl MergeWorkgroup {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings::of(&run.values);
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let mut semantics = Semantics::default();
        // A function pass must not inspect other functions, which other threads may change.
        let callees = match semantics.info(run.op).is_function() {
            true => Callees::default(),
            false => read_callees(groups.iter().flatten().copied(), &mut semantics),
        };
        let result = functions::visit_groups(run.op, &groups, |function| {
            self.function(function, &callees, &settings, &counts, &changed)
        });
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.publish(run);
        result?;
        match run.values.flag("verify") {
            true => memplan_verify::check_all(run.op),
            false => Ok(()),
        }
    }

    fn function(
        &self,
        function: Op<'_>,
        callees: &Callees,
        settings: &Settings,
        counts: &Counts<3>,
        changed: &AtomicBool,
    ) -> Result<(), Failed> {
        let mut semantics = Semantics::default();
        let mut kernels = Vec::new();
        find_kernels(function, &mut semantics, &mut kernels);
        let mut report = FunctionReport {
            name: symbol_name(function),
            ..FunctionReport::default()
        };
        for mut kernel in kernels {
            if promote::promote(&kernel, &mut semantics) {
                changed.store(true, Ordering::Relaxed);
                kernel = Kernel::of(kernel.op, &mut semantics).unwrap_or(kernel);
            }
            let with_attributions = settings.launch_attributions;
            let mut candidates =
                Candidates::of(&kernel, with_attributions, callees, &mut semantics);
            for barrier in candidates.divergent_barriers() {
                let text = match semantics.info(*barrier).is_call() {
                    true => {
                        "not all threads may reach the barriers of the callee: buffers share bytes as if they were not there"
                    }
                    false => {
                        "not all threads may reach this barrier: buffers share bytes as if it were not there"
                    }
                };
                Diagnostic::new(codes::DIVERGENT_BARRIER, barrier.location(), text).emit();
            }
            for number in 0..candidates.groups.len() {
                let group = &candidates.groups[number];
                let decision = decide::decide(group, settings)
                    .map_err(|error| fail_as::<Self>(kernel.op, INTERNAL, error))?;
                let alone = decide::alone(group, decision.as_ref());
                if let Some(decision) = decision {
                    if settings.remarks {
                        describe::plan(&kernel, group, &decision);
                    }
                    if decision.gains() {
                        let scope = describe::scope(&kernel, group, &decision);
                        report.scopes.push(scope);
                        counts.add(counted(&decision));
                        changed.store(true, Ordering::Relaxed);
                        write::write(&kernel, group, &decision)
                            .map_err(|error| fail_as::<Self>(kernel.op, INTERNAL, error))?;
                    }
                }
                candidates.left.extend(alone);
            }
            if settings.remarks {
                describe::left(&candidates);
            }
            report.skipped.extend(describe::skipped(&candidates));
        }
        if self.collector.is_open() {
            self.collector.add(function, report);
        }
        Ok(())
    }
}

fn counted(decision: &Decision) -> [u64; 3] {
    [
        decision.plan.offsets.len() as u64,
        decision.before.saturating_sub(decision.plan.bytes),
        decision.barriers.len() as u64,
    ]
}

/// The kernels of a function. Functions in it are not visited. What is the same in all threads of a kernel in another one
/// is not known: it is a part of that.
fn find_kernels<'c>(op: Op<'c>, semantics: &mut Semantics, found: &mut Vec<Kernel<'c>>) {
    if let Some(kernel) = Kernel::of(op, semantics) {
        return found.push(kernel);
    }
    for nested in regions(op).flat_map(blocks).flat_map(ops) {
        if !semantics.info(nested).is_function() && !semantics.info(nested).is_symbol_table() {
            find_kernels(nested, semantics, found);
        }
    }
}
