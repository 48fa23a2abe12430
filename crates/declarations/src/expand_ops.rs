//! `memplan-expand-ops`.

use memplan_interface::{Declaration, Example, STATISTICS, StatisticDeclaration};

/// The declaration of the pass.
pub static DECLARATION: Declaration = Declaration {
    argument: "memplan-expand-ops",
    summary: "Expand operations that MLIR's conversion to LLVM leaves",
    description: "\
Some operations are valid after bufferization, but MLIR's passes do not convert them to LLVM, or \
convert them to calls of MLIR's runtime library. This pass replaces these by loops and branches:

* `memref.copy` where a memref is not contiguous or has no rank. MLIR calls `memrefCopy`. A copy \
between two memrefs without rank stays.
* `linalg.softmax` on memrefs, which MLIR decomposes on tensors only. The maximum and the sum of \
each line are values, so that the pass needs no memory. Sums are in the order of the elements. \
The output may be the input.
* `vector.scan`.
* `vector.mask` around a `vector.transfer_read`, with a vector for the elements that are not read; \
and masked transfers of a memref without dimensions.
* `scf` operations that wait in an `async.func` or `async.execute`. They become branches; MLIR \
leaves loops. After `async-runtime-ref-counting`, tokens, values and groups of `async` that \
branches pass become pointers of LLVM.
* `arith.maximumf` and `arith.minimumf` of f80 and f128, for which LLVM has no code; and of all \
types beside operations that need `arith-expand`, which takes -0 for the greater zero.

Run it before `expand-strided-metadata`. `memplan compile` does.",
    example: Example {
        before: "\
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, strided<[2]>>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}",
        after: "\
func.func @f(%a: memref<4xf32>, %b: memref<4xf32, strided<[2]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %a[%i] : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32, strided<[2]>>
  }
  return
}",
    },
    options: &[STATISTICS],
    statistics: &[StatisticDeclaration {
        name: "expanded",
        description: "Expanded operations",
    }],
    codes: &[],
    dialects: &["arith", "cf", "llvm", "math", "memref", "scf", "vector"],
    module_only: false,
};
