// Rotating slots that are too few, or are not those that the attribute lists.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Born again while the instance before is needed.
func.func @born_again(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    // expected-error @+1 {{buffer 1 is created again while an older instance of it may still be read [memplan-E202]}}
    %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    // expected-note @+1 {{read here}}
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. An older instance that is only written still takes the bytes of the new one.
func.func @older_written(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %x : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{buffer 1 is read after an older instance of it overwrote its bytes [memplan-E201]}}
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. The choice is not what the attribute says.
func.func @listed(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c64 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: they are not those that `memplan.slots` lists [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 192>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. Without the attribute, the place is not known.
func.func @unlisted(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c64 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{the offset of buffer 1 is unknown here [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 5. More values than slots to spare.
func.func @crowded(%in: memref<16xf32>, %y: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c64 : index
    %q = memref.extract_aligned_pointer_as_index %y : memref<16xf32> -> index
    %e = arith.subi %q, %base : index
    %e0 = arith.subi %e, %c64 : index
    %too = arith.cmpi ult, %e0, %c64 : index
    %either = arith.ori %taken, %too : i1
    %shift = arith.select %either, %c128, %c64 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: there are more values than spare slots [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}
