// Buffers outside of their arena, at places that are not known or not aligned; uses of an arena as a whole.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Outside of the arena.
func.func @outside(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c200 = arith.constant 200 : index
  // expected-error @+1 {{buffer 7 takes 64 bytes from byte 200 on, but its arena has 256 [memplan-E210]}}
  %a = memref.view %arena[%c200][] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. Before the arena.
func.func @before(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %minus = arith.constant -64 : index
  // expected-error @+1 {{buffer 7 takes 64 bytes from byte -64 on, but its arena has 256 [memplan-E210]}}
  %a = memref.view %arena[%minus][] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. Not aligned.
func.func @aligned(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{buffer 7 starts at byte 2, but its elements are aligned to 4 [memplan-E210]}}
  %a = memref.view %arena[%c2][] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. A place that is not known.
func.func @unknown(%at: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  // expected-error @+1 {{the offset of buffer 7 is unknown here [memplan-E210]}}
  %a = memref.view %arena[%at][] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 5. A size that is not known.
func.func @dynamic(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{the size of buffer 7 is unknown here [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<?xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 6. Born in a parallel body, at one place for all.
func.func @shared(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i) in (8) {
    // expected-error @+1 {{buffer 0 is created in a parallel body, but its arena is outside [memplan-E210]}}
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 7. A view of an arena that says nothing of its buffer, at an offset that is not constant.
func.func @anonymous(%at: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  // expected-error @+1 {{a view of an arena without `memplan.buffer` [memplan-E211]}}
  %a = memref.view %arena[%at][] : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 8. An arena in an argument is used as a whole.
func.func @whole(%bytes: memref<256xi8>, %arena: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{the arena has a use that cannot be verified [memplan-E211]}}
  memref.copy %bytes, %arena : memref<256xi8> to memref<256xi8>
  return
}

// -----

// 9. The arena's pointer is used.
func.func @base(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %p = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
  // expected-error @+1 {{the pointer of the arena has a use that cannot be verified [memplan-E211]}}
  "some.op"(%p) : (index) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 10. A buffer in something that is no arena.
func.func @no_arena(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{buffer 0 is a view of memory that is not an arena [memplan-E210]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 11. Every function gets its diagnostics.
func.func @first(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+2 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @second(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+2 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 12. The arena is less aligned than what is in it.
func.func @arena_alignment() {
  %arena = memref.alloc() {alignment = 2 : i64, memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{the elements of buffer 0 are aligned to 4, but its arena is not [memplan-E210]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
