//! `memplan-merge-results`: the results of a function are parts of one allocation.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which results, and where) -> `write`.

mod decide;

use crate::{codes::INTERNAL, counts::Counts, failure::fail_as};
use decide::ResultBlock;
use memplan_declarations::{merge_alloc::CALLS, packing_options::ALIGNMENT};
use memplan_lifetimes::{Summaries, analyse};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, erase, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, Pass, Run},
    symbols::{self, is_private},
};
use memplan_semantics::{Readings, attributes::BORROWED, functions};
use memplan_summaries::CallGraph;

/// The pass.
pub struct MergeResults;

impl Pass for MergeResults {
    const DECLARATION: &'static Declaration = &memplan_declarations::merge_results::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let keeps = run.values.text(CALLS.name) == "capture";
        let alignment = run.values.integer(ALIGNMENT.name) as u64;
        let counts: Counts<1> = Counts::default();
        let groups = functions::groups(run.op);
        let all = || groups.iter().flatten().copied();
        let readings = Readings::of(run, all());
        let graph = CallGraph::of(run.op, all().collect());
        let summaries = Summaries::as_written(run.op, all(), keeps, &readings);
        let mut changed = false;
        for (at, function) in graph.functions.iter().enumerate() {
            let is_used = !graph.callers[at].is_empty() || graph.referrer(at).is_some();
            if is_private(*function) || is_used {
                continue;
            }
            let blocks = readings.with(*function, |semantics| {
                let analysis = analyse(*function, semantics, &summaries);
                decide::decide(*function, &analysis, alignment)
            });
            if blocks.is_empty() {
                continue;
            }
            changed = true;
            readings.forget(*function);
            for block in &blocks {
                counts.add([block.parts.len() as u64]);
                write(*function, block)
                    .map_err(|error| fail_as::<Self>(*function, INTERNAL, error))?;
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

/// Allocates a block, and lets results be parts of it.
fn write(function: Op<'_>, block: &ResultBlock<'_>) -> Result<(), BuildError> {
    let first = block.parts.first().ok_or_else(BuildError::unexpected)?;
    let like = results(first.alloc).next().map(type_of);
    let like = like.ok_or_else(BuildError::unexpected)?;
    let builder = Builder::before(block.before, first.alloc.location());
    let builder = builder.ok_or_else(BuildError::unexpected)?;
    let form = builder.bytes_type(block.size as i64, like);
    let bytes = builder.alloc(form, block.alignment as i64)?;
    let bytes = results(bytes).next().ok_or_else(BuildError::unexpected)?;
    for part in &block.parts {
        let value = results(part.alloc)
            .next()
            .ok_or_else(BuildError::unexpected)?;
        let builder = Builder::before(part.alloc, part.alloc.location());
        let builder = builder.ok_or_else(BuildError::unexpected)?;
        let offset = builder.index(part.offset as i64)?;
        let view = builder.view(bytes, offset, type_of(value), &[])?;
        replace_all_uses(value, view);
        erase(part.alloc);
        if part.number != first.number {
            symbols::mark_result(function, part.number, BORROWED);
        }
    }
    Ok(())
}
