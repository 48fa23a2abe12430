//! `memplan-hoist`.

use crate::merge_alloc;
use memplan_interface::{Declaration, Example, STATISTICS, StatisticDeclaration};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
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
    options: &[merge_alloc::CALLS, STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "hoisted",
        description: "Allocations hoisted out of loops",
    }],
    codes: &[],
    dialects: &["arith", "memref"],
    module_only: false,
};
