// Memory from outside that an operation writes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none forms=plain},memplan-verify)' \
// RUN:   | FileCheck %s

// 1. Nothing else refers to the memory of `%r`, so that it may be written before all of `%x` is read.
// CHECK-LABEL: func @out(
// CHECK:         scf.for
// CHECK:           linalg.matmul
// CHECK:           %[[PART:.*]] = memref.subview %arg4[
// CHECK:           linalg.matmul {{.*}} outs(%[[PART]]
// CHECK:         } {memplan.chain
func.func @out(%x: memref<64x8xf32>, %w: memref<8x64xf32>, %u: memref<64x4xf32>, %v: f32,
               %r: memref<64x4xf32> {llvm.noalias}) {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.fill ins(%v : f32) outs(%r : memref<64x4xf32>)
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32>)
  return
}

// 2. A part of it.
// CHECK-LABEL: func @part(
// CHECK:         scf.for
// CHECK:         } {memplan.chain
func.func @part(%x: memref<64x8xf32>, %w: memref<8x64xf32>, %u: memref<64x4xf32>, %v: f32,
                %r: memref<96x4xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  %p = memref.subview %r[16, 0] [64, 4] [1, 1] : memref<96x4xf32> to memref<64x4xf32, strided<[4, 1], offset: 64>>
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>)
    outs(%p : memref<64x4xf32, strided<[4, 1], offset: 64>>)
  return
}

// 3. The loop is before the end of the block, which uses other memory from outside.
// CHECK-LABEL: func @end(
// CHECK:         scf.for
// CHECK:         } {memplan.chain
// CHECK-NEXT:    return %arg3
func.func @end(%x: memref<64x8xf32>, %w: memref<8x64xf32>, %u: memref<64x4xf32>, %b: memref<4xf32>,
               %r: memref<64x4xf32> {memplan.noalias}) -> memref<4xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32>)
  return %b : memref<4xf32>
}

// 4. Its rows overlap.
// CHECK-LABEL: func @overlapping(
// CHECK-NOT:     memplan.chain
// CHECK:         return
func.func @overlapping(%x: memref<64x8xf32>, %w: memref<8x64xf32>, %u: memref<64x4xf32>, %v: f32,
                       %r: memref<64x4xf32, strided<[2, 1]>> {memplan.noalias}) {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.fill ins(%v : f32) outs(%r : memref<64x4xf32, strided<[2, 1]>>)
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32, strided<[2, 1]>>)
  return
}

// 5. Once it is stored elsewhere, other operations may refer to it.
// CHECK-LABEL: func @captured(
// CHECK-NOT:     memplan.chain
// CHECK:         return
func.func @captured(%x: memref<64x8xf32>, %w: memref<8x64xf32>, %u: memref<64x4xf32>, %v: f32,
                    %r: memref<64x4xf32> {memplan.noalias}, %cell: memref<memref<64x4xf32>>) {
  memref.store %r, %cell[] : memref<memref<64x4xf32>>
  %a = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.fill ins(%v : f32) outs(%r : memref<64x4xf32>)
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32>)
  return
}

// 6. A view whose place is a constant that is no attribute is memory of its own.
// CHECK-LABEL: func @constant(
// CHECK:         %[[VIEW:.*]] = memref.subview %arg1[%{{.*}}, 0]
// CHECK:         memref.subview %[[VIEW]][
// CHECK:         memplan.chain
func.func @constant(%x: memref<64x64xf32>, %y: memref<65x64xf32>, %w: memref<64x4xf32>, %v: f32) -> memref<64x4xf32> {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %part = memref.subview %y[%c1, 0] [64, 64] [1, 1]
    : memref<65x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
  %b = memref.alloc() : memref<64x64xf32>
  linalg.sub ins(%a, %part : memref<64x64xf32>, memref<64x64xf32, strided<[64, 1], offset: ?>>)
    outs(%b : memref<64x64xf32>)
  %r = memref.alloc() : memref<64x4xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<64x4xf32>)
  linalg.matmul ins(%b, %w : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32>)
  return %r : memref<64x4xf32>
}
