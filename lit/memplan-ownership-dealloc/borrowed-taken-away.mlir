// Results that other passes take away.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-regions,remove-dead-values,memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-regions,remove-dead-values,func.func(memplan-ownership-dealloc))' \
// RUN:   | FileCheck %s

// 1. The second of two borrowed results is left.
// CHECK-LABEL: func.func private @two(
// CHECK-SAME: -> (memref<?xf32> {memplan.borrowed})
func.func private @two(%n: index, %a: memref<?xf32>) -> (memref<?xf32>, i32, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %c = arith.constant 1 : i32
  return %a, %c, %b : memref<?xf32>, i32, memref<?xf32>
}
// CHECK-LABEL: func.func @uses_one(
// CHECK: call @two
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @uses_one(%n: index, %a: memref<?xf32>) {
  %x, %i, %b = call @two(%n, %a) : (index, memref<?xf32>) -> (memref<?xf32>, i32, memref<?xf32>)
  memref.copy %b, %a : memref<?xf32> to memref<?xf32>
  return
}
