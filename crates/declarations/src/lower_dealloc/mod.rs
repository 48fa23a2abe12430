//! `memplan-lower-dealloc`.

pub mod codes;

use memplan_interface::{Declaration, Example};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-lower-dealloc",
    summary: "Lower bufferization.dealloc to deallocations, pointer comparisons, and \
        branches",
    description: "\
An allocation is freed if the condition of any memref in it holds, and no \
retained memref is in it. The lowering allocates nothing on the heap.

Memrefs are compared by their allocations, not by where their data starts, which `memref.view` \
changes. Views are followed to their sources. If all that a memref may be is known, and its \
data starts where its allocation does, addresses are compared. Otherwise the allocated pointer \
is compared, which is the first field of the memref descriptor in the LLVM lowering. It is read \
through stack memory of the function, which LLVM promotes to a register.

A few comparisons are written in place of the operation. Many become loops over a table on the \
stack, so that code size is linear in the number of operands. On a module, operations that need \
such loops share a private function. Memory of `gpu.alloc` is freed by `gpu.dealloc`.",
    example: Example {
        before: "\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  return
}",
        after: "\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  }
  return
}",
    },
    options: &[],
    statistics: &[],
    codes: &[codes::ALL],
    dialects: &["arith", "func", "memref", "scf"],
    module_only: false,
};
