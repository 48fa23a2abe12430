//! `memplan-assign-spaces`: which memory space holds each buffer, and when, so that the limits of all spaces hold at the least
//! cost.
//!
//! `settings` (spaces with limits and costs) -> `read` (buffers, their touches and gaps as a placement problem) ->
//! memplan-placement -> `write`, and `work`: the function is read again, and if its plan exceeds a limit, `write` is undone, and
//! the problem gets tighter limits.

mod accesses;
mod curve;
mod describe;
mod limits;
mod read;
mod settings;
mod work;
mod write;

use crate::{
    codes::{NEEDS_MODULE, OPTION, REPORT},
    counts::Counts,
    failure::{fail, fail_as},
    memory_spaces::machine::Described,
    unbufferized,
};
use curve::{Curve, Curves};
use memplan_declarations::merge_alloc::{self, CALLS};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::pass::{Declaration, Failed, InitError, OptionValues, Pass, Run};
use memplan_semantics::{Readings, functions, names::Names};
use settings::Settings;
use std::io::Write;
use std::path::Path;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// The pass.
pub struct AssignSpaces {
    /// The description of the option `machine`.
    machine: Mutex<Option<Described>>,
}

impl Pass for AssignSpaces {
    const DECLARATION: &'static Declaration = &memplan_declarations::assign_spaces::DECLARATION;

    fn new() -> Self {
        Self {
            machine: Mutex::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::check(values)
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        let machine = match values.text("machine") {
            "" => None,
            file => Some(Described::read(file).map_err(|message| InitError {
                code: merge_alloc::codes::MACHINE,
                message,
            })?),
        };
        *self.machine.lock().unwrap_or_else(PoisonError::into_inner) = machine;
        Ok(())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let given = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = match given.clone() {
            None => Described::of_program(run.op)?,
            given => given,
        };
        drop(given);
        if let Some(machine) = &machine {
            machine.has_spaces_of(run.op)?;
        }
        let settings = Settings::of(&run.values, machine.as_ref())
            .map_err(|message| fail(run.op, OPTION, message))?;
        let Some(settings) = settings else {
            run.preserve_all();
            return Ok(());
        };
        settings.has_spaces(run.op)?;
        let is_function = Names::default().info(run.op).is_function();
        if is_function && !settings.curve.is_empty() {
            // Functions would overwrite each other's file.
            let message =
                "curve concerns more than one function: schedule the pass on builtin.module";
            return Err(fail_as::<Self>(run.op, NEEDS_MODULE, message));
        }
        unbufferized::warn(run.op);
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let (counts, changed) = (Counts::default(), AtomicBool::new(false));
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
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
        let curves = Mutex::new(Vec::new());
        let mut result = functions::visit_groups(run.op, &groups, |function| {
            let done = readings.with(function, |semantics| {
                work::function(function, semantics, &*callees, &settings)
            });
            let outcome = match done {
                Ok(outcome) => outcome,
                Err(error) => {
                    describe::error(function, &error, &settings);
                    return Err(Failed);
                }
            };
            changed.fetch_or(outcome.is_changed(), Ordering::Relaxed);
            counts.add([outcome.moved.len() as u64, outcome.copies, outcome.bytes]);
            describe::remarks(function, &outcome, &settings);
            let mut curves = curves.lock().unwrap_or_else(PoisonError::into_inner);
            curves.extend(outcome.curve);
            Ok(())
        });
        let curves = curves.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !settings.curve.is_empty() && result.is_ok() {
            result = write_curves(&settings, curves).map_err(|why| fail(run.op, REPORT, why));
        }
        readings.save(run, all());
        if !changed.into_inner() {
            run.preserve_all();
        }
        counts.publish(run);
        result
    }
}

fn write_curves(settings: &Settings, curves: Vec<Curve>) -> Result<(), String> {
    let file = &settings.curve;
    let document = Curves::new(&settings.unit, curves);
    let text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    if file == "-" {
        let written = writeln!(std::io::stderr().lock(), "{text}");
        return written.map_err(|error| format!("cannot write to standard error: {error}"));
    }
    memplan_output::write(Path::new(file), text.as_bytes()).map_err(|error| error.to_string())
}
