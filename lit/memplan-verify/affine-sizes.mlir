// Sizes of slices that affine maps compute as products.
// RUN: %memplan-opt %s --verify-diagnostics --pass-pipeline='builtin.module(memplan-verify)'

// 1. As large as the part of the arena.
func.func @enough(%n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %most = arith.constant 1125899906842624 : index
  %m = arith.minui %n, %most : index
  %bytes = arith.muli %m, %c16 : index
  %arena = memref.alloc(%bytes) {memplan.arena} : memref<?xi8>
  %k = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%n]
  %a = memref.view %arena[%c0][%k] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// 2. Larger.
func.func @larger(%n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %most = arith.constant 1125899906842624 : index
  %m = arith.minui %n, %most : index
  %bytes = arith.muli %m, %c16 : index
  %arena = memref.alloc(%bytes) {memplan.arena} : memref<?xi8>
  %k = affine.apply affine_map<()[s0] -> (s0 * 5)>()[%n]
  // expected-error @+1 {{it may exceed the arena [memplan-E210]}}
  %a = memref.view %arena[%c0][%k] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}
