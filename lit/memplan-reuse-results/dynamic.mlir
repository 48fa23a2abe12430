// Results of dynamic size: buffers of the same shape live in them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-results)' --split-input-file | FileCheck %s

// 1. The result is allocated where the first buffer was, with the size that is known there.
// CHECK-LABEL: func.func @earlier
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: %[[R:.*]] = memref.alloc(%[[N]]) : memref<?x8xf32>
// CHECK-NEXT: linalg.exp {{.*}}outs(%[[R]]
// CHECK: %[[B:.*]] = memref.alloc(%[[N]]) : memref<?x8xf32>
// CHECK-NOT: memref.alloc
// CHECK: linalg.matmul ins(%[[B]], {{.*}}outs(%[[R]]
// CHECK: return %[[R]]
func.func @earlier(%x: memref<?x8xf32>, %w: memref<8x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x8xf32>)
  linalg.matmul ins(%a, %w : memref<?x8xf32>, memref<8x8xf32>) outs(%b : memref<?x8xf32>)
  %m = memref.dim %b, %c0 : memref<?x8xf32>
  %r = memref.alloc(%m) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x8xf32>)
  linalg.matmul ins(%b, %w : memref<?x8xf32>, memref<8x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}

// -----

// 2. Not in a result of another shape, even of the same number of elements or with a dimension that may be equal.
// CHECK-LABEL: func.func @other_shape
// CHECK-COUNT-4: memref.alloc
func.func @other_shape(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %w: memref<8x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %m = memref.dim %y, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x8xf32>)
  linalg.matmul ins(%a, %w : memref<?x8xf32>, memref<8x8xf32>) outs(%b : memref<?x8xf32>)
  %c = memref.alloc(%n) : memref<8x?xf32>
  linalg.transpose ins(%b : memref<?x8xf32>) outs(%c : memref<8x?xf32>) permutation = [1, 0]
  linalg.transpose ins(%c : memref<8x?xf32>) outs(%x : memref<?x8xf32>) permutation = [1, 0]
  %r = memref.alloc(%m) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x8xf32>)
  linalg.matmul ins(%y, %w : memref<?x8xf32>, memref<8x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}

// -----

// 3. Where the result would have to be allocated in a loop, it stays where it is.
// CHECK-LABEL: func.func @inside
// CHECK: scf.for
// CHECK: memref.alloc
// CHECK: memref.alloc
func.func @inside(%x: memref<?x8xf32>, %k: index) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %n = memref.dim %x, %c0 : memref<?x8xf32>
    %a = memref.alloc(%n) : memref<?x8xf32>
    linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
    memref.copy %a, %x : memref<?x8xf32> to memref<?x8xf32>
  }
  %m = memref.dim %x, %c0 : memref<?x8xf32>
  %r = memref.alloc(%m) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}

// -----

// 4. A number that an operation takes is a size of its result only where that is `memref.alloc`.
// CHECK-LABEL: func.func @of_call
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: return
// CHECK-LABEL: func.func @of_switch
// CHECK: memref.alloc
// CHECK: memref.alloc
// CHECK: return
func.func private @make(index) -> memref<?xf32>
func.func @of_call(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  %m = call @make(%n) : (index) -> memref<?xf32>
  %k = memref.dim %m, %c0 : memref<?xf32>
  %r = memref.alloc(%k) : memref<?xf32>
  linalg.exp ins(%m : memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
func.func @of_switch(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  %m = scf.index_switch %n -> memref<?xf32>
  case 1 { scf.yield %x : memref<?xf32> }
  default { scf.yield %y : memref<?xf32> }
  %k = memref.dim %m, %c0 : memref<?xf32>
  %r = memref.alloc(%k) : memref<?xf32>
  linalg.exp ins(%m : memref<?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}
