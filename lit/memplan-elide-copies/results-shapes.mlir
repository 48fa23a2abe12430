// Several results, and results in another shape.
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
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 64], strides: [64, 1]
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @reshaped(%x: memref<1x64xf32>, %y: memref<64xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<1x64xf32>
  linalg.exp ins(%x : memref<1x64xf32>) outs(%b : memref<1x64xf32>)
  %c = memref.collapse_shape %b [[0, 1]] : memref<1x64xf32> into memref<64xf32>
  memref.copy %c, %y : memref<64xf32> to memref<64xf32>
  return
}
