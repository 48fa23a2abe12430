// The program as it is: paths are followed, and nothing is written out.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true remarks=true})' --verify-diagnostics \
// RUN:   | FileCheck %s

// 1. Forty consecutive branches would be 2^40 paths.
// CHECK-LABEL: @row
// CHECK: memref.alloc() {alignment = 8 : i64, bufferization.manual_deallocation, memplan.arena} : memref<96xi8>
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.view
// CHECK: else
// CHECK: memref.view
// CHECK: memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// expected-remark @+1 {{without expansion: plain 2592, without moves 96, planner 96, with moves 96 (0 bytes moved), live at once 96 [memplan-R801]}}
func.func @row(%c: i1, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%c0] : memref<4xi64>
  scf.for %i = %c0 to %c40 step %c1 {
    scf.if %c {
      %b = memref.alloc() : memref<8xi64>
      memref.store %v, %b[%c0] : memref<8xi64>
    } else {
      %b = memref.alloc() : memref<2xi64>
      memref.store %v, %b[%c0] : memref<2xi64>
    }
  }
  %x = memref.load %a[%c0] : memref<4xi64>
  return %x : i64
}

// 2. A buffer for each iteration, which the next iteration reads: one place is not enough.
// CHECK-LABEL: @carried
// CHECK-NOT: memplan.arena
// CHECK: return
// expected-remark @+2 {{without expansion: plain 96, without moves 32, planner 32, with moves 32 (0 bytes moved), live at once 32 [memplan-R801]}}
// expected-remark @+1 {{virtual=true: nothing was changed: no assignment of one offset to each allocation is valid on all paths and in all iterations [memplan-R803]}}
func.func @carried(%v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<2xi64>
  memref.store %v, %a[%c0] : memref<2xi64>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> (memref<2xi64>) {
    %b = memref.alloc() : memref<2xi64>
    memref.copy %p, %b : memref<2xi64> to memref<2xi64>
    scf.yield %b : memref<2xi64>
  }
  %x = memref.load %r[%c0] : memref<2xi64>
  return %x : i64
}

// 3. The results of the branches are used after them.
// CHECK-LABEL: @given
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: scf.if
// expected-remark @+1 {{without expansion: plain 64, without moves 64, planner 64, with moves 64 (0 bytes moved), live at once 64}}
func.func @given(%c: i1, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%c0] : memref<4xi64>
  %r = scf.if %c -> (memref<4xi64>) {
    %b = memref.alloc() : memref<4xi64>
    memref.copy %a, %b : memref<4xi64> to memref<4xi64>
    scf.yield %b : memref<4xi64>
  } else {
    scf.yield %a : memref<4xi64>
  }
  %x = memref.load %r[%c0] : memref<4xi64>
  return %x : i64
}

// 4. A function that starts with its allocations.
// CHECK-LABEL: @allocations_first
// CHECK: memref.alloc() {{{.*}}memplan.arena} : memref<12xi8>
// CHECK: memref.view
// CHECK: memref.view
// CHECK-NOT: memref.alloc
// CHECK: return
// expected-remark @+1 {{without expansion: plain 12, without moves 12, planner 12, with moves 12 (0 bytes moved), live at once 12}}
func.func @allocations_first(%v: i64, %w: i32) -> (i64, i32) {
  %a = memref.alloc() : memref<i64>
  %b = memref.alloc() : memref<i32>
  memref.store %v, %a[] : memref<i64>
  memref.store %w, %b[] : memref<i32>
  %x = memref.load %a[] : memref<i64>
  %y = memref.load %b[] : memref<i32>
  return %x, %y : i64, i32
}

// 5. Sizes that follow from constants are part of the type, also in a loop. One that is marked to be left alone stays
// so.
// CHECK-LABEL: @sized
// CHECK: memref.alloc() {{{.*}}memplan.arena} : memref<128xi8>
// CHECK: %[[B:.*]] = memref.view {{.*}} to memref<16xi64>
// CHECK: memref.cast %[[B]] : memref<16xi64> to memref<?xi64>
// CHECK: memref.alloc() {memplan.keep} : memref<4xi64>
// CHECK-NOT: memref.alloc
// CHECK: return
// expected-remark @+1 {{without expansion: plain 384, without moves 128, planner 128, with moves 128 (0 bytes moved), live at once 128}}
func.func @sized(%v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = arith.muli %c4, %c4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %b = memref.alloc(%n) : memref<?xi64>
    memref.store %v, %b[%c1] : memref<?xi64>
  }
  %k = memref.alloc(%c4) {memplan.keep} : memref<?xi64>
  memref.store %v, %k[%c1] : memref<?xi64>
  return
}

// 6. A buffer on no executed path has no place on the stack, and stays as it is.
// CHECK-LABEL: @never
// CHECK: memref.alloc() {{{.*}}memplan.arena} : memref<4xi8>
// CHECK: scf.for
// CHECK: memref.alloc() : memref<800xi8>
// CHECK: return
// expected-remark @+1 {{live at once 4}}
func.func @never(%x: memref<4xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi8>
  memref.copy %x, %a : memref<4xi8> to memref<4xi8>
  scf.for %i = %c0 to %c0 step %c1 {
    %b = memref.alloc() : memref<800xi8>
    memref.store %v, %b[%i] : memref<800xi8>
  }
  memref.copy %a, %x : memref<4xi8> to memref<4xi8>
  return
}

// 7. Sizes are no use of memory, and a reshape needs its shape until it is made: 4096 bytes for both buffers, and the
// shape beside one of them.
// CHECK-LABEL: @sizes
// CHECK: memref.alloc() {{{.*}}memplan.arena} : memref<4112xi8>
// expected-remark @+1 {{live at once 4112}}
func.func @sizes(%x: memref<1024xf32>, %s: memref<2xindex>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c2 iter_args(%n = %c0) -> index {
    %a = memref.alloc() : memref<1024xf32>
    memref.copy %x, %a : memref<1024xf32> to memref<1024xf32>
    memref.copy %a, %x : memref<1024xf32> to memref<1024xf32>
    %b = memref.alloc() : memref<1024xf32>
    memref.copy %x, %b : memref<1024xf32> to memref<1024xf32>
    %shape = memref.alloc() : memref<2xindex>
    memref.copy %s, %shape : memref<2xindex> to memref<2xindex>
    %t = memref.reshape %b(%shape) : (memref<1024xf32>, memref<2xindex>) -> memref<?x?xf32>
    %v = memref.load %t[%c0, %c0] : memref<?x?xf32>
    memref.store %v, %x[%c0] : memref<1024xf32>
    %d = memref.dim %a, %c0 : memref<1024xf32>
    scf.yield %d : index
  }
  return %r, %c0 : index, index
}
