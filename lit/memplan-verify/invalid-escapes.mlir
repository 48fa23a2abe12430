// Buffers of an arena that escape, are freed by themselves, or are used after the arena is freed.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Used after the arena was freed.
func.func @freed(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{freed here}}
  memref.dealloc %arena : memref<256xi8>
  // expected-error @+1 {{buffer 0 is used after its arena was freed [memplan-E204]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 2. Returned.
func.func @returned() -> memref<16xf32> {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 escapes: it is returned, but its bytes belong to the arena [memplan-E207]}}
  return %a : memref<16xf32>
}

// -----

// 3. Stored, through a view.
func.func @stored(%table: memref<4xmemref<?xf32>>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %cast = memref.cast %a : memref<16xf32> to memref<?xf32>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes belong to the arena [memplan-E207]}}
  memref.store %cast, %table[%c0] : memref<4xmemref<?xf32>>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. Cast away.
func.func @cast(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 escapes: it is cast to a type that is not a memref, but its bytes belong to the arena [memplan-E207]}}
  %p = builtin.unrealized_conversion_cast %a : memref<16xf32> to !llvm.ptr
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 5. Its pointer is taken.
func.func @pointer(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  // expected-error @+1 {{buffer 0 escapes: it has its pointer extracted, but its bytes belong to the arena [memplan-E207]}}
  "some.op"(%p) : (index) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 6. Deallocated.
func.func @deallocated(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 7. Promised to be distinct from one that has its bytes at another time.
func.func @distinct(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffers 0 and 1 share bytes of their arena, so they are not distinct objects [memplan-E209]}}
  %x, %y = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 8. Deallocated by an operation that frees what is owned; retaining is none.
func.func @owned(%in: memref<16xf32>, %own: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %0 = bufferization.dealloc (%in : memref<16xf32>) if (%own) retain (%a : memref<16xf32>)
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes belong to the arena [memplan-E208]}}
  bufferization.dealloc (%a : memref<16xf32>) if (%own)
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 9. Born after the arena was freed, with nothing that refers to it in between.
func.func @born_after(%in: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{freed here}}
  memref.dealloc %arena : memref<256xi8>
  cf.br ^next
^next:
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is used after its arena was freed [memplan-E204]}}
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  return
}
