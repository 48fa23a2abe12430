//! `memplan-results-to-out-params`: private functions write their results to memory that their callers allocate.
//!
//! read (memplan-summaries, memplan-lifetimes) -> `decide` (which results) -> `write`.

mod decide;
mod in_place;
mod write;

use crate::{codes::INTERNAL, counts::Counts, failure::fail_as, merge_alloc};
use memplan_lifetimes::Summaries;
use memplan_mlir::{
    ir::{Identity, Op},
    pass::{Declaration, Example, Failed, Pass, Run, StatisticDeclaration},
};
use memplan_semantics::{Readings, functions, names::Names};
use memplan_summaries::CallGraph;

use in_place::OutParams;

/// The pass.
pub struct ResultsToOutParams;

impl Pass for ResultsToOutParams {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-results-to-out-params",
        summary: "Private functions write results to memory that their callers allocate",
        description: "\
A result of a private function that is always one buffer of static size, which the function \
allocates, becomes an argument: each caller allocates it before the call. So the plan of the \
caller has it, as if the function was inlined. The argument is marked `memplan.noalias`.

All callers have to be known: only `func.call` may name the function. No argument may be \
donated: `memplan-elide-copies` lets results be these. The buffer may not be \
merged with others, freed or stored, and nothing may assert where it is. It is now allocated \
from the start of the call. Until it is written, its memory holds buffers of the function that \
are dead by then, and no larger. If the function holds more at its peak nonetheless, the result \
stays. So it does if an unknown amount may be held before its allocation. That may be by a call, in memory of dynamic size \
or that is left alone, or in bodies that run in parallel.

Such an argument may be computed in the memory of another one: element by element, or when \
nothing needs that any more. If that is dead after each call, the function has only that one.

The pass works from callees to callers, as the result of a callee may be a result of its \
caller. On a function, it does nothing.",
        example: Example {
            before: "\
func.func private @square(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.mul ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = call @square(%x) : (memref<8xf32>) -> memref<8xf32>
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}",
            after: "\
func.func private @square(%x: memref<8xf32>, %r: memref<8xf32> {memplan.noalias}) {
  linalg.mul ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return
}
func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  call @square(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  return
}",
        },
        options: &[merge_alloc::CALLS],
        statistics: &[StatisticDeclaration {
            name: "results",
            description: "Results that became arguments",
        }],
        codes: &[],
        dialects: &["memref"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        if Names::default().info(run.op).is_function() {
            run.preserve_all();
            return Ok(());
        }
        let bodyless_keep = run.values.text(merge_alloc::CALLS.name) == "capture";
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
