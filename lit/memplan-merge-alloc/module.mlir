// Scheduled on a module and on functions, with threads and without: the same bytes. Run again: nothing changes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc)' -o %t.module
// RUN: FileCheck %s < %t.module
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc)' --mlir-disable-threading \
// RUN:   | diff %t.module -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc)' | diff %t.module -
// RUN: %memplan-opt %t.module --pass-pipeline='builtin.module(memplan-merge-alloc)' | diff %t.module -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc))' \
// RUN:   | FileCheck %s --check-prefix=FUNC

// 1. A callee with a body: a module pass looks into it, a function pass must not.
// CHECK-LABEL: func @reads
func.func @reads(%m: memref<64xf32>, %out: memref<64xf32>) {
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  return
}
// FUNC-LABEL:  func @caller
// FUNC-NOT:      memplan.arena
// FUNC:          return
func.func @caller(%out: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  call @reads(%a, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// 2. A module in a module.
// CHECK-LABEL: module @inner
// CHECK:         func.func @nested
// CHECK:         memplan.arena
module @inner {
  func.func @nested(%in: memref<64xf32>, %out: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    return
  }
}

// 3. Other operations that are functions.
// CHECK-LABEL: gpu.module @kernels
// CHECK:         gpu.func @kernel
// CHECK:           %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK:           memref.dealloc %[[ARENA]]
// CHECK-NEXT:      gpu.return
gpu.module @kernels {
  gpu.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    memref.copy %in, %a : memref<64xf32> to memref<64xf32>
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    gpu.return
  }
}
