// Buffers that move, and are read elsewhere or copied wrong.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Read where it was before it was moved.
func.func @moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{moved here}}
  memref.copy %a, %b {memplan.move} : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is used at its offset before a move [memplan-E203]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. Said to move, and not copied; at another place, and not said to move.
func.func @not_moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is not copied to its new offset [memplan-E212]}}
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is at another offset without a move [memplan-E212]}}
  %c = memref.view %arena[%c128][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. Copied over itself as if both places were apart; a loop that does not copy.
func.func @over_itself(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c32][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{a move cannot be verified: the two places overlap [memplan-E212]}}
  memref.copy %a, %b {memplan.move} : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 1 is not copied to its new offset [memplan-E212]}}
  %d = memref.view %arena[%c32][] {memplan.buffer = 1 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{a move cannot be verified: the loop does something else [memplan-E212]}}
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %c[%i] : memref<16xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %d[%i] : memref<16xf32>
  } {memplan.move}
  memref.dealloc %arena : memref<256xi8>
  return
}
