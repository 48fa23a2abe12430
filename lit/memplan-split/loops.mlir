// Loops over elements have strips as structured operations do: their bounds become those of a strip.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 forms=plain},memplan-verify)' | \
// RUN:   FileCheck %s
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 split-parallel},memplan-verify,\
// RUN:   cse,memplan-merge-alloc{verify})'

// 1. Loops of scf and affine between structured operations. Those of affine become loops of scf, and their strips share
// bytes.
// CHECK-LABEL: func.func @between(
// CHECK-SAME:    %[[X:[^:]*]]: memref<40x16xf32>
// CHECK:         scf.for %[[STRIP:.*]] =
// CHECK:           %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<1x16xf32>
// CHECK:           %[[IN:.*]] = memref.subview %[[X]][%[[STRIP]], 0] [1, 16] [1, 1]
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[ONE:.*]] step
// CHECK:             scf.for
// CHECK:               memref.load %[[IN]]
// CHECK:               memref.store %{{.*}}, %[[ROWS]]
// CHECK:           } {memplan.rows = {{.*}}operands = array<i64: 0, 1>, split = [array<i64: 0, 1, 0, 40>]
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[ONE]] step
// CHECK:             scf.for
// CHECK:               memref.load %[[ROWS]]
// CHECK:               memref.store %{{.*}}, %[[ROWS]]
// CHECK:           linalg.matmul {memplan.rows
// CHECK:         memplan.strips = 40
func.func @between(%x: memref<40x16xf32>, %y: memref<16x2xf32>) -> memref<40x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c40 = arith.constant 40 : index
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<40x16xf32>
  scf.for %i = %c0 to %c40 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %v = memref.load %x[%i, %j] : memref<40x16xf32>
      %w = arith.mulf %v, %two : f32
      memref.store %w, %a[%i, %j] : memref<40x16xf32>
    }
  }
  %b = memref.alloc() : memref<40x16xf32>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 16 {
      %v = affine.load %a[%i, %j] : memref<40x16xf32>
      %w = arith.addf %v, %two : f32
      affine.store %w, %b[%i, %j] : memref<40x16xf32>
    }
  }
  %c = memref.alloc() : memref<40x2xf32>
  linalg.fill ins(%two : f32) outs(%c : memref<40x2xf32>)
  linalg.matmul ins(%b, %y : memref<40x16xf32>, memref<16x2xf32>) outs(%c : memref<40x2xf32>)
  return %c : memref<40x2xf32>
}

// -----

// 2. A stencil, whose loop starts at 1: three loads of one memref are a window of three rows.
// CHECK-LABEL: func.func @stencil(
// CHECK:         memref.alloc() {{.*}}kept = 2 : i64, {{.*}} : memref<4x8xf32>
// CHECK:         memplan.strips = 17
func.func @stencil(%x: memref<34x8xf32>) -> memref<32x8xf32> {
  %a = memref.alloc() : memref<34x8xf32>
  linalg.exp ins(%x : memref<34x8xf32>) outs(%a : memref<34x8xf32>)
  %b = memref.alloc() : memref<32x8xf32>
  affine.for %i = 1 to 33 {
    affine.for %j = 0 to 8 {
      %u = affine.load %a[%i - 1, %j] : memref<34x8xf32>
      %v = affine.load %a[%i, %j] : memref<34x8xf32>
      %w = affine.load %a[%i + 1, %j] : memref<34x8xf32>
      %p = arith.addf %u, %v : f32
      %q = arith.addf %p, %w : f32
      affine.store %q, %b[%i - 1, %j] : memref<32x8xf32>
    }
  }
  return %b : memref<32x8xf32>
}

// -----

// 3. A product of matrices adds up in what it loads and stores.
// CHECK-LABEL: func.func @product(
// CHECK:         memref.alloc() {{.*}} : memref<2x8xf32>
// CHECK:         memplan.strips = 16
func.func @product(%x: memref<32x8xf32>, %y: memref<8x4xf32>) -> memref<32x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x8xf32>
  linalg.exp ins(%x : memref<32x8xf32>) outs(%a : memref<32x8xf32>)
  %b = memref.alloc() : memref<32x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<32x4xf32>)
  scf.for %i = %c0 to %c32 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %c8 step %c1 {
        %u = memref.load %a[%i, %k] : memref<32x8xf32>
        %v = memref.load %y[%k, %j] : memref<8x4xf32>
        %w = memref.load %b[%i, %j] : memref<32x4xf32>
        %p = arith.mulf %u, %v : f32
        %q = arith.addf %p, %w : f32
        memref.store %q, %b[%i, %j] : memref<32x4xf32>
      }
    }
  }
  return %b : memref<32x4xf32>
}

// -----

// 4. A loop of scf around one of affine.
// CHECK-LABEL: func.func @mixed(
// CHECK-NOT:     affine.
// CHECK:         memplan.strips = 5
func.func @mixed(%x: memref<2x40xf32>, %y: memref<40x2xf32>) -> memref<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<2x40xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    affine.for %j = 0 to 40 {
      %v = memref.load %x[%i, %j] : memref<2x40xf32>
      %w = math.exp %v : f32
      memref.store %w, %a[%i, %j] : memref<2x40xf32>
    }
  }
  %b = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<2x2xf32>)
  linalg.matmul ins(%a, %y : memref<2x40xf32>, memref<40x2xf32>) outs(%b : memref<2x2xf32>)
  return %b : memref<2x2xf32>
}
