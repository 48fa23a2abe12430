// Loops and their straight-line code.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-expand-loops)' | FileCheck %s
// Twice is once.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-expand-loops,memplan-expand-loops)' | FileCheck %s
// On functions.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-expand-loops))' | FileCheck %s

// 1. A step that does not divide: 0, 3, 6, 9.
// CHECK-LABEL: @cut_off
// CHECK-NOT: scf.for
// CHECK: memref.store %arg1, %arg0[%c0_{{[0-9]+}}]
// CHECK-NEXT: arith.constant 3 : index
// CHECK-NEXT: memref.store %arg1, %arg0[%c3_{{[0-9]+}}]
// CHECK-NEXT: arith.constant 6 : index
// CHECK-NEXT: memref.store %arg1, %arg0[%c6]
// CHECK-NEXT: arith.constant 9 : index
// CHECK-NEXT: memref.store %arg1, %arg0[%c9]
// CHECK-NEXT: return
func.func @cut_off(%m: memref<10xf32>, %v: f32) {
  %lower = arith.constant 0 : index
  %upper = arith.constant 10 : index
  %step = arith.constant 3 : index
  scf.for %i = %lower to %upper step %step {
    memref.store %v, %m[%i] : memref<10xf32>
  }
  return
}

// 2. Values that a loop swaps are swapped: after three iterations they have changed places.
// CHECK-LABEL: @swap
// CHECK-NOT: scf.for
// CHECK: return %arg1, %arg0
func.func @swap(%a: f32, %b: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) {
    scf.yield %y, %x : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// 3. No iteration: the results are the initial values. The same holds where the upper bound is below the lower one.
// CHECK-LABEL: @none
// CHECK-NOT: scf.for
// CHECK: return %arg0
func.func @none(%a: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %low = arith.constant -5 : index
  %r = scf.for %i = %c5 to %low step %c1 iter_args(%x = %a) -> (f32) {
    %s = arith.addf %x, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// 4. Integers, from below zero: -7, -2, 3.
// CHECK-LABEL: @integers
// CHECK-NOT: scf.for
// CHECK: %[[X:.*]] = arith.addi %arg0, %c-7_i32_{{[0-9]+}}
// CHECK: %[[B:.*]] = arith.constant -2 : i32
// CHECK: %[[Y:.*]] = arith.addi %[[X]], %[[B]]
// CHECK: %[[C:.*]] = arith.constant 3 : i32
// CHECK: %[[Z:.*]] = arith.addi %[[Y]], %[[C]]
// CHECK: return %[[Z]]
func.func @integers(%a: i32) -> i32 {
  %lower = arith.constant -7 : i32
  %upper = arith.constant 8 : i32
  %step = arith.constant 5 : i32
  %r = scf.for %i = %lower to %upper step %step iter_args(%x = %a) -> (i32) : i32 {
    %s = arith.addi %x, %i : i32
    scf.yield %s : i32
  }
  return %r : i32
}

// 5. Inner bounds that depend on an outer induction variable: 0 + 1 + 2 iterations. Bounds are computed.
// CHECK-LABEL: @triangle
// CHECK-NOT: scf.for
// CHECK-COUNT-3: call @note
// CHECK-NOT: call @note
// CHECK: return
func.func private @note(index, index)
func.func @triangle() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.addi %c1, %c2 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      func.call @note(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// 6. affine.for, with bounds of several maps and carried values.
// CHECK-LABEL: @affine
// CHECK-NOT: affine.for
// CHECK: affine.load %arg0[%{{.*}}]
// CHECK: %[[A:.*]] = arith.addf %arg1
// CHECK: affine.load %arg0[%{{.*}}]
// CHECK: %[[B:.*]] = arith.addf %[[A]]
// CHECK-NOT: affine.load
// CHECK: return %[[B]]
func.func @affine(%m: memref<8xf32>, %a: f32) -> f32 {
  %c6 = arith.constant 6 : index
  %r = affine.for %i = max affine_map<(d0) -> (0, d0 - 4)>(%c6) to min affine_map<(d0) -> (d0, 8)>(%c6) step 3 iter_args(%x = %a) -> (f32) {
    %v = affine.load %m[%i] : memref<8xf32>
    %s = arith.addf %x, %v : f32
    affine.yield %s : f32
  }
  return %r : f32
}

// 7. A loop with constant bounds around one without: the inner one is duplicated for each iteration.
// CHECK-LABEL: @around
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @around(%n: index, %m: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %v, %m[%j] : memref<?xf32>
    }
  }
  return
}

// 8. Memrefs are carried as all else is, and a loop in a branch is written out there.
// CHECK-LABEL: @memrefs
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: memref.copy %arg1, %arg2
// CHECK-NEXT: memref.copy %arg2, %arg1
// CHECK: return
func.func @memrefs(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.if %c {
    %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
      memref.copy %x, %y : memref<4xf32> to memref<4xf32>
      scf.yield %y, %x : memref<4xf32>, memref<4xf32>
    }
  }
  return
}

// 9. Unsigned bounds: 200 to 250 as i8 are above each other, with steps of 25.
// CHECK-LABEL: @unsigned
// CHECK-COUNT-2: call @byte
// CHECK-NOT: call @byte
// CHECK: return
func.func private @byte(i8)
func.func @unsigned() {
  %lower = arith.constant 200 : i8
  %upper = arith.constant 250 : i8
  %step = arith.constant 25 : i8
  scf.for unsigned %i = %lower to %upper step %step : i8 {
    func.call @byte(%i) : (i8) -> ()
  }
  return
}

// 10. Turns that write nothing are not counted off one by one: an odd number of swaps.
// CHECK-LABEL: @many_swaps(
// CHECK-SAME:    %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32)
// CHECK:         return %[[B]], %[[A]], %[[A]]
func.func @many_swaps(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4611686018427387905 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %c) -> (f32, f32, f32) {
    scf.yield %y, %x, %x : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : f32, f32, f32
}
// CHECK-LABEL: @nothing(
// CHECK-NEXT:    return
func.func @nothing() {
  affine.for %i = 0 to 9223372036854775807 {
  }
  return
}

// 11. In a loop that never runs, nothing is written out, whatever the number of iterations inside.
// CHECK-LABEL: @never
// CHECK-NOT: scf.for
// CHECK: return
func.func @never(%m: memref<f32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %many = arith.constant 1000000000000 : index
  scf.for %i = %c1 to %c0 step %c1 {
    scf.for %j = %c0 to %many step %c1 {
      memref.store %v, %m[] : memref<f32>
    }
  }
  return
}
