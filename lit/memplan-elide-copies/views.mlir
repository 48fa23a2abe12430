// Copies that are only read become views.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s

// 1. A transposed argument. The operation that reads it writes no other argument, which may be the same memory.
// CHECK-LABEL: func @transposed
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4x8xf32>
// CHECK-NEXT:    %[[T:.*]] = memref.transpose %[[X]] (d0, d1) -> (d1, d0) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
// CHECK:         linalg.matmul ins(%{{.*}}, %[[T]]
func.func @transposed(%x: memref<4x8xf32>, %w: memref<2x8xf32>, %y: memref<2x4xf32>) {
  %t = memref.alloc() : memref<8x4xf32>
  linalg.transpose ins(%x : memref<4x8xf32>) outs(%t : memref<8x4xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<2x4xf32>
  linalg.matmul ins(%w, %t : memref<2x8xf32>, memref<8x4xf32>) outs(%r : memref<2x4xf32>)
  memref.copy %r, %y : memref<2x4xf32> to memref<2x4xf32>
  return
}

// 2. Of three dimensions, with a view of the copy that can be one of the view: place i is dimension permutation[i].
// CHECK-LABEL: func @heads
// CHECK:         %[[T:.*]] = memref.transpose %{{.*}} (d0, d1, d2, d3) -> (d0, d2, d3, d1) : memref<1x5x2x3xf32> to memref<1x2x3x5xf32, strided<[30, 3, 1, 6]>>
// CHECK-NEXT:    memref.collapse_shape %[[T]] {{.*}} into memref<2x3x5xf32, strided<[3, 1, 6]>>
func.func @heads(%x: memref<1x5x2x3xf32>, %y: memref<2x3x5xf32>) {
  %t = memref.alloc() : memref<1x2x3x5xf32>
  linalg.transpose ins(%x : memref<1x5x2x3xf32>) outs(%t : memref<1x2x3x5xf32>) permutation = [0, 2, 3, 1]
  %v = memref.collapse_shape %t [[0, 1], [2], [3]] : memref<1x2x3x5xf32> into memref<2x3x5xf32>
  %r = memref.alloc() : memref<2x3x5xf32>
  linalg.exp ins(%v : memref<2x3x5xf32>) outs(%r : memref<2x3x5xf32>)
  memref.copy %r, %y : memref<2x3x5xf32> to memref<2x3x5xf32>
  return
}

// 3. A copy of an argument that is written only when nothing reads the copy any more.
// CHECK-LABEL: func @read_first
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.copy %{{.*}}, %alloc
// CHECK:         return
func.func @read_first(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%c : memref<8xf32>) outs(%r : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%x : memref<8xf32>)
  memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  return
}

// 4. Not where it is written before: both arguments may be the same memory.
// CHECK-LABEL: func @read_after
// CHECK:         memref.copy
func.func @read_after(%x: memref<8xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
  linalg.add ins(%c, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 5. A copy of an argument stays where a callee may write it, or an operation of unknown effects.
// CHECK-LABEL: func @called
// CHECK:         memref.copy
// CHECK-LABEL: func @unknown
// CHECK:         memref.copy
func.func private @callee()
func.func @called(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  call @callee() : () -> ()
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%c : memref<8xf32>) outs(%r : memref<8xf32>)
  memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  return
}
func.func @unknown(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  "some.thing"() : () -> ()
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%c : memref<8xf32>) outs(%r : memref<8xf32>)
  memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  return
}

// 6. A copy stays where it is written, in part, or where its source is.
// CHECK-LABEL: func @copy_written
// CHECK:         memref.copy
// CHECK-LABEL: func @source_written
// CHECK:         memref.copy
func.func @copy_written(%x: memref<8xf32>, %y: memref<8xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  memref.store %zero, %c[%i] : memref<8xf32>
  linalg.exp ins(%c : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func @source_written(%x: memref<8xf32>, %y: memref<8xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%s : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  memref.copy %s, %c : memref<8xf32> to memref<8xf32>
  memref.store %zero, %s[%i] : memref<8xf32>
  linalg.add ins(%c, %s : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 7. A copy stays where a use does not take strides.
// CHECK-LABEL: func @strides
// CHECK:         linalg.transpose
func.func private @sink(memref<8x4xf32>)
func.func @strides(%x: memref<4x8xf32>) {
  %t = memref.alloc() : memref<8x4xf32>
  linalg.transpose ins(%x : memref<4x8xf32>) outs(%t : memref<8x4xf32>) permutation = [1, 0]
  call @sink(%t) : (memref<8x4xf32>) -> ()
  return
}
