//! `memplan-reuse-arguments`: buffers live in the memory of arguments while nothing needs that.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which arguments, and which buffers) -> `hosts::write`.

mod decide;

use crate::{
    coalescing::PackingOptions,
    codes::{INTERNAL, OPTION},
    counts::Counts,
    failure::{fail, fail_as},
    hosts,
};
use codes::MOVED;
use decide::{Change, Decider};
use memplan_declarations::{
    merge_alloc::CALLS,
    reuse_arguments::{RESULTS, codes},
};
use memplan_lifetimes::{NoCallees, Summaries};
use memplan_mlir::{
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, OptionValues, Pass, Run},
    symbols,
};
use memplan_semantics::{
    Readings, Semantics,
    attributes::{self, DONATED, KEEP_FORM},
    functions,
    names::Names,
};
use memplan_summaries::CallGraph;

/// The pass.
pub struct ReuseArguments;

impl Pass for ReuseArguments {
    const DECLARATION: &'static Declaration = &memplan_declarations::reuse_arguments::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        PackingOptions::without_alignment(Self::DECLARATION.argument, values).map(|_| ())
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        if run.values.text(RESULTS.name) == "off" {
            run.preserve_all();
            return Ok(());
        }
        let keeps = run.values.text(CALLS.name) == "capture";
        let how = PackingOptions::without_alignment(Self::DECLARATION.argument, &run.values)
            .map_err(|message| fail(run.op, OPTION, message))?;
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let changes = match Names::default().info(run.op).is_function() {
            true => {
                let callees = NoCallees::new(keeps);
                let decider = Decider::new(&callees, &readings, how);
                all()
                    .filter_map(|function| decider.alone(function))
                    .collect()
            }
            false => {
                let graph = CallGraph::of(run.op, all().collect());
                let callees = Summaries::as_written(run.op, all(), keeps, &readings);
                Decider::new(&callees, &readings, how).all(&graph)
            }
        };
        let changes: Vec<Change<'_>> = changes
            .into_iter()
            .filter(|change| !change.function.has_attribute(KEEP_FORM))
            .collect();
        for change in &changes {
            counts.add([change.guests.len() as u64]);
            for guest in &change.guests {
                hosts::tell(
                    Self::DECLARATION.argument,
                    MOVED,
                    change.function,
                    guest.alloc,
                    format_args!("argument {}", guest.place),
                    run.values.flag("remarks"),
                );
            }
            attributes::forget_pieces(change.function);
            readings.forget(change.function);
            write(change)?;
        }
        if changes.is_empty() {
            run.preserve_all();
        }
        readings.save(run, all());
        counts.publish(run);
        Ok(())
    }
}

fn write(change: &Change<'_>) -> Result<(), Failed> {
    let mut semantics = Semantics::default();
    for place in &change.marks {
        symbols::mark_argument(change.function, *place, DONATED);
    }
    for guest in &change.guests {
        hosts::write(guest.alloc, guest.host, &mut semantics)
            .map_err(|error| fail_as::<ReuseArguments>(change.function, INTERNAL, error))?;
    }
    Ok(())
}
