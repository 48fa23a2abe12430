// A size that turns out to be a constant after planning: the arena keeps its marks through canonicalization, and
// upstream's deallocation leaves it alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},inline,canonicalize,\
// RUN:   buffer-deallocation-pipeline)' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @constant(
// CHECK:         %[[ARENA:.*]] = memref.alloc({{.*}}) {{.*}}bufferization.manual_deallocation, memplan.arena} : memref<?xi8>
// CHECK-NOT:     cf.assert
// CHECK-NOT:     dealloc
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NOT:     dealloc
// CHECK:         return
func.func private @sized(%n: index, %x: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  %y = memref.load %b[%c0] : memref<?xf32>
  memref.store %y, %out[%c0] : memref<8xf32>
  return
}
func.func @constant(%x: f32, %out: memref<8xf32>) {
  %c8 = arith.constant 8 : index
  call @sized(%c8, %x, %out) : (index, f32, memref<8xf32>) -> ()
  return
}
