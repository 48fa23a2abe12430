//! `memplan-merge-alloc`: static planning. One arena per scope and memory space, or as many as it takes to hold no more
//! than separate allocations would, with a slice for each allocation.
//!
//! read (memplan-lifetimes) -> `decide` -> `write` or `annotate`, and `describe` for the report and the
//! remarks. `work` does this for one function, and `module` for functions that pass arenas to each other,
//! callees first.
mod annotate;
mod arena_limit;
mod arena_placement;
mod arena_size;
mod block_tree;
mod capacity;
mod codes;
mod decide;
mod decide_error;
mod declaration;
mod describe;
mod dynamic;
mod excluded;
mod given;
mod heap;
mod held;
mod iterations;
mod loop_carried;
mod materialize;
mod memory_needs;
mod module;
mod nested_arenas;
mod option_spaces;
mod per_space;
mod plan;
mod settings;
mod shared;
mod size_bounds;
mod size_function;
mod sized_callees;
mod space_names;
mod spill;
mod split;
mod state;
mod work;
mod write;
mod write_plan;

use crate::{codes::OPTION, collector::Collector, counts::Counts, failure::fail};
pub use arena_placement::ArenaPlacement;
pub use block_tree::BlockTree;
pub use declaration::{ARENA, CALLS, MIN_TRIPS};
pub use given::OFFSET;
use given::{PlanFile, PlanOfRun};
use memplan_lifetimes::{Callees, NoCallees, Summaries};
use memplan_mlir::{
    ir::Op,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, functions, names::Names};
use settings::Settings;
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use work::Work;

/// The pass.
pub struct MergeAlloc {
    collector: Collector,
    /// The plan of the option `plan`.
    plan: Mutex<Option<Arc<PlanFile>>>,
}

impl Pass for MergeAlloc {
    const DECLARATION: &'static Declaration = &declaration::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
            plan: Mutex::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        Settings::of(values).map(|_| ())
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        let name = values.text("plan");
        let plan = match name {
            "" => None,
            name => {
                let plan = PlanFile::read(Path::new(name)).map_err(|error| InitError {
                    code: codes::PLAN_FILE,
                    message: format!("cannot read the plan '{name}': {error}"),
                })?;
                Some(Arc::new(plan))
            }
        };
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = plan;
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let settings =
            Settings::of(&run.values).map_err(|message| fail(run.op, OPTION, message))?;
        option_spaces::are_spaces(run.op, &settings)?;
        self.collector.start();
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let counts = Counts::default();
        // Functions are created.
        let mut are_others = false;
        // A function pass must not inspect other functions, which other threads may change.
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let everything: Vec<Op<'_>> = all().collect();
        let before = settings.bounds.set(run.op, &everything, &readings)?;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plan.clone();
        let file = plan.as_deref();
        let result = if Names::default().info(run.op).is_function() {
            let callees = NoCallees::new(bodyless_keep);
            let plan = file.map(PlanOfRun::on_functions);
            let work = self.work(&settings, &callees, &readings, &counts, plan.as_ref());
            functions::visit_groups(run.op, &groups, |function| work.alone(function))
        } else {
            let functions: Vec<Op<'_>> = all().collect();
            option_spaces::are_known(run.op, &functions, &settings)?;
            let callees = Summaries::as_written(run.op, all(), bodyless_keep, &readings);
            let plan = file.map(|file| PlanOfRun::on_module(file, run.op, &functions));
            let plan = plan.transpose()?;
            let work = self.work(&settings, &callees, &readings, &counts, plan.as_ref());
            if module::concerns(&functions, &settings) {
                are_others = true;
                module::run(run.op, functions, &work)
            } else {
                functions::visit_groups(run.op, &groups, |function| work.in_module(function))
            }
        };
        if settings.analyse_only {
            size_bounds::restore(before);
        }
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
        plan: Option<&'w PlanOfRun<'w>>,
    ) -> Work<'w> {
        Work {
            settings,
            callees,
            readings,
            counts,
            collector: &self.collector,
            plan,
        }
    }
}
