//! `memplan-hoist`: allocations of dynamic size in loops are hoisted out of them.
//!
//! read (memplan-lifetimes) -> `decide` (allocations and loops) -> `write`.

mod decide;
mod write;

use crate::{counts::Counts, failure::fail_as, merge_alloc};
use memplan_lifetimes::{AnalysisOptions, Callees, NoCallees, Summaries, analyse_with_options};
use memplan_mlir::{
    codes::INTERNAL,
    ir::Op,
    pass::{Declaration, Example, Failed, Pass, Run, StatisticDeclaration},
};
use memplan_semantics::{Readings, Semantics, functions, names::Names};

/// The pass.
pub struct Hoist;

impl Pass for Hoist {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-hoist",
        summary: "Hoist allocations of dynamic size out of loops",
        description: "\
Moves allocations of dynamic size before the sequential loops that \
contain them (`scf.for`, `affine.for`, and the first region of `scf.while`). The size has to be \
known there, or computable there. No iteration may use the buffer of an earlier one: the buffer \
is not captured, not loop-carried, and not used asynchronously by then. Deallocations in the \
loop become one after it. If the loop may have no iteration, the size is 0 in that case. MLIR's \
`buffer-loop-hoisting` does not check these conditions.

The loop then makes one allocation instead of one in each iteration. The memory is in use until \
the loop ends. Allocations of static size are left to `memplan-merge-alloc`, which places them \
in the arena of the function.",
        example: Example {
            before: "\
func.func @f(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}",
            after: "\
func.func @f(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %iterates = arith.cmpi slt, %c0, %n : index
  %none = arith.constant 0 : index
  %size = arith.select %iterates, %n, %none : index
  %a = memref.alloc(%size) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  }
  memref.dealloc %a : memref<?xf32>
  return
}",
        },
        options: &[merge_alloc::CALLS],
        statistics: &[StatisticDeclaration {
            name: "hoisted",
            description: "Allocations hoisted out of loops",
        }],
        codes: &[],
        dialects: &["arith", "memref"],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let bodyless_keep = run.values.text(merge_alloc::CALLS.name) == "capture";
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
