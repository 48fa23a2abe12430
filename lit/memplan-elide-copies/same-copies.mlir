// Copies of one value at one time are one buffer.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify)' | FileCheck %s --check-prefix=PLANNED

// 1. The source is written before either is read: one copy is needed.
// CHECK-LABEL: func @same(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK-NEXT:    memref.copy %{{.*}}, %[[A]]
// CHECK-NOT:     memref.copy
// CHECK:         linalg.matmul ins(%[[A]], %[[A]]
// PLANNED-LABEL: func @same(
// PLANNED:         memref.alloc() {{.*}} : memref<64xi8>
func.func @same(%x: memref<4x4xf32>, %w: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %b : memref<4x4xf32> to memref<4x4xf32>
  linalg.exp ins(%w : memref<4x4xf32>) outs(%x : memref<4x4xf32>)
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%w : memref<4x4xf32>)
  return
}

// 2. Transpositions and broadcasts, and three copies.
// CHECK-LABEL: func @orders(
// CHECK-COUNT-1: linalg.transpose
// CHECK-NOT:     linalg.transpose
// CHECK-COUNT-1: linalg.broadcast
// CHECK-NOT:     linalg.broadcast
// CHECK:         return
func.func @orders(%x: memref<4x4xf32>, %s: memref<4xf32>, %w: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
  %b = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  %c = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%c : memref<4x4xf32>) permutation = [1, 0]
  %d = memref.alloc() : memref<4x4xf32>
  linalg.broadcast ins(%s : memref<4xf32>) outs(%d : memref<4x4xf32>) dimensions = [0]
  %e = memref.alloc() : memref<4x4xf32>
  linalg.broadcast ins(%s : memref<4xf32>) outs(%e : memref<4x4xf32>) dimensions = [0]
  linalg.exp ins(%w : memref<4x4xf32>) outs(%x : memref<4x4xf32>)
  linalg.exp ins(%s : memref<4xf32>) outs(%s : memref<4xf32>)
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%w : memref<4x4xf32>)
  linalg.matmul ins(%c, %d : memref<4x4xf32>, memref<4x4xf32>) outs(%w : memref<4x4xf32>)
  linalg.matmul ins(%b, %e : memref<4x4xf32>, memref<4x4xf32>) outs(%w : memref<4x4xf32>)
  return
}

// 3. Not if the source, or the first copy, is written in between, or the first copy while the second one is read; nor
// copies in different blocks.
// CHECK-LABEL: func @different(
// CHECK-COUNT-6: memref.copy
// CHECK-LABEL: func @branches(
// CHECK-COUNT-2: memref.copy
func.func @different(%x: memref<4xf32>, %w: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  %c = memref.alloc() : memref<4xf32>
  memref.copy %x, %c : memref<4xf32> to memref<4xf32>
  linalg.mul ins(%c, %w : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  %d = memref.alloc() : memref<4xf32>
  memref.copy %x, %d : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.add ins(%c, %d : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  %e = memref.alloc() : memref<4xf32>
  memref.copy %x, %e : memref<4xf32> to memref<4xf32>
  %f = memref.alloc() : memref<4xf32>
  memref.copy %x, %f : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.mul ins(%e, %x : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
  linalg.add ins(%e, %f : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  return
}
func.func @branches(%x: memref<4xf32>, %w: memref<4xf32>, %p: i1) {
  scf.if %p {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
    linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  }
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%w : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.add ins(%b, %x : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  return
}
