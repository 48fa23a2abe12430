//! `memplan-merge-alloc`: static planning. One arena per scope and memory space, with a slice for each
//! allocation.
//!
//! read (memplan-lifetimes) -> `decide` -> `write` or `annotate`, and `describe` for the report and the
//! remarks. `work` does this for one function, and `module` for functions that pass arenas to each other,
//! callees first.
mod annotate;
mod arena_placement;
mod capacity;
mod codes;
mod decide;
mod declaration;
mod describe;
mod dynamic;
mod fixed_offsets;
mod iterations;
mod loop_carried;
mod materialize;
mod module;
mod nested_arenas;
mod settings;
mod spill;
mod work;
mod write;
mod write_plan;

use crate::{codes::OPTION, collector::Collector, counts::Counts, failure::fail};
pub use declaration::CALLS;
pub use fixed_offsets::OFFSET;
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    ir::Op,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, functions, names::Names};
use settings::Settings;
use work::Work;

/// The pass.
pub struct MergeAlloc {
    collector: Collector,
}

impl Pass for MergeAlloc {
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
            Settings::of(&run.values).map_err(|message| fail(run.op, OPTION, message))?;
        spill::are_spaces(run.op, &settings.spill)?;
        self.collector.start();
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let counts = Counts::default();
        // Functions are created.
        let mut are_others = false;
        // A function pass must not inspect other functions, which other threads may change.
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let result = if Names::default().info(run.op).is_function() {
            let callees = NoCallees::new(bodyless_keep);
            let work = self.work(&settings, &callees, &readings, &counts);
            functions::visit_groups(run.op, &groups, |function| work.alone(function))
        } else {
            let functions: Vec<Op<'_>> = all().collect();
            let callees = Summaries::as_written(run.op, all(), bodyless_keep, &readings);
            let work = self.work(&settings, &callees, &readings, &counts);
            if module::concerns(&functions, &settings) {
                are_others = true;
                module::run(run.op, functions, &work)
            } else {
                functions::visit_groups(run.op, &groups, |function| work.in_module(function))
            }
        };
        if !are_others {
            if !readings.are_changed() {
                run.preserve_all();
            }
            readings.save(run, all());
        }
        counts.publish(run);
        result?;
        match settings.verify && !settings.analyse_only {
            true => memplan_verify::check_all(run.op),
            false => Ok(()),
        }
    }
}

impl MergeAlloc {
    const fn work<'w>(
        &'w self,
        settings: &'w Settings,
        callees: &'w dyn Callees,
        readings: &'w Readings,
        counts: &'w Counts<3>,
    ) -> Work<'w> {
        Work {
            settings,
            callees,
            readings,
            counts,
            collector: &self.collector,
        }
    }
}
