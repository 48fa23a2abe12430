// The consecutive passes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-bounded-pipeline)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-bounded-pipeline,memplan-check-tree)' -o /dev/null
// On functions, and with its options shown.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-bounded-pipeline{mode=scan max-ops=100}))' \
// RUN:   --dump-pass-pipeline -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DUMP
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-bounded-pipeline{max-ops=5})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SMALL

// DUMP: memplan-check-bounded{{.*}}
// DUMP: memplan-expand-loops{max-ops=100 statistics=}
// DUMP: memplan-treeify{max-ops=100 statistics=}
// DUMP: memplan-tree-scan{{.*}}mode=scan
// SMALL: more than max-ops=5

// 1. The buffer of each iteration replaces that of the iteration before the last; a branch on an integer set becomes
// one of blocks.
// CHECK-LABEL: @iterations
// CHECK: memref.alloc() {alignment = 4 : i64, bufferization.manual_deallocation, memplan.arena} : memref<32xi8>
// CHECK-NOT: affine.for
// CHECK-NOT: affine.if
// CHECK-COUNT-3: cf.cond_br
// CHECK-NOT: memplan.before_tree
func.func @iterations(%n: index, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r = affine.for %i = 0 to 2 iter_args(%p = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %p, %b : memref<4xf32> to memref<4xf32>
    affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%n) {
      %v = affine.load %b[0] : memref<4xf32>
      affine.store %v, %b[1] : memref<4xf32>
    }
    affine.yield %b : memref<4xf32>
  }
  memref.copy %r, %x : memref<4xf32> to memref<4xf32>
  return
}
