// Views of arenas that a pass folded or wrote anew: the arena itself is a buffer, and a view may have lost its number.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: the arena is the only buffer.
func.func @only(%x: memref<64xi8>, %y: memref<64xi8>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  memref.copy %x, %arena : memref<64xi8> to memref<64xi8>
  memref.copy %arena, %y : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. Right: it is written again after another buffer had its bytes.
func.func @again(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  memref.copy %x, %arena : memref<64xi8> to memref<64xi8>
  memref.copy %arena, %y : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %z, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %z : memref<8xf32> to memref<8xf32>
  memref.copy %x, %arena : memref<64xi8> to memref<64xi8>
  memref.copy %arena, %y : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 3. Wrong: another buffer has its bytes meanwhile.
func.func @overwritten(%x: memref<64xi8>, %y: memref<64xi8>, %z: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  memref.copy %x, %arena : memref<64xi8> to memref<64xi8>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %z, %b : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer (all of the arena) is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %arena, %y : memref<64xi8> to memref<64xi8>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. Wrong: it is returned, through a loop.
func.func @returned(%x: memref<64xi8>, %n: index) -> memref<64xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %arena) -> memref<64xi8> {
    memref.copy %x, %a : memref<64xi8> to memref<64xi8>
    scf.yield %a : memref<64xi8>
  }
  // expected-error @+1 {{buffer (all of the arena) escapes: it is returned, but its bytes belong to the arena [memplan-E207]}}
  return %r : memref<64xi8>
}

// -----

// 5. Wrong: it is used after it was freed.
func.func @freed(%x: memref<64xi8>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  // expected-note @+1 {{freed here}}
  memref.dealloc %arena : memref<64xi8>
  // expected-error @+1 {{buffer (all of the arena) is used after its arena was freed [memplan-E204]}}
  memref.copy %x, %arena : memref<64xi8> to memref<64xi8>
  return
}

// -----

// 6. Views without a number are buffers of their own: the first two share no bytes, the third one has those of the first.
func.func @unnumbered(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] : memref<64xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %c = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %b, %c : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer (a view without number) is read after buffer (a view without number) overwrote its bytes [memplan-E201]}}
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 7. Wrong: one of them reaches beyond the arena.
func.func @beyond(%x: memref<8xf32>) {
  %c48 = arith.constant 48 : index
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  // expected-error @+1 {{buffer (a view without number) takes 32 bytes from byte 48 on, but its arena has 64 [memplan-E210]}}
  %a = memref.view %arena[%c48][] : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
