// Arenas of dynamic size that are freed before the function ends.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. One after the other: the first one is freed after its last use.
func.func @in_turn(%n: index, %m: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %a = arith.maxsi %n, %c0 : index
  %one = memref.alloc(%a) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %first = memref.view %one[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%first : memref<?xi8>)
  memref.copy %first, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %one {bufferization.manual_deallocation} : memref<?xi8>
  %b = arith.maxsi %m, %c0 : index
  %other = memref.alloc(%b) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %last = memref.view %other[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%last : memref<?xi8>)
  memref.copy %last, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %other {bufferization.manual_deallocation} : memref<?xi8>
  return
}

// -----

// 2. Freed before the last use.
func.func @too_early(%n: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %a = arith.maxsi %n, %c0 : index
  %one = memref.alloc(%a) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %first = memref.view %one[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%first : memref<?xi8>)
  // expected-note @below {{freed here}}
  memref.dealloc %one {bufferization.manual_deallocation} : memref<?xi8>
  // expected-error @below {{buffer 0 is used after its arena was freed [memplan-E204]}}
  memref.copy %first, %out : memref<?xi8> to memref<?xi8>
  return
}
