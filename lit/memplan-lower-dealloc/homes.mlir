// Where stack memory lives: with the function, so that loops do not take more of it; in a scope where a body runs in
// parallel; with what runs once on its own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s

// 1. A loop.
// CHECK-LABEL: @loop
// CHECK: memref.alloca()
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK: scf.if
func.func @loop(%n: index, %a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c)
  }
  return
}

// 2. Turns that run in parallel.
// CHECK-LABEL: @parallel
// CHECK-NOT: memref.alloca
// CHECK: scf.parallel
// CHECK: %{{.*}}:2 = memref.alloca_scope -> (i64, i64)
// CHECK: memref.alloca()
// CHECK: arith.cmpi eq, %{{.*}}#0, %{{.*}}#1 : i64
func.func @parallel(%n: index, %a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c)
  }
  return
}

// 3. Asynchronous operations.
// CHECK-LABEL: @asynchronous
// CHECK: async.execute
// CHECK: memref.alloca()
func.func @asynchronous(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %token = async.execute {
    bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c)
    async.yield
  }
  async.await %token : !async.token
  return
}

// 4. Each function has its own, of whatever kind it is.
// CHECK: gpu.func @other
// CHECK: memref.alloca()
gpu.module @kernels {
  gpu.func @other(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
    bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %c)
    gpu.return
  }
}

// 5. A loop over tables in what runs in parallel: no loop stands in a scope, so it is done step by step.
// CHECK-LABEL: @steps
// CHECK: scf.parallel
// CHECK-NOT: scf.for
// CHECK-COUNT-21: arith.cmpi
// CHECK-NOT: arith.cmpi
func.func @steps(%n: index, %a0: memref<8xf32>, %a1: memref<8xf32>, %a2: memref<8xf32>, %a3: memref<8xf32>, %a4: memref<8xf32>, %a5: memref<8xf32>, %a6: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    bufferization.dealloc (%a0, %a1, %a2, %a3, %a4, %a5, %a6 : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%c, %c, %c, %c, %c, %c, %c)
  }
  return
}
