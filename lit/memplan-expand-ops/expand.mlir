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

// -----

// 8. A masked read with values for the elements that are not read: a read, and a choice of the vector's shape.
// CHECK-LABEL: func.func @passthru
// CHECK-SAME: %[[A:[^:]*]]: memref<?x?xf32>, %[[M:[^:]*]]: vector<2x4xi1>, %[[P:[^:]*]]: vector<4x3x2xf32>
// CHECK-NOT: vector.mask
// CHECK: %[[T:.*]] = vector.transpose %[[M]], [1, 0]
// CHECK: %[[S:.*]] = vector.shape_cast %[[T]] : vector<4x2xi1> to vector<4x1x2xi1>
// CHECK: %[[B:.*]] = vector.broadcast %[[S]] : vector<4x1x2xi1> to vector<4x3x2xi1>
// CHECK: %[[R:.*]] = vector.transfer_read %[[A]][{{.*}}], %{{.*}}, %[[M]]
// CHECK: arith.select %[[B]], %[[R]], %[[P]]
func.func @passthru(%a: memref<?x?xf32>, %m: vector<2x4xi1>, %p: vector<4x3x2xf32>, %i: index, %f: f32) -> vector<4x3x2xf32> {
  %r = vector.mask %m, %p {
    vector.transfer_read %a[%i, %i], %f {in_bounds = [false, true, false],
      permutation_map = affine_map<(i, j) -> (j, 0, i)>} : memref<?x?xf32>, vector<4x3x2xf32>
  } : vector<2x4xi1> -> vector<4x3x2xf32>
  return %r : vector<4x3x2xf32>
}

// -----

// 9. A masked transfer of the element of a memref without dimensions.
// CHECK-LABEL: func.func @only_element
// CHECK: scf.if
// CHECK: memref.load
// CHECK: vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK: scf.if
// CHECK: memref.store
func.func @only_element(%a: memref<f32>, %m: vector<1xi1>, %v: vector<f32>, %f: f32) -> vector<4xf32> {
  %r = vector.transfer_read %a[], %f, %m {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : memref<f32>, vector<4xf32>
  vector.transfer_write %v, %a[], %m : vector<f32>, memref<f32>
  return %r : vector<4xf32>
}

// -----

// 10. A loop that waits in an operation that becomes a coroutine. Another loop stays.
// CHECK-LABEL: func.func @waits
// CHECK: async.execute
// CHECK: scf.execute_region
// CHECK: cf.cond_br
// CHECK: async.await
// CHECK: scf.for
// CHECK: scf.for
func.func @waits(%t: !async.token, %n: index, %a: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %u = async.execute {
    scf.for %i = %c0 to %n step %c1 {
      async.await %t : !async.token
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %f, %a[%i] : memref<?xf32>
    }
    async.yield
  }
  scf.for %i = %c0 to %n step %c1 {
    async.await %u : !async.token
  }
  return
}

// -----

// 11. Branches pass pointers, once references are counted.
// CHECK-LABEL: func.func @passes
// CHECK: %[[P:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !async.token to !llvm.ptr
// CHECK: cf.br ^bb1(%[[P]] : !llvm.ptr)
// CHECK: ^bb1(%[[A:.*]]: !llvm.ptr)
// CHECK: builtin.unrealized_conversion_cast %[[A]] : !llvm.ptr to !async.token
func.func @passes(%t: !async.token) -> i1 {
  cf.br ^next(%t : !async.token)
^next(%u: !async.token):
  %e = async.runtime.is_error %u : !async.token
  return %e : i1
}

// -----

// 12. The greater of two numbers of a type for which LLVM has no code; of others it stays.
// CHECK-LABEL: func.func @greater
// CHECK-NOT: arith.maximumf %{{.*}} : f80
// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: arith.maximumf %{{.*}} : f32
func.func @greater(%a: f80, %b: f80, %c: f32) -> (f80, f32) {
  %x = arith.maximumf %a, %b : f80
  %y = arith.maximumf %c, %c : f32
  return %x, %y : f80, f32
}
