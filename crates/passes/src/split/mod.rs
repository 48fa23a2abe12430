//! `memplan-split`: runs chains of operations strip by strip.
//!
//! `blocks` (which of a function) -> `read` (blocks as plain data) -> memplan-strips (the search) -> `write` (loops over strips): `work`. `forms` does that for
//! each form of a function, and keeps the one whose plan is the smallest.

mod along;
mod blocks;
mod bound;
mod describe;
mod forms;
mod item_shapes;
mod items;
mod length_limits;
mod length_shapes;
mod lengths;
mod longest;
mod obstacle;
mod read;
mod settings;
mod unknown;
mod work;
mod worth;
mod write;

use crate::{
    codes::OPTION,
    counts::Counts,
    failure::{fail, fail_as},
    memory_spaces::machine::GivenMachine,
};
use memplan_declarations::{merge_alloc::CALLS, split::codes};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    codes::INTERNAL,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, functions, names::Names};
use settings::Settings;
use std::sync::atomic::{AtomicBool, Ordering};

/// The pass.
pub struct Split {
    /// The description of the option `machine`.
    machine: GivenMachine,
}

impl Pass for Split {
    const DECLARATION: &'static Declaration = &memplan_declarations::split::DECLARATION;

    fn new() -> Self {
        Self {
            machine: GivenMachine::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::of(values, None).map(|_| ())
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.machine.open(values)
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let machine = self.machine.of(run.op)?;
        let settings = Settings::of(&run.values, machine.as_ref())
            .map_err(|message| fail(run.op, OPTION, message))?;
        if let Some(limited) = &settings.limited {
            limited.has_spaces(run.op)?;
        }
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
                forms::function(function, semantics, &*callees, &settings)
            });
            let outcome = outcome.map_err(|error| fail_as::<Self>(function, INTERNAL, error))?;
            let is_changed =
                outcome.is_chosen || !outcome.chains.is_empty() || !outcome.unknown.is_empty();
            changed.fetch_or(is_changed, Ordering::Relaxed);
            counts.add([
                outcome.chains.len() as u64,
                outcome.before.saturating_sub(outcome.after),
            ]);
            describe::remarks(function, &outcome, settings.remarks);
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
