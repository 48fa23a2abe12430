//! `memplan-merge-results`: the results of a function are parts of one allocation.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which results, and where) -> `write`.

mod decide;

use crate::{coalescing, codes::INTERNAL, counts::Counts, failure::fail_as, merge_alloc};
use decide::ResultBlock;
use memplan_lifetimes::{Summaries, analyse};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{Op, erase, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Example, Failed, Pass, Run, StatisticDeclaration},
    symbols::{self, is_private},
};
use memplan_semantics::{Readings, attributes::BORROWED, functions};
use memplan_summaries::CallGraph;

/// The pass.
pub struct MergeResults;

impl Pass for MergeResults {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-merge-results",
        summary: "Let the results of a public function be parts of one allocation",
        description: "\
The caller of a public function with several results of static size frees each of them. With this pass they are parts of \
one allocation, one for each memory space. The caller frees the first one, which stands for all; the others are marked \
`memplan.borrowed`. It must not free the first one before it has used all of them.

Each result is always one buffer, which the function allocates. The buffer may not be merged with others, freed or stored, \
and nothing may assert where it is. The block is allocated where the first of them was. So it may be held for longer than \
separate results. A function that others of the module call stays as it is: so do private functions.",
        example: Example {
            before: "\
func.func @f(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}",
            after: "\
func.func @f(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32> {memplan.borrowed}) {
  %block = memref.alloc() {alignment = 64 : i64} : memref<96xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %block[%c0][] : memref<96xi8> to memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %c64 = arith.constant 64 : index
  %b = memref.view %block[%c64][] : memref<96xi8> to memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}",
        },
        options: &[merge_alloc::CALLS, coalescing::ALIGNMENT],
        statistics: &[StatisticDeclaration {
            name: "results",
            description: "Results that are parts of a block",
        }],
        codes: &[],
        dialects: &["arith", "memref"],
        module_only: true,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let keeps = run.values.text(merge_alloc::CALLS.name) == "capture";
        let alignment = run.values.integer(coalescing::ALIGNMENT.name) as u64;
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
