//! `memplan-simplify-dealloc`.

use memplan_interface::{Declaration, Example};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-simplify-dealloc",
    summary: "Simplify bufferization.dealloc to the checks that need the run time",
    description: "\
Follows the provenance of memrefs through views, selects, branches, loops \
and, on a module, the bodies of called functions. The program is read once and written once.

Memrefs that are always the same memory become one operand, freed if the condition of any of \
them holds. Memory that is always retained is not freed. Memrefs that are never the same memory \
are not compared: operations are split, and retained operands removed. Known results become \
constants, and conditions computed from them are then known, too. An allocation that is only \
freed is removed. Views are replaced by their sources, so that a comparison of addresses \
compares allocations.",
    example: Example {
        before: "\
func.func @f(%a: memref<8xf32>, %c: i1) -> i1 {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %b, %d : memref<8xf32> to memref<8xf32>
  %r:2 = bufferization.dealloc (%b, %d : memref<8xf32>, memref<8xf32>) if (%c, %c) retain (%a, %d : memref<8xf32>, memref<8xf32>)
  %s = arith.ori %r#0, %r#1 : i1
  return %s : i1
}",
        after: "\
func.func @f(%a: memref<8xf32>, %c: i1) -> i1 {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  memref.copy %b, %d : memref<8xf32> to memref<8xf32>
  bufferization.dealloc (%b : memref<8xf32>) if (%c)
  %false = arith.constant false
  %s = arith.ori %false, %c : i1
  return %s : i1
}",
    },
    options: &[],
    statistics: &[],
    codes: &[],
    dialects: &["arith", "bufferization"],
    module_only: false,
};
