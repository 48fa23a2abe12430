// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. Read after the bytes went to another buffer.
func.func @overwritten(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 5 : i64} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 3 is read after buffer 5 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 2. Told once: one fault spoils many reads.
func.func @told_once(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 3. Read and overwritten by one operation.
func.func @at_once(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c32 = arith.constant 32 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+2 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  // expected-note @+1 {{overwritten here}}
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 4. Two outputs of one operation overwrite each other.
func.func @outputs(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  "some.op"(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  // expected-error @-1 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  // expected-error @-2 {{buffer 1 is read while buffer 0 overwrites its bytes [memplan-E201]}}
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 5. On one path is enough.
func.func @one_path(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.if %which {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  }
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 6. The next turn of a loop reads what this one overwrites.
func.func @next_turn(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 7. The same in a parallel body, whatever the order in it.
func.func @parallel(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.forall (%i) in (8) {
    // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 8. A value that a loop carries keeps its buffer.
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    scf.yield %b : memref<16xf32>
  }
  %c = memref.view %arena[%c64][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 9. Born again while the instance before is needed.
func.func @born_again(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    // expected-error @+1 {{buffer 1 is born again while an older instance of it may still be read [memplan-E202]}}
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

// 10. An older instance that is only written still takes the bytes of the new one.
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

// 11. The slot is chosen by another value than the one that holds the older instance.
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
    // expected-error @+1 {{buffer 1 is born again while an older instance of it may still be read [memplan-E202]}}
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

// 12. A comparison that wraps the other way.
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

// 13. Pointers into the end of a slot are not seen.
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
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: they are compared with less than the buffer's size [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 14. Both slots may be taken by one value.
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

// 15. A slot is chosen that was not tested.
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
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: a slot is tested at another place than its own [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 16. The choice is not what the attribute says.
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

// 17. Without the attribute, the place is not known.
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
    // expected-error @+1 {{buffer 1 starts at a byte that is not known here [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 18. More values than slots to spare.
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
    // expected-error @+1 {{the slots of buffer 1 cannot be verified: there are more values than slots to spare [memplan-E210]}}
    %b = memref.view %arena[%shift][] {memplan.buffer = 1 : i64, memplan.slots = array<i64: 64, 128>} : memref<256xi8> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 19. Used after the arena was freed.
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

// 20. Returned.
func.func @returned() -> memref<16xf32> {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 escapes: it is returned, but its bytes are the arena's [memplan-E207]}}
  return %a : memref<16xf32>
}

// -----

// 21. Stored, through a view.
func.func @stored(%table: memref<4xmemref<?xf32>>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %cast = memref.cast %a : memref<16xf32> to memref<?xf32>
  // expected-error @+1 {{buffer 0 escapes: it is stored or captured, but its bytes are the arena's [memplan-E207]}}
  memref.store %cast, %table[%c0] : memref<4xmemref<?xf32>>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 22. Cast away.
func.func @cast(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 escapes: it is cast to something that is no memref, but its bytes are the arena's [memplan-E207]}}
  %p = builtin.unrealized_conversion_cast %a : memref<16xf32> to !llvm.ptr
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 23. Its pointer is taken.
func.func @pointer(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  // expected-error @+1 {{buffer 0 escapes: it has its pointer taken, but its bytes are the arena's [memplan-E207]}}
  "some.op"(%p) : (index) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 24. Deallocated.
func.func @deallocated(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes are the arena's [memplan-E208]}}
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 25. Promised to be distinct from one that has its bytes at another time.
func.func @distinct(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffers 0 and 1 share bytes of their arena, so they are no distinct objects [memplan-E209]}}
  %x, %y = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 26. Outside of the arena.
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

// 27. Before the arena.
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

// 28. Not aligned.
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

// 29. A place that is not known.
func.func @unknown(%at: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  // expected-error @+1 {{buffer 7 starts at a byte that is not known here [memplan-E210]}}
  %a = memref.view %arena[%at][] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 30. A size that is not known.
func.func @dynamic(%n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{buffer 7 has no size that is known here [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 7 : i64} : memref<256xi8> to memref<?xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 31. Born in a parallel body, at one place for all.
func.func @shared(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  scf.forall (%i) in (8) {
    // expected-error @+1 {{buffer 0 is born in a parallel body that its arena is outside of [memplan-E210]}}
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 32. A view of an arena that says nothing of its buffer.
func.func @anonymous(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{a view of an arena without `memplan.buffer` [memplan-E211]}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 33. The arena as a whole is used.
func.func @whole(%bytes: memref<256xi8>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  // expected-error @+1 {{an arena is used in a way that cannot be verified [memplan-E211]}}
  memref.copy %bytes, %arena : memref<256xi8> to memref<256xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 34. The arena's pointer is used.
func.func @base(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %p = memref.extract_aligned_pointer_as_index %arena : memref<256xi8> -> index
  // expected-error @+1 {{an arena's pointer is used in a way that cannot be verified [memplan-E211]}}
  "some.op"(%p) : (index) -> ()
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 35. A buffer in something that is no arena.
func.func @no_arena(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+1 {{buffer 0 is a view of something that is no arena [memplan-E210]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 36. Every function gets its diagnostics.
func.func @first(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  // expected-error @+2 {{buffer 0 is deallocated, but its bytes are the arena's [memplan-E208]}}
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
  // expected-error @+2 {{buffer 0 is deallocated, but its bytes are the arena's [memplan-E208]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 37. The arena is less aligned than what is in it.
func.func @arena_alignment() {
  %arena = memref.alloc() {alignment = 2 : i64, memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{buffer 0 has elements aligned to 4, but its arena is not [memplan-E210]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 38. Deallocated by an operation that frees what is owned; retaining is none.
func.func @owned(%in: memref<16xf32>, %own: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %0 = bufferization.dealloc (%in : memref<16xf32>) if (%own) retain (%a : memref<16xf32>)
  // expected-error @+1 {{buffer 0 is deallocated, but its bytes are the arena's [memplan-E208]}}
  bufferization.dealloc (%a : memref<16xf32>) if (%own)
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 39. Born after the arena was freed, with nothing that refers to it in between.
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

// -----

// 40. Read where it was before it was moved.
func.func @moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-note @+1 {{moved here}}
  memref.copy %a, %b {memplan.move} : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is used where it was before it was moved [memplan-E203]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 41. Said to move, and not copied; at another place, and not said to move.
func.func @not_moved(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is not copied to where it is moved [memplan-E212]}}
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.move} : memref<256xi8> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is at another place without having been moved [memplan-E212]}}
  %c = memref.view %arena[%c128][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// 42. Copied over itself as if both places were apart; a loop that does not copy.
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
  // expected-error @+1 {{buffer 1 is not copied to where it is moved [memplan-E212]}}
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
