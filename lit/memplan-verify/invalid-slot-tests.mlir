// Rotating slots that are chosen by a wrong test.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. The slot is chosen by another value than the one that holds the older instance.
func.func @other_value(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c64 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{buffer 1 is created again while an older instance of it may still be read [memplan-E202]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    // expected-note @+1 {{read here}}
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. A comparison that wraps in the other direction.
func.func @signed(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
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
    %taken = arith.cmpi slt, %d0, %c64 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: a slot is not tested by `arith.cmpi ult` [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. Pointers into the end of a slot are not seen.
func.func @short(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c32 = arith.constant 32 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c32 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: they are compared with a size below that of the buffer [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. Both slots may be taken by one value.
func.func @long(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c96 = arith.constant 96 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %base = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
    %p = memref.extract_aligned_pointer_as_index %x : memref<16xf32> -> index
    %d = arith.subi %p, %base : index
    %d0 = arith.subi %d, %c64 : index
    %taken = arith.cmpi ult, %d0, %c96 : index
    %shift = arith.select %taken, %c128, %c64 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: they overlap [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 5. A slot is chosen that was not tested.
func.func @untested(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
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
    %shift = arith.select %taken, %c128, %c0 : index
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: a slot is tested at another offset than its own [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
