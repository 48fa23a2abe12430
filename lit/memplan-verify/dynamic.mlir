// Arenas of dynamic size: correct plans, and errors.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Two slots that follow each other, after a static part.
func.func @good(%n: index, %out: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %m64 = arith.constant -64 : index
  %c128 = arith.constant 128 : index
  %limit = arith.constant 4503599627370496 : index
  %p = arith.minui %n, %limit : index
  %s = arith.muli %p, %c4 : index
  %more = arith.addi %s, %c63 : index
  %up = arith.andi %more, %m64 : index
  %second = arith.addi %c128, %up : index
  %total = arith.addi %second, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %k = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<32xf32>
  %a = memref.view %arena[%c128][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%second][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
  memref.store %x, %k[%c0] : memref<32xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  memref.store %x, %b[%c0] : memref<?xf32>
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. One slot, two buffers at a time.
func.func @same_slot(%n: index, %out: memref<?xf32>) {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %limit = arith.constant 4503599627370496 : index
  %p = arith.minui %n, %limit : index
  %s = arith.muli %p, %c4 : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  // expected-note @+1 {{overwritten here}}
  memref.store %x, %b[%c0] : memref<?xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. A buffer that is not known to end before the next one starts, nor before the arena ends.
func.func @too_small(%n: index, %m: index) {
  %x = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c63 = arith.constant 63 : index
  %m64 = arith.constant -64 : index
  %limit = arith.constant 4503599627370496 : index
  %p = arith.minui %n, %limit : index
  %s = arith.muli %p, %c4 : index
  %more = arith.addi %s, %c63 : index
  %up = arith.andi %more, %m64 : index
  %total = arith.addi %up, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena [memplan-E210]}}
  %a = memref.view %arena[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
  %b = memref.view %arena[%up][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  memref.store %x, %b[%c0] : memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. Beyond the arena: more bytes an element, one dimension more.
func.func @beyond(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %limit = arith.constant 4503599627370496 : index
  %p = arith.minui %n, %limit : index
  %s = arith.muli %p, %c4 : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf64>
  // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may exceed the arena [memplan-E210]}}
  %b = memref.view %arena[%c0][%n, %n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?x?xf32>
  %d = memref.view %arena[%c0][%n] {memplan.buffer = 3 : i64} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. A size that may be negative moves the buffer after it to the front.
func.func @negative(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %m64 = arith.constant -64 : index
  %more = arith.addi %m, %c63 : index
  %up = arith.andi %more, %m64 : index
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.addi %up, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena, whose size may wrap around [memplan-E210]}}
  %a = memref.view %arena[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may start before the arena [memplan-E210]}}
  %b = memref.view %arena[%up][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 6. The static part: a slice in it that ends beyond its end, and one before a slot that starts in it.
func.func @static_part(%n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.addi %c64, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %k = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<17xf32>
  %a = memref.view %arena[%c64][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 7. A slot that is only there under a condition: good around the view, not elsewhere.
func.func @conditional(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %cond = arith.select %c, %n, %c0 : index
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %cond, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  scf.if %c {
    %a = memref.view %arena[%c0][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  } else {
    // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may exceed the arena [memplan-E210]}}
    %a = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  }
  // expected-error @+1 {{the offset of buffer 3 cannot be verified: it may exceed the arena [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 3 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 8. Not aligned: the slot before it is not rounded up.
func.func @unaligned(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %limit = arith.constant 4503599627370496 : index
  %p = arith.minui %n, %limit : index
  %s = arith.muli %p, %c4 : index
  %t = arith.minui %m, %limit : index
  %total = arith.addi %t, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the elements of buffer 2 are aligned to 4, but its offset is not [memplan-E210]}}
  %b = memref.view %arena[%t][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 9. A slot that may start before the arena.
func.func @before(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.addi %m, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may start before the arena [memplan-E210]}}
  %a = memref.view %arena[%m][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 10. The size is the dimension of another view, which is 0: a slot that has no space for more.
func.func @dimension_of_a_view(%n: index, %source: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %empty = memref.view %source[%c0][%c0, %n] : memref<?xi8> to memref<?x4x?xi8>
  %none = memref.dim %empty, %c0 : memref<?x4x?xi8>
  %four = memref.dim %empty, %c1 : memref<?x4x?xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  %b = memref.view %arena[%c0][%none] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 3 cannot be verified: it may exceed the arena [memplan-E210]}}
  %c = memref.view %arena[%c0][%four] {memplan.buffer = 3 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
