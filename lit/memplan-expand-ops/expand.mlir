// Operations that MLIR's conversion to LLVM leaves become loops.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-expand-ops)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-expand-ops))' \
// RUN:   | FileCheck %s

// 1. A copy to a strided memref. The sizes are those of the source.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[V:.*]] = memref.load %{{.*}}[%[[I]], %[[J]]] : memref<?x4xf32>
// CHECK: memref.store %[[V]], %{{.*}}[%[[I]], %[[J]]] : memref<?x4xf32, strided<[8, 1], offset: 18>>
func.func @strided(%a: memref<?x4xf32>, %b: memref<?x4xf32, strided<[8, 1], offset: 18>>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32, strided<[8, 1], offset: 18>>
  return
}

// -----

// 2. Contiguous memrefs: MLIR's memcpy, whatever the offset.
// CHECK-LABEL: func.func @contiguous
// CHECK-COUNT-2: memref.copy
// CHECK-NOT: scf.for
func.func @contiguous(%a: memref<?x4xf32>, %b: memref<?x4xf32>, %c: memref<2x4xf32>,
                      %d: memref<2x4xf32, strided<[4, 1], offset: ?>>) {
  memref.copy %a, %b : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %c, %d : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  return
}

// -----

// 3. One memref without rank has that of the other; two stay.
// CHECK-LABEL: func.func @unranked
// CHECK: memref.cast %{{.*}} : memref<*xi8> to memref<?xi8, strided<[?], offset: ?>>
// CHECK: scf.for
// CHECK: memref.cast %{{.*}} : memref<*xi8> to memref<?xi8, strided<[?], offset: ?>>
// CHECK: scf.for
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<*xi8> to memref<*xi8>
func.func @unranked(%a: memref<*xi8>, %b: memref<3xi8>, %c: memref<*xi8>) {
  memref.copy %a, %b : memref<*xi8> to memref<3xi8>
  memref.copy %b, %a : memref<3xi8> to memref<*xi8>
  memref.copy %a, %c : memref<*xi8> to memref<*xi8>
  return
}

// -----

// 4. No dimension: one element.
// CHECK-LABEL: func.func @element
// CHECK-NOT: scf.for
// CHECK: memref.load %{{.*}}[] : memref<f32, strided<[], offset: ?>>
// CHECK: memref.store
func.func @element(%a: memref<f32, strided<[], offset: ?>>, %b: memref<*xf32>) {
  memref.copy %a, %b : memref<f32, strided<[], offset: ?>> to memref<*xf32>
  return
}

// -----

// 5. Softmax: the greatest, the exponentials with their sum, the quotients, for each line of the middle dimension.
// CHECK-LABEL: func.func @softmax
// CHECK: scf.for %[[I:.*]] =
// CHECK: scf.for %[[K:.*]] =
// CHECK: %[[MAX:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%[[M:.*]] = %{{.*}})
// CHECK: memref.load %{{.*}}[%[[I]], %[[J]], %[[K]]]
// CHECK: arith.maxnumf %[[M]]
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: arith.subf %{{.*}}, %[[MAX]]
// CHECK: math.exp
// CHECK: memref.store
// CHECK: arith.addf
// CHECK: scf.for
// CHECK: arith.divf %{{.*}}, %[[SUM]]
func.func @softmax(%a: memref<2x?x3xf32>, %b: memref<2x?x3xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<2x?x3xf32>) outs(%b : memref<2x?x3xf32>)
  return
}

// -----

// 6. On tensors, softmax is MLIR's to decompose.
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.softmax
func.func @tensors(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = linalg.softmax dimension(1) ins(%a : tensor<2x3xf32>) outs(%b : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}

// -----

// 7. A scan of a vector.
// CHECK-LABEL: func.func @scan
// CHECK-NOT: vector.scan
// CHECK: arith.addf
func.func @scan(%a: vector<4xf32>, %b: vector<f32>) -> vector<4xf32> {
  %r:2 = vector.scan <add>, %a, %b {inclusive = true, reduction_dim = 0 : i64} : vector<4xf32>, vector<f32>
  return %r#0 : vector<4xf32>
}
