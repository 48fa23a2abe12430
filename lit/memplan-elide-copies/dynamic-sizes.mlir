// The size of an allocation is the number that it was allocated with: what is computed from it is known before.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' --split-input-file | FileCheck %s

// 1. A pad whose size is computed from the buffer that it is around.
// CHECK-LABEL: func.func @pad
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: %[[M:.*]] = arith.addi %[[N]]
// CHECK: %[[R:.*]] = memref.alloc(%[[M]])
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill {{.*}}outs(%[[R]]
// CHECK: linalg.exp {{.*}}outs(%{{.*}} : memref<?x8xf32, strided<[8, 1], offset: 8>>
// CHECK-NOT: memref.copy
// CHECK: return %[[R]]
func.func @pad(%x: memref<?x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %k = memref.dim %a, %c0 : memref<?x8xf32>
  %m = arith.addi %k, %c2 : index
  %r = memref.alloc(%m) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x8xf32>)
  %s = memref.subview %r[1, 0] [%k, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: 8>>
  memref.copy %a, %s : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: 8>>
  return %r : memref<?x8xf32>
}

// -----

// 2. Two parts of a concatenation.
// CHECK-LABEL: func.func @concatenate
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return
func.func @concatenate(%x: memref<?x8xf32>, %y: memref<?x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %m = memref.dim %y, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%m) : memref<?x8xf32>
  linalg.exp ins(%y : memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  %k = memref.dim %a, %c0 : memref<?x8xf32>
  %l = memref.dim %b, %c0 : memref<?x8xf32>
  %all = arith.addi %k, %l : index
  %r = memref.alloc(%all) : memref<?x8xf32>
  %s = memref.subview %r[0, 0] [%k, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
  memref.copy %a, %s : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1]>>
  %t = memref.subview %r[%k, 0] [%l, 8] [1, 1] : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %b, %t : memref<?x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
  return %r : memref<?x8xf32>
}

// -----

// 3. Beside an allocation whose reshape goes first.
// CHECK-LABEL: func.func @reshaped
// CHECK-NOT: memref.dim %alloc
// CHECK: return
func.func @reshaped(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %k = memref.dim %a, %c0 : memref<?x8xf32>
  %b = memref.alloc(%k) : memref<?x4x2xf32>
  %e = memref.collapse_shape %b [[0], [1, 2]] : memref<?x4x2xf32> into memref<?x8xf32>
  memref.copy %a, %e : memref<?x8xf32> to memref<?x8xf32>
  linalg.exp ins(%e : memref<?x8xf32>) outs(%y : memref<?x8xf32>)
  return %k : index
}
