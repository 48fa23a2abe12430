//! Passes that belong together, in the order in which they do.

use crate::{
    check_bounded::CheckBounded, expand_loops::ExpandLoops, lower_dealloc::LowerDealloc,
    ownership_dealloc::OwnershipDealloc, simplify_dealloc::SimplifyDealloc, tree_scan::TreeScan,
    treeify::Treeify,
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

/// From a program with loops and branches to one on a stack of known size.
pub static BOUNDED: Pipeline = Pipeline {
    argument: "memplan-bounded-pipeline",
    summary: "Put a bounded program on one stack: check, loops, branches, layout",
    description: "\
The four passes for bounded programs in a row: `memplan-check-bounded`, `memplan-expand-loops`, `memplan-treeify` and \
`memplan-tree-scan`, with MLIR's `lower-affine` in front of the third where there is an `affine.if`. On a module or on \
functions; options are those of the last, and `max-ops` of the second and third.",
    example: Example {
        before: "\
func.func @f(%c: i1, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  }
  return
}",
        after: "\
func.func @f(%c: i1, %x: memref<4xf32>) {
  %stack = memref.alloc() {alignment = 4 : i64, bufferization.manual_deallocation, memplan.arena} : memref<16xi8>
  %first = arith.constant 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.view %stack[%first][] {memplan.buffer = 0 : i64} : memref<16xi8> to memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  %b = memref.view %stack[%first][] {memplan.buffer = 1 : i64} : memref<16xi8> to memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %stack {bufferization.manual_deallocation} : memref<16xi8>
  return
}",
    },
    steps: &[
        Step::Ours(CheckBounded::DECLARATION, &[]),
        Step::Ours(ExpandLoops::DECLARATION, &["max-ops"]),
        Step::Where("affine.if", &[Step::Stock("lower-affine")]),
        Step::Ours(Treeify::DECLARATION, &["max-ops"]),
        Step::Ours(
            TreeScan::DECLARATION,
            &[
                "mode",
                "values",
                "fit",
                "move-budget",
                "apply",
                "arena",
                "alignment",
                "effort",
                "verify",
                "report",
                "remarks",
            ],
        ),
    ],
};
