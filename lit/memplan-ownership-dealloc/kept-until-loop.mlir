// Memory that a loop is passed first and never reads: kept until then, it is freed like what an iteration leaves,
// without a flag.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --split-input-file | FileCheck %s

// 1. The loop runs, so that it returns what its last iteration leaves.
func.func private @write(memref<64xf32>)
// CHECK-LABEL: func @never_read
// CHECK:         %[[FIRST:.*]] = memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         scf.for {{.*}} iter_args(%[[M:.*]] = %[[FIRST]]) -> (memref<64xf32>) {
// CHECK-NEXT:      memref.dealloc %[[M]]
// CHECK:           scf.yield %{{[^,]*}} : memref<64xf32>
func.func @never_read() -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<64xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  return %r : memref<64xf32>
}

// -----

// 2. Something is allocated before the loop starts: kept until then, it might raise the peak.
func.func private @write(memref<64xf32>)
// CHECK-LABEL: func @allocates_before
// CHECK:         %[[FIRST:.*]] = memref.alloc()
// CHECK-NEXT:    memref.dealloc %[[FIRST]]
// CHECK:         scf.for {{.*}} iter_args(%[[M:.*]] = %[[FIRST]], %[[OWNS:.*]] = %{{.*}}) -> (memref<64xf32>, i1) {
// CHECK:           bufferization.dealloc (%[[M]] : memref<64xf32>) if (%[[OWNS]])
func.func @allocates_before() -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<64xf32>
  %other = memref.alloc() : memref<64xf32>
  call @write(%other) : (memref<64xf32>) -> ()
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first) -> memref<64xf32> {
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  return %r : memref<64xf32>
}
