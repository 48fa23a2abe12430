//! `memplan-hoist`: allocations of dynamic size in loops are hoisted out of them.
//!
//! read (memplan-lifetimes) -> `decide` (allocations and loops) -> `write`.

mod decide;
mod write;

use crate::{counts::Counts, failure::fail_as};
use memplan_declarations::merge_alloc::CALLS;
use memplan_lifetimes::{AnalysisOptions, Callees, NoCallees, Summaries, analyse_with_options};
use memplan_mlir::{
    codes::INTERNAL,
    ir::Op,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Readings, Semantics, functions, names::Names};

/// The pass.
pub struct Hoist;

impl Pass for Hoist {
    const DECLARATION: &'static Declaration = &memplan_declarations::hoist::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let hoisted = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let visit_all = |callees: &dyn Callees| {
            functions::visit_groups(run.op, &groups, |function| {
                readings.with(function, |semantics| {
                    one(function, semantics, callees, &hoisted)
                })
            })
        };
        // A function pass must not inspect other functions, which other threads may change.
        let result = if Names::default().info(run.op).is_function() {
            visit_all(&NoCallees::new(bodyless_keep))
        } else {
            visit_all(&Summaries::as_written(
                run.op,
                all(),
                bodyless_keep,
                &readings,
            ))
        };
        if !readings.are_changed() {
            run.preserve_all();
        }
        readings.save(run, all());
        hoisted.publish(run);
        result
    }
}

fn one(
    function: Op<'_>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    hoisted: &Counts<1>,
) -> Result<(), Failed> {
    let wanted = AnalysisOptions {
        dynamic: true,
        ..AnalysisOptions::default()
    };
    let analysis = analyse_with_options(function, semantics, callees, &wanted);
    let moves = decide::decide(&analysis, semantics);
    hoisted.add([moves.len() as u64]);
    moves
        .iter()
        .try_for_each(write::write)
        .map_err(|error| fail_as::<Hoist>(function, INTERNAL, error))
}
