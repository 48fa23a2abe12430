// Loops that stay whole: what they do to one row depends on other rows, or on the number of the row.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-split{strip-cost=none})' | \
// RUN:   FileCheck %s --implicit-check-not=memplan.strips
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none forms=plain split-parallel},memplan-verify)' | \
// RUN:   FileCheck %s --check-prefix=PARALLEL --implicit-check-not=memplan.strips

// 1. The number of an iteration is more than an index.
// CHECK-LABEL: func.func @number(
func.func @number() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xindex>
  affine.for %i = 0 to 8 {
    affine.store %i, %a[%i] : memref<8xindex>
  }
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %u = affine.load %a[%i] : memref<8xindex>
    %v = arith.index_cast %u : index to i32
    %w = arith.sitofp %v : i32 to f32
    affine.store %w, %b[%i] : memref<8xf32>
  }
  return %b : memref<8xf32>
}

// -----

// 2. A sum up to each element.
// CHECK-LABEL: func.func @scan(
func.func @scan(%x: memref<9xf32>) -> memref<9xf32> {
  %a = memref.alloc() : memref<9xf32>
  linalg.exp ins(%x : memref<9xf32>) outs(%a : memref<9xf32>)
  affine.for %i = 1 to 9 {
    %u = affine.load %a[%i - 1] : memref<9xf32>
    %v = affine.load %a[%i] : memref<9xf32>
    %w = arith.addf %u, %v : f32
    affine.store %w, %a[%i] : memref<9xf32>
  }
  %b = memref.alloc() : memref<9xf32>
  linalg.exp ins(%a : memref<9xf32>) outs(%b : memref<9xf32>)
  return %b : memref<9xf32>
}

// -----

// 3. The same through two views.
// CHECK-LABEL: func.func @views(
func.func @views(%x: memref<9xf32>) -> memref<9xf32> {
  %a = memref.alloc() : memref<9xf32>
  linalg.exp ins(%x : memref<9xf32>) outs(%a : memref<9xf32>)
  %c = memref.cast %a : memref<9xf32> to memref<9xf32, strided<[1], offset: ?>>
  affine.for %i = 0 to 9 {
    %u = affine.load %c[-%i + 8] : memref<9xf32, strided<[1], offset: ?>>
    affine.store %u, %a[%i] : memref<9xf32>
  }
  %b = memref.alloc() : memref<9xf32>
  linalg.exp ins(%a : memref<9xf32>) outs(%b : memref<9xf32>)
  return %b : memref<9xf32>
}

// -----

// 4. Only some of the rows, a step of two, and an order of its own.
// CHECK-LABEL: func.func @some(
func.func @some(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  affine.for %i = 0 to 5 {
    %u = affine.load %x[%i] : memref<8xf32>
    affine.store %u, %a[%i] : memref<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 step 2 {
    %u = affine.load %a[%i] : memref<8xf32>
    affine.store %u, %b[%i] : memref<8xf32>
  }
  %c = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %u = memref.load %b[%i] : memref<8xf32>
    memref.store %u, %c[%i] : memref<8xf32>
  }
  %d = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %u = affine.load %c[%i] : memref<8xf32>
    affine.store %u, %d[-%i + 7] : memref<8xf32>
  }
  return %d : memref<8xf32>
}

// -----

// 5. A load of what the same iteration has stored, and a value that iterations carry.
// CHECK-LABEL: func.func @carried(
func.func @carried(%x: memref<8xf32>) -> memref<8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %u = affine.load %x[%i] : memref<8xf32>
    affine.store %u, %a[%i] : memref<8xf32>
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %b[%i] : memref<8xf32>
  }
  %c = memref.alloc() : memref<8xf32>
  %sum = affine.for %i = 0 to 8 iter_args(%s = %zero) -> f32 {
    %u = affine.load %b[%i] : memref<8xf32>
    %v = arith.addf %s, %u : f32
    affine.store %v, %c[%i] : memref<8xf32>
    affine.yield %v : f32
  }
  return %c : memref<8xf32>
}

// -----

// 6. A dimension that only threads use has strips with `split-parallel` alone.
// CHECK-LABEL: func.func @parallel(
// PARALLEL-LABEL: func.func @parallel(
// PARALLEL:         scf.for
// PARALLEL:           scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}) to (%{{.*}}) step
// PARALLEL:             memref.store
// PARALLEL:           linalg.matmul {memplan.rows
// PARALLEL:         memplan.strips = 8
func.func @parallel(%x: memref<8x16xf32>, %y: memref<16x2xf32>) -> memref<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8x16xf32>
  affine.parallel (%i, %j) = (0, 0) to (8, 16) {
    %u = affine.load %x[%i, %j] : memref<8x16xf32>
    affine.store %u, %a[%i, %j] : memref<8x16xf32>
  }
  %b = memref.alloc() : memref<8x2xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8x2xf32>)
  linalg.matmul ins(%a, %y : memref<8x16xf32>, memref<16x2xf32>) outs(%b : memref<8x2xf32>)
  return %b : memref<8x2xf32>
}
