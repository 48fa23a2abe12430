//! `memplan-results-to-out-params`: private functions write their results to memory that their callers allocate.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which results) -> `write`.

mod decide;
mod in_place;
mod write;

use crate::{codes::INTERNAL, counts::Counts, failure::fail_as};
use memplan_declarations::merge_alloc::CALLS;
use memplan_lifetimes::Summaries;
use memplan_mlir::{
    ir::{Identity, Op},
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{Readings, functions, names::Names};
use memplan_summaries::CallGraph;

use in_place::OutParams;

/// The pass.
pub struct ResultsToOutParams;

impl Pass for ResultsToOutParams {
    const DECLARATION: &'static Declaration =
        &memplan_declarations::results_to_out_params::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        if Names::default().info(run.op).is_function() {
            run.preserve_all();
            return Ok(());
        }
        let bodyless_keep = run.values.text(CALLS.name) == "capture";
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::with_changed(run, all());
        let mut changed = false;
        let mut out_params = OutParams::default();
        for _ in 0..MOST_ROUNDS {
            let graph = CallGraph::of(run.op, all().collect());
            if !decide::has_candidates(&graph) {
                break;
            }
            let summaries = Summaries::as_written(run.op, all(), bodyless_keep, &readings);
            let decided = decide::decide(&graph, &summaries, &readings);
            if decided.is_empty() {
                break;
            }
            changed = true;
            for one in &decided {
                counts.add([one.results.len() as u64]);
                one.calls.iter().for_each(|call| readings.forget(*call));
                readings.forget(one.function);
                let added = write::write(one);
                let added =
                    added.map_err(|error| fail_as::<Self>(one.function, INTERNAL, error))?;
                out_params
                    .entry(one.function.key())
                    .or_default()
                    .extend(added);
            }
            let graph = CallGraph::of(run.op, all().collect());
            let summaries = Summaries::as_written(run.op, all(), bodyless_keep, &readings);
            for one in in_place::decide(&graph, &out_params, &summaries, &readings) {
                one.ops().for_each(|op| readings.forget(op));
                if !in_place::write(&one, &mut out_params) {
                    return Err(fail_as::<Self>(run.op, INTERNAL, "an argument has uses"));
                }
            }
        }
        readings.save(run, all());
        if !changed {
            run.preserve_all();
        }
        counts.publish(run);
        Ok(())
    }
}

/// Largest number of rounds: a result that is one of a callee is seen in the next one.
const MOST_ROUNDS: usize = 16;

/// A function whose results become arguments.
struct Change<'c> {
    function: Op<'c>,
    results: Vec<MovedResult<'c>>,
    /// The calls of the function.
    calls: Vec<Op<'c>>,
}

/// A result that becomes an argument.
struct MovedResult<'c> {
    /// Its number.
    number: usize,
    /// The allocation of its buffer.
    alloc: Op<'c>,
    /// The allocations of buffers that live in its memory before it is written.
    guests: Vec<Op<'c>>,
}
