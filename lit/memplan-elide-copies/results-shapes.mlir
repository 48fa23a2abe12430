// Several results, results in another shape, waits, and arguments that are freed.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s

// 1. Two results: the second may overlap the first, unless the program says that it does not.
// CHECK-LABEL: func @two
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @two(%y: memref<64xf32> {memplan.noalias}, %z: memref<64xf32> {memplan.noalias}, %v: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %z : memref<64xf32> to memref<64xf32>
  return
}
// CHECK-LABEL: func @two_may_overlap
// CHECK:         memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @two_may_overlap(%y: memref<64xf32>, %z: memref<64xf32>, %v: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %z : memref<64xf32> to memref<64xf32>
  return
}

// 2. In another shape.
// CHECK-LABEL: func @reshaped
// CHECK-NOT:     memref.alloc
// CHECK:         memref.expand_shape %{{.*}} {{\[\[}}0, 1]] output_shape [1, 64]
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @reshaped(%x: memref<1x64xf32>, %y: memref<64xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<1x64xf32>
  linalg.exp ins(%x : memref<1x64xf32>) outs(%b : memref<1x64xf32>)
  %c = memref.collapse_shape %b [[0, 1]] : memref<1x64xf32> into memref<64xf32>
  memref.copy %c, %y : memref<64xf32> to memref<64xf32>
  return
}

// 3. A task that uses the argument may be done only when it has been waited for; or it writes what a view would show.
// CHECK-LABEL: func @waits
// CHECK:         memref.store
// CHECK-NEXT:    async.await
// CHECK-NEXT:    memref.copy
func.func @waits(%y: memref<4xf32>, %t: !async.token, %v: f32, %i: index) {
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  async.await %t : !async.token
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  return
}
// CHECK-LABEL: func @view
// CHECK:         memref.copy
// CHECK-NEXT:    async.await
func.func @view(%x: memref<4xf32>, %t: !async.token, %i: index) -> f32 {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  async.await %t : !async.token
  %r = memref.load %b[%i] : memref<4xf32>
  return %r : f32
}

// 4. The argument is freed while the buffer is needed.
// CHECK-LABEL: func @freed
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.load
func.func @freed(%y: memref<4xf32> {memplan.noalias}, %v: f32, %i: index) -> f32 {
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  %r = memref.load %b[%i] : memref<4xf32>
  return %r : f32
}

// A transposition has all elements, too, but in another order; where it swaps nothing, in the same.
// CHECK-LABEL: func @transposed
// CHECK:         memref.copy
// CHECK-LABEL: func @transposed_square
// CHECK:         memref.copy
// CHECK-LABEL: func @transposed_row
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @transposed(%x: memref<3x4xf32>, %y: memref<4x3xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<3x4xf32>
  linalg.exp ins(%x : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  %c = memref.transpose %b (i, j) -> (j, i) : memref<3x4xf32> to memref<4x3xf32, strided<[1, 4]>>
  memref.copy %c, %y : memref<4x3xf32, strided<[1, 4]>> to memref<4x3xf32>
  return
}
func.func @transposed_square(%x: memref<4x4xf32>, %y: memref<4x4xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c = memref.transpose %b (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  memref.copy %c, %y : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
  return
}
func.func @transposed_row(%x: memref<1x4xf32>, %y: memref<4x1xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<1x4xf32>
  linalg.exp ins(%x : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
  %c = memref.transpose %b (i, j) -> (j, i) : memref<1x4xf32> to memref<4x1xf32, strided<[1, 4]>>
  memref.copy %c, %y : memref<4x1xf32, strided<[1, 4]>> to memref<4x1xf32>
  return
}
