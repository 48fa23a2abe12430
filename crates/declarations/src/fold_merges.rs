//! `memplan-fold-merges`.

use memplan_interface::{Declaration, Example};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-fold-merges",
    summary: "Replace merges of one memref or flag by it, and fold control flow by constant \
        flags",
    description: "\
A merge is a block argument, a loop-carried value, a result of an \
operation with regions, or an `arith.select`. A merge that is always the same memref, or the \
same flag (`i1`), is replaced by it, also where merges of several loops refer to each other. \
Logic on constant flags, branches on constants, and `scf.if` and `scf.index_switch` with \
constant conditions are folded. A result of `scf.if` that is one of two memrefs defined outside \
becomes an `arith.select`, unless an operation inside may free memory. Unused flags, selects \
and `scf.if` operations are removed.

Functions without memrefs, and all other operations, are not changed: loops still carry the \
same values. The pass does the part of `canonicalize` that deallocation needs, in O(n log n).",
    example: Example {
        before: "\
func.func @f(%a: memref<8xf32>, %x: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<8xf32>) {
    memref.copy %x, %m : memref<8xf32> to memref<8xf32>
    %s = scf.if %true -> (memref<8xf32>) {
      scf.yield %m : memref<8xf32>
    } else {
      scf.yield %x : memref<8xf32>
    }
    scf.yield %s : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}",
        after: "\
func.func @f(%a: memref<8xf32>, %x: memref<8xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<8xf32>) {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}",
    },
    options: &[],
    statistics: &[],
    codes: &[],
    dialects: &["arith", "cf"],
    module_only: false,
};
