// Chains in loops and branches.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain max-strips=1})' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-split{forms=plain split-parallel},memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=PARALLEL
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split,memplan-verify,memplan-merge-alloc{verify},memplan-verify)'

// 1. The body of a loop, on rows of memory from outside that are known only at run time.
// CHECK-LABEL: func.func @counted(
// CHECK:         scf.for
// CHECK:           %[[TO:.*]] = memref.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 8]
// CHECK:           scf.for %[[ROW:.*]] =
// CHECK:             memref.alloc() {{.*}} : memref<1x64xf32>
// CHECK:             memref.subview %[[TO]][%[[ROW]], 0] [1, 8]
// CHECK:             linalg.matmul
// CHECK:           memplan.strips = 64
func.func @counted(%x: memref<8x64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<8x64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = memref.alloc() : memref<8x64x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %s = memref.subview %x[%i, 0, 0] [1, 64, 64] [1, 1, 1]
      : memref<8x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %a = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%s : memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%a : memref<64x64xf32>)
    %t = memref.subview %r[%i, 0, 0] [1, 64, 8] [1, 1, 1]
      : memref<8x64x8xf32> to memref<64x8xf32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%t : memref<64x8xf32, strided<[8, 1], offset: ?>>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>)
      outs(%t : memref<64x8xf32, strided<[8, 1], offset: ?>>)
  }
  return %r : memref<8x64x8xf32>
}

// 2. A branch, which writes memory from outside.
// CHECK-LABEL: func.func @branch(
// CHECK:         scf.if
// CHECK:           scf.for
// CHECK:           memplan.strips
func.func @branch(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32, %flag: i1) -> memref<64x8xf32> {
  %r = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<64x8xf32>)
  scf.if %flag {
    %a = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%r : memref<64x8xf32>)
  }
  return %r : memref<64x8xf32>
}

// 3. What one iteration leaves to the next one stays whole, whether it is carried, or from outside.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     memplan.strips
func.func @carried(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%first : memref<64x64xf32>)
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> memref<64x64xf32> {
    %a = memref.alloc() : memref<64x64xf32>
    linalg.transpose ins(%old : memref<64x64xf32>) outs(%a : memref<64x64xf32>) permutation = [1, 0]
    scf.yield %a : memref<64x64xf32>
  }
  %r = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%last : memref<64x64xf32>) outs(%r : memref<64x64xf32>) permutation = [1, 0]
  return %r : memref<64x64xf32>
}
// CHECK-LABEL: func.func @outside(
// CHECK-NOT:     memplan.strips
func.func @outside(%x: memref<64x64xf32>, %w: memref<64x8xf32>) -> memref<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64x64xf32>
  %r = memref.alloc() : memref<64x8xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.exp ins(%a : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%r : memref<64x8xf32>)
  }
  return %r : memref<64x8xf32>
}

// 4. Iterations that run in parallel are left alone, unless `split-parallel` says otherwise.
// CHECK-LABEL: func.func @parallel(
// CHECK-NOT:     memplan.strips
// PARALLEL-LABEL: func.func @parallel(
// PARALLEL:         scf.parallel
// PARALLEL:           scf.for
// PARALLEL:             memref.alloc() {{.*}} : memref<1x64xf32>
// PARALLEL:           memplan.strips = 64
func.func @parallel(%x: memref<8x64x64xf32>, %w: memref<64x8xf32>, %r: memref<8x64x8xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %s = memref.subview %x[%i, 0, 0] [1, 64, 64] [1, 1, 1]
      : memref<8x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    %a = memref.alloc() : memref<64x64xf32>
    %b = memref.alloc() : memref<64x8xf32>
    linalg.exp ins(%s : memref<64x64xf32, strided<[64, 1], offset: ?>>) outs(%a : memref<64x64xf32>)
    linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
    %t = memref.subview %r[%i, 0, 0] [1, 64, 8] [1, 1, 1]
      : memref<8x64x8xf32> to memref<64x8xf32, strided<[8, 1], offset: ?>>
    memref.copy %b, %t : memref<64x8xf32> to memref<64x8xf32, strided<[8, 1], offset: ?>>
  }
  return
}

// 5. Where the outer block holds more for certain, the inner one is left alone.
// CHECK-LABEL: func.func @smaller(
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<64x64xf32>
// CHECK-NOT:     scf.for
// CHECK:         memref.alloc() : memref<128x128xf32>
// CHECK:         scf.for
// CHECK:         memplan.strips
func.func @smaller(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %y: memref<256x128xf32>, %v: memref<128x8xf32>,
                   %zero: f32) -> (memref<256x8xf32>, memref<64x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = memref.alloc() : memref<64x8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.fill ins(%zero : f32) outs(%s : memref<64x8xf32>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%s : memref<64x8xf32>)
  }
  %p = memref.alloc() : memref<128x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<128x128xf32>)
  %b = memref.alloc() : memref<256x128xf32>
  linalg.exp ins(%y : memref<256x128xf32>) outs(%b : memref<256x128xf32>)
  %r = memref.alloc() : memref<256x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<256x8xf32>)
  linalg.matmul ins(%b, %v : memref<256x128xf32>, memref<128x8xf32>) outs(%r : memref<256x8xf32>)
  %e = memref.load %p[%c0, %c1] : memref<128x128xf32>
  memref.store %e, %r[%c0, %c0] : memref<256x8xf32>
  return %r, %s : memref<256x8xf32>, memref<64x8xf32>
}
