// Sizes that are dimensions of a memref that does not have them: value bounds are not asked of these. The program is undefined where
// it computes them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions)' -o /dev/null

// CHECK-LABEL: func @f
// CHECK:         memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// CHECK-NOT:     memref.alloc(
func.func @f(%x: memref<?xf32>, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %n = memref.dim %x, %c-1 : memref<?xf32>
  %c5 = arith.constant 5 : index
  %m = memref.dim %x, %c5 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %one, %a[%c0] : memref<?xf32>
  %v = memref.load %a[%c0] : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.store %v, %b[%c0] : memref<?xf32>
  %w = memref.load %b[%c0] : memref<?xf32>
  memref.store %w, %y[] : memref<f32>
  return
}
