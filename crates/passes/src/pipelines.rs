//! Passes that belong together, in the order in which they do.

use crate::{
    lower_dealloc::LowerDealloc, ownership_dealloc::OwnershipDealloc,
    simplify_dealloc::SimplifyDealloc,
};
use memplan_mlir::{
    pass::{Example, Pass},
    pipeline::{Pipeline, Step},
};

/// From allocations without frees to a program that frees what it allocates. An option of a pass is one of
/// the pipeline if it is named here.
pub static DEALLOC: Pipeline = Pipeline {
    argument: "memplan-dealloc-pipeline",
    summary: "Free what a program allocates: ownership, simplification, lowering, and cleaning up",
    description: "\
What is allocated is freed: by `memplan-ownership-dealloc` behind MLIR's `expand-realloc` and `canonicalize`, and where \
something is left to ask in the run, by `memplan-simplify-dealloc` and `memplan-lower-dealloc`, with `cse` and \
`canonicalize` behind. Passes without anything to do are not run, nor is what they leave verified anew. It takes the place of \
`buffer-deallocation-pipeline`, on a module or on functions; options are those of the passes.",
    example: Example {
        before: "\
func.func @f(%a: memref<8xf32>, %c: i1) {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = scf.if %c -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %b : memref<8xf32>
  }
  memref.copy %d, %a : memref<8xf32> to memref<8xf32>
  return
}",
        after: "\
func.func @f(%a: memref<8xf32>, %c: i1) {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = arith.select %c, %a, %b : memref<8xf32>
  memref.copy %d, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}",
    },
    steps: &[
        Step::Where(
            "memref.realloc",
            &[Step::Stock("expand-realloc{emit-deallocs=false}")],
        ),
        Step::Stock("canonicalize"),
        Step::Ours(
            OwnershipDealloc::DECLARATION,
            &["private-function-dynamic-ownership", "placement"],
        ),
        // Most programs leave nothing to ask in the run, and then nothing to clean up either.
        Step::Where(
            "bufferization.dealloc",
            &[
                Step::Ours(SimplifyDealloc::DECLARATION, &[]),
                Step::Ours(LowerDealloc::DECLARATION, &[]),
                Step::Stock("cse"),
                Step::Stock("canonicalize"),
            ],
        ),
    ],
};
