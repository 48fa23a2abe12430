// Operations that cannot be lowered are errors at the operation.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-lower-dealloc)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Memory that one of two allocators made.
func.func @mixed(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  // expected-error @+1 {{'bufferization.dealloc' frees memory of different allocators, which need different deallocations [memplan-E401]}}
  bufferization.dealloc (%s : memref<8xf32>) if (%c)
  return
}

// -----

// 2. Not if it is never freed.
func.func @kept(%c: i1) -> i1 {
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  %r = bufferization.dealloc (%s : memref<8xf32>) if (%false) retain (%a : memref<8xf32>)
  return %r : i1
}
