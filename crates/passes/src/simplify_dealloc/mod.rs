//! `memplan-simplify-dealloc`: removes comparisons and conditions from deallocs whose outcome is known
//! statically.
//!
//! read ([`crate::origins`]) -> decide (`decide`, and memplan-ownership) -> write (`write`).

mod decide;
mod write;

use crate::{
    codes::INTERNAL,
    failure::fail_as,
    origins::{self, callees},
};
use memplan_mlir::{
    ir::Op,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions};
use memplan_summaries::Summaries;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pass.
pub struct SimplifyDealloc;

impl Pass for SimplifyDealloc {
    const DECLARATION: &'static Declaration = &memplan_declarations::simplify_dealloc::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let calls = callees::summarize(run.op, all(), &readings);
        let is_changed = AtomicBool::new(false);
        functions::visit_groups(run.op, &groups, |function| {
            readings.with(function, |semantics| {
                visit(function, semantics, &calls, &is_changed)
            })
        })?;
        readings.save(run, all());
        if !is_changed.into_inner() {
            run.preserve_all();
        }
        Ok(())
    }
}

fn visit(
    function: Op<'_>,
    semantics: &mut Semantics,
    calls: &Summaries,
    is_changed: &AtomicBool,
) -> Result<(), Failed> {
    let Some(mut reading) = origins::read_deallocs(function, semantics, calls) else {
        return Ok(());
    };
    let decision = decide::decide(&mut reading);
    if decision.changes_nothing() {
        return Ok(());
    }
    is_changed.store(true, Ordering::Relaxed);
    write::write(&mut reading, &decision)
        .map_err(|error| fail_as::<SimplifyDealloc>(function, INTERNAL, error))
}
