// Many comparisons are loops over tables on the stack: in a function that a module's deallocs share, or where they
// stand.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-lower-dealloc))' \
// RUN:   | FileCheck %s --check-prefix=ALONE
// No allocation on the heap, and code is linear.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-lower-dealloc))' \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE-NOT: memref.alloc()

// 1. Two of them call a function; the tables are one, as large as the larger one needs, at the start.
// CHECK-LABEL: @first
// CHECK: %[[POINTERS:.*]] = memref.alloca() : memref<7xindex>
// CHECK: %[[FLAGS:.*]] = memref.alloca() : memref<7xi1>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: call @memplan_dealloc(
// CHECK-COUNT-4: memref.load %[[FLAGS]]
// CHECK-COUNT-4: memref.dealloc
// CHECK: call @memplan_dealloc(
// CHECK: func.func private @memplan_dealloc(%{{.*}}: memref<?xindex>, %{{.*}}: memref<?xi1>, %{{.*}}: index, %{{.*}}: index)
// ALONE-LABEL: @first
// ALONE: memref.alloca() : memref<7xindex>
// ALONE-NOT: func.call
// ALONE: return
func.func @first(%n: index, %a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r:3 = bufferization.dealloc (%a, %b, %a, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %d, %c, %d) retain (%a, %b, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>)
    bufferization.dealloc (%a, %b, %a, %b, %a, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %d, %c, %d, %c, %d) retain (%b : memref<8xf32>)
  }
  return
}

// -----

// 2. A name that is taken.
// CHECK: func.func private @memplan_dealloc()
// CHECK: call @memplan_dealloc_0(
// CHECK: func.func private @memplan_dealloc_0(
func.func private @memplan_dealloc()
func.func @taken(%a: memref<8xf32>, %c: i1) {
  bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
  return
}
func.func @again(%a: memref<8xf32>, %c: i1) {
  bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
  return
}

// -----

// 3. One dealloc is no reason for a function; nor are some whose conditions do not hold.
// CHECK-LABEL: @once
// CHECK: scf.for
// CHECK-NOT: @memplan_dealloc
func.func @once(%a: memref<8xf32>, %c: i1) {
  bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
  %f = arith.constant false
  bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%f, %f, %f, %f, %f, %f, %f)
  return
}

// -----

// 4. Each module has its own; what is in no module does without.
// CHECK: module @inner
// CHECK: call @memplan_dealloc(
// CHECK: func.func private @memplan_dealloc(
// CHECK: gpu.module @kernels
// CHECK-NOT: call @memplan_dealloc
module @inner {
  func.func @first(%a: memref<8xf32>, %c: i1) {
    bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
    return
  }
  func.func @second(%a: memref<8xf32>, %c: i1) {
    bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
    return
  }
}
gpu.module @kernels {
  gpu.func @kernel(%a: memref<8xf32>, %c: i1) {
    bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
    bufferization.dealloc (%a, %a, %a, %a, %a, %a, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
    gpu.return
  }
}
