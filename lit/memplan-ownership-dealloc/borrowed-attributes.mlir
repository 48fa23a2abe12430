// Passes that recreate calls drop the attributes of their results; the function still has them.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-regions,drop-equivalent-buffer-results,memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions,normalize-memrefs,memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions,normalize-memrefs,\
// RUN:   memplan-dealloc-pipeline{placement=block-end})' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func private @make(
// CHECK-SAME:    -> (memref<?xf32> {memplan.borrowed})
// CHECK-NOT:     dealloc
// CHECK:         return
func.func private @make(%n: index, %v: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %v, %a[%c0] : memref<?xf32>
  return %a : memref<?xf32>
}
// CHECK-LABEL: func.func private @passes_on(
// CHECK-NOT:     dealloc
// CHECK:         return
func.func private @passes_on(%n: index, %v: f32) -> memref<?xf32> {
  %a = call @make(%n, %v) : (index, f32) -> memref<?xf32>
  return %a : memref<?xf32>
}
// CHECK-LABEL: func.func @reads(
// CHECK:         call @passes_on
// CHECK-NOT:     dealloc
// CHECK:         call @memplan_region_release
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @reads(%n: index, %v: f32, %i: index) -> f32 {
  %a = call @passes_on(%n, %v) : (index, f32) -> memref<?xf32>
  %r = memref.load %a[%i] : memref<?xf32>
  return %r : f32
}
