// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | FileCheck %s

// A constant trip count rules out paths. Only memory that an iteration passes on to a next one goes to two alternating
// regions.

// CHECK-LABEL: func.func @affine_never(
// CHECK-NOT: memref<2xi64>
// CHECK: call @memplan_region_make()
// CHECK-NEXT: for
// CHECK: call @memplan_region_allocate(
// CHECK-NOT: call @memplan_region_make()
func.func @affine_never(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %r = affine.for %i = 0 to 0 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    affine.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @scf_never(
// CHECK-NOT: memref<2xi64>
// CHECK: call @memplan_region_make()
// CHECK-NEXT: for
// CHECK: call @memplan_region_allocate(
// CHECK-NOT: call @memplan_region_make()
func.func @scf_never(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @affine_once(
// CHECK-NOT: memref<2xi64>
// CHECK: call @memplan_region_make()
// CHECK-NEXT: for
// CHECK: call @memplan_region_allocate(
// CHECK-NOT: call @memplan_region_make()
func.func @affine_once(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %r = affine.for %i = 0 to 1 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    affine.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @scf_once(
// CHECK-NOT: memref<2xi64>
// CHECK: call @memplan_region_make()
// CHECK-NEXT: for
// CHECK: call @memplan_region_allocate(
// CHECK-NOT: call @memplan_region_make()
func.func @scf_once(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @affine_many(
// CHECK: memref.alloca() : memref<2xi64>
// CHECK-COUNT-2: call @memplan_region_make()
// CHECK: for
// CHECK: call @memplan_region_allocate(
func.func @affine_many(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %r = affine.for %i = 0 to 3 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    affine.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// CHECK-LABEL: func.func @scf_many(
// CHECK: memref.alloca() : memref<2xi64>
// CHECK-COUNT-2: call @memplan_region_make()
// CHECK: for
// CHECK: call @memplan_region_allocate(
func.func @scf_many(%size: index, %given: memref<?xf32>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %given) -> (memref<?xf32>) {
    %b = memref.alloc(%size) : memref<?xf32>
    memref.copy %m, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}
