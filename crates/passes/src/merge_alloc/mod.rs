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
mod banks;
mod block_tree;
mod capacity;
mod chains;
mod decide;
mod decide_error;
mod describe;
mod dynamic;
mod excluded;
mod given;
mod heap;
mod held;
mod iterations;
mod loop_carried;
mod machine_limits;
mod materialize;
mod memory_needs;
mod module;
mod nested_arenas;
mod option_spaces;
mod peak_ops;
mod plan;
mod settings;
mod shared;
mod size_bounds;
mod size_function;
mod sized_callees;
mod spill;
mod split;
mod state;
mod unplanned_memory;
mod work;
mod write;
mod write_plan;

use crate::memory_spaces::machine::GivenMachine;
use crate::{codes::OPTION, collector::Collector, counts::Counts, failure::fail, unbufferized};
use annotate::Originals;
pub use arena_placement::ArenaPlacement;
pub use block_tree::BlockTree;
pub use given::OFFSET;
use given::{PlanFile, PlanOfRun};
pub use heap::most as most_at_once;
pub use memory_needs::{Bytes, MemoryNeeds, merge as merge_needs};
use memplan_declarations::merge_alloc::{CALLS, codes};
use memplan_lifetimes::{NoCallees, Summaries};
use memplan_mlir::{
    copy::DetachedCopy,
    ir::Op,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_semantics::{Readings, functions, names::Names};
use settings::Settings;
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
pub use unplanned_memory::{bytes as unplanned_bytes, unplanned};
use work::Work;

/// The pass.
pub struct MergeAlloc {
    collector: Collector,
    /// The plan of the option `plan`.
    plan: Mutex<Option<Arc<PlanFile>>>,
    /// The description of the option `machine`.
    machine: GivenMachine,
}

impl Pass for MergeAlloc {
    const DECLARATION: &'static Declaration = &memplan_declarations::merge_alloc::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
            plan: Mutex::default(),
            machine: GivenMachine::default(),
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
        self.machine.open(values)?;
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl MergeAlloc {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        let mut settings =
            Settings::of(&run.values).map_err(|message| fail(run.op, OPTION, message))?;
        option_spaces::are_spaces(run.op, &settings)?;
        settings.machine = self.machine.of(run.op)?;
        if let Some(machine) = settings.machine.clone() {
            let applied = machine_limits::apply(&machine, &mut settings);
            applied.map_err(|message| fail(run.op, codes::MACHINE, message))?;
        }
        settings.capacity = settings.capacity.least(&settings.budget);
        unbufferized::warn(run.op);
        let counts = Counts::default();
        let result = match self.copy_to_analyse(run.op, &settings) {
            None => self.plan(run, run.op, &settings, Originals::Same, &counts),
            Some(copy) => {
                let originals = Originals::Copied(copy.originals());
                self.plan(run, copy.op(), &settings, originals, &counts)
            }
        };
        counts.publish(run);
        result?;
        match settings.verify && !settings.analyse_only {
            true => memplan_verify::check_all(run.op),
            false => Ok(()),
        }
    }
}

impl MergeAlloc {
    /// A copy of a module that is analysed only: what its functions pass to each other is planned as it is written.
    fn copy_to_analyse<'c>(&self, op: Op<'c>, settings: &Settings) -> Option<DetachedCopy<'c>> {
        if !settings.analyse_only || Names::default().info(op).is_function() {
            return None;
        }
        let functions: Vec<Op<'c>> = functions::groups(op).into_iter().flatten().collect();
        match module::concerns(&functions, settings) {
            true => DetachedCopy::of(op),
            false => None,
        }
    }

    /// Plans the functions at or below an operation.
    fn plan<'c>(
        &self,
        run: &Run<'c>,
        root: Op<'c>,
        settings: &Settings,
        originals: Originals<'_, 'c>,
        counts: &Counts<3>,
    ) -> Result<(), Failed> {
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        // Functions are created.
        let mut are_others = false;
        // A function pass must not inspect other functions, which other threads may change.
        let groups = functions::groups(root);
        let all = || groups.iter().flatten().copied();
        let readings = match originals {
            Originals::Same => Readings::of(run, all()),
            // Earlier passes know nothing about a copy.
            Originals::Copied(_) => Readings::default(),
        };
        let everything: Vec<Op<'c>> = all().collect();
        let before = settings.bounds.set(root, &everything, &readings)?;
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plan.clone();
        let file = plan.as_deref();
        let work = Work {
            settings,
            callees: &NoCallees::new(bodyless_keep),
            readings: &readings,
            counts,
            collector: &self.collector,
            plan: None,
        };
        let result = if Names::default().info(root).is_function() {
            let plan = file.map(PlanOfRun::on_functions);
            let work = Work {
                plan: plan.as_ref(),
                ..work
            };
            functions::visit_groups(root, &groups, |function| work.alone(function))
        } else {
            option_spaces::are_known(root, &everything, settings)?;
            let plan = file.map(|file| PlanOfRun::on_module(file, root, &everything));
            let plan = plan.transpose()?;
            let work = Work {
                callees: &Summaries::as_written(root, all(), bodyless_keep, &readings),
                plan: plan.as_ref(),
                ..work
            };
            if module::concerns(&everything, settings) {
                are_others = true;
                module::run(root, everything, &work, &originals)
            } else {
                functions::visit_groups(root, &groups, |function| work.in_module(function))
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
        result
    }
}
