//! `memplan-assign-spaces`: which memory space holds each buffer, and when, so that the limits of all spaces hold at the least
//! cost.
//!
//! `settings` (spaces with limits and costs) -> `read` (buffers, their touches and gaps as a placement problem) ->
//! memplan-placement -> `write`, and `work`: the function is read again, and if its plan exceeds a limit, `write` is undone, and
//! the problem gets tighter limits.

mod accesses;
mod again;
mod around;
mod beside;
mod calls;
mod curve;
mod describe;
mod limits;
mod price;
mod read;
mod settings;
mod strips;
mod work;
mod write;

use crate::{
    codes::{NEEDS_MODULE, OPTION, REPORT},
    collector::Collector,
    counts::Counts,
    failure::{fail, fail_as},
    memory_spaces::machine::GivenMachine,
    merge_alloc::Bytes,
    unbufferized,
};
use around::Around;
use calls::Module;
use curve::{Curve, Curves};
use memplan_declarations::merge_alloc::CALLS;
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    build,
    ir::{Identity, Key, Op},
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, attributes::KEEP_FORM, functions, names::Names};
use memplan_summaries::CallGraph;
pub use price::Price;
use rustc_hash::FxHashMap;
pub use settings::Settings;
use std::io::Write;
use std::path::Path;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// The pass.
pub struct AssignSpaces {
    /// The description of the option `machine`.
    machine: GivenMachine,
    collector: Collector,
}

impl Pass for AssignSpaces {
    const DECLARATION: &'static Declaration = &memplan_declarations::assign_spaces::DECLARATION;

    fn new() -> Self {
        Self {
            machine: GivenMachine::default(),
            collector: Collector::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::check(values)
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.machine.open(values)?;
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl AssignSpaces {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let machine = self.machine.of(run.op)?;
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
        let groups = functions::groups(run.op);
        let all: Vec<Op<'_>> = groups.iter().flatten().copied().collect();
        let readings = Readings::with_changed(run, all.iter().copied());
        // A function pass must not inspect other functions, which other threads may change.
        let callees: Box<dyn Callees> = match is_function {
            true => Box::new(NoCallees::new(bodyless_keep)),
            false => Box::new(Summaries::as_written(
                run.op,
                all.iter().copied(),
                bodyless_keep,
                &readings,
            )),
        };
        let graph = (!is_function).then(|| CallGraph::of(run.op, all.clone()));
        let module = graph.and_then(|graph| Module::of(graph, &settings, &readings, &*callees));
        let work = Work {
            settings,
            readings,
            callees,
            collector: &self.collector,
            counts: Counts::default(),
            changed: AtomicBool::new(false),
            curves: Mutex::default(),
        };
        let mut result = match module {
            Some(module) => work.module(module),
            None => functions::visit_groups(run.op, &groups, |function| {
                work.function(function, &Around::default()).map(|_| ())
            }),
        };
        if !work.settings.curve.is_empty() && result.is_ok() {
            let found = work.curves.lock();
            let mut found = found.unwrap_or_else(PoisonError::into_inner);
            let curves = all.iter().filter_map(|one| found.remove(&one.key()));
            result = write_curves(&work.settings, curves.collect())
                .map_err(|why| fail(run.op, REPORT, why));
        }
        for function in &all {
            let is_chosen = build::remove_attribute(*function, KEEP_FORM);
            work.changed.fetch_or(is_chosen, Ordering::Relaxed);
        }
        work.readings.save(run, all);
        if !work.changed.into_inner() {
            run.preserve_all();
        }
        work.counts.publish(run);
        result
    }
}

/// The work on all functions.
struct Work<'a> {
    settings: Settings,
    readings: Readings,
    callees: Box<dyn Callees + 'a>,
    collector: &'a Collector,
    counts: Counts<3>,
    changed: AtomicBool,
    curves: Mutex<FxHashMap<Key, Curve>>,
}

impl Work<'_> {
    /// Assigns the buffers of functions that call each other: callees first.
    fn module<'c>(&self, mut module: Module<'c>) -> Result<(), Failed> {
        let mut result = Ok(());
        for function in module.graph.order.clone() {
            let around = module.around(function);
            match self.function(module.graph.functions[function], &around) {
                Ok(needs) => module.needs[function] = needs,
                Err(failed) => result = Err(failed),
            }
        }
        result
    }

    /// Assigns the buffers of a function; what it needs then.
    fn function<'c>(&self, function: Op<'c>, around: &Around) -> Result<Bytes, Failed> {
        let settings = &self.settings;
        let done = self.readings.with(function, |semantics| {
            work::function(function, semantics, &*self.callees, (settings, around))
        });
        let outcome = match done {
            Ok(outcome) => outcome,
            Err(error) => {
                describe::error(function, &error, settings);
                return Err(Failed);
            }
        };
        self.changed
            .fetch_or(outcome.is_changed(), Ordering::Relaxed);
        self.counts
            .add([outcome.moved.len() as u64, outcome.copies, outcome.bytes]);
        describe::remarks(function, &outcome, settings);
        if self.collector.is_open() {
            let report = describe::report(function, outcome.costs);
            self.collector.add(function, report);
        }
        if let Some(curve) = outcome.curve {
            let mut curves = self.curves.lock().unwrap_or_else(PoisonError::into_inner);
            curves.insert(function.key(), curve);
        }
        Ok(outcome.needs)
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
