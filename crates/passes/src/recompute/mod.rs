//! `memplan-recompute`: computes cheap buffers again next to late uses, in place of holding them.
//!
//! `read` (buffers, the gaps between their uses, and what computing them again takes) -> `decide` (which gaps, by the most bytes
//! live at once) -> `write`, and `needs`: the function is read again, and if its plan is not smaller, `write` is undone.

mod decide;
mod describe;
mod read;
mod work;
mod write;

use crate::{coalescing::PackingOptions, codes::OPTION, counts::Counts, failure::fail};
use memplan_declarations::{
    merge_alloc::CALLS,
    recompute::{Refusal, codes},
};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::pass::{Declaration, Failed, OptionValues, Pass, Run};
use memplan_semantics::{Readings, functions, names::Names};
pub(crate) use read::{Reading, Repeated};
use std::sync::atomic::{AtomicBool, Ordering};
use work::Settings;

/// The pass.
pub struct Recompute;

impl Pass for Recompute {
    const DECLARATION: &'static Declaration = &memplan_declarations::recompute::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        PackingOptions::of(Self::DECLARATION.argument, values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings = Settings {
            how: PackingOptions::of(Self::DECLARATION.argument, &run.values)
                .map_err(|message| fail(run.op, OPTION, message))?,
            percent: run.values.integer("max-recompute").unsigned_abs(),
        };
        let remarks = run.values.flag("remarks");
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
        let is_function = Names::default().info(run.op).is_function();
        // A function pass must not inspect other functions, which other threads may change.
        let callees: Box<dyn Callees> = match is_function {
            true => Box::new(NoCallees::new(bodyless_keep)),
            false => Box::new(Summaries::as_written(
                run.op,
                all(),
                bodyless_keep,
                &readings,
            )),
        };
        let result = functions::visit_groups(run.op, &groups, |function| {
            let outcome = readings.with(function, |semantics| {
                work::function(function, semantics, &*callees, &settings)
            });
            changed.fetch_or(!outcome.recomputed.is_empty(), Ordering::Relaxed);
            counts.add([
                outcome.recomputed.len() as u64,
                outcome.before.saturating_sub(outcome.after),
            ]);
            describe::remarks(function, &outcome, remarks);
            Ok(())
        });
        readings.save(run, all());
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.publish(run);
        result
    }
}
