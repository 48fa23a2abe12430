// Arenas of dynamic size: sizes that wrap around. What value bounds say of mathematical integers does not hold for these.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. A product of two dimensions that wraps around, although it has a limit afterwards.
func.func @f(%n: index, %m: index, %out: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %limit = arith.constant 18014398509481984 : index
  %p = arith.muli %n, %m : index
  %a = arith.maxsi %p, %c0 : index
  %s = arith.minsi %a, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%c0][%n, %m] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?x?xi8>)
  memref.copy %one, %out : memref<?x?xi8> to memref<?x?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. One dimension times a constant wraps around, too.
func.func @f(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 7.0 : f32
  %limit = arith.constant 18014398509481984 : index
  %p = arith.muli %n, %c4 : index
  %s = arith.minui %p, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%one : memref<?xf32>)
  memref.copy %one, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. A product that is the largest number where it has more bits does not; nor does one that the program computes, of a buffer with
// that many elements.
func.func @f(%n: index, %m: index, %out: memref<?x?xi8>, %more: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %x = arith.constant 7 : i8
  %limit = arith.constant 18014398509481984 : index
  %low, %high = arith.mului_extended %n, %m : index
  %overflows = arith.cmpi ne, %high, %c0 : index
  %p = arith.select %overflows, %c-1, %low : index
  %s = arith.minui %p, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%c0][%n, %m] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?x?xi8>)
  memref.copy %one, %out : memref<?x?xi8> to memref<?x?xi8>
  %q = arith.muli %m, %n : index
  %two = memref.view %arena[%c0][%q] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%two : memref<?xi8>)
  memref.copy %two, %more : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. The half that is tested is that of another product.
func.func @f(%n: index, %m: index, %k: index, %out: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %x = arith.constant 7 : i8
  %limit = arith.constant 18014398509481984 : index
  %low, %other = arith.mului_extended %n, %m : index
  %least, %high = arith.mului_extended %n, %k : index
  %overflows = arith.cmpi ne, %high, %c0 : index
  %p = arith.select %overflows, %c-1, %low : index
  %s = arith.minui %p, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%c0][%n, %m] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?x?xi8>)
  memref.copy %one, %out : memref<?x?xi8> to memref<?x?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. Value bounds say that n is at most 4 * n: not where that wraps around. They do where it is undefined then.
func.func @f(%from: memref<?xi8>, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 7 : i8
  %limit = arith.constant 18014398509481984 : index
  %n = memref.dim %from, %c0 : memref<?xi8>
  %p = arith.muli %n, %c4 : index
  %s = arith.minui %p, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  %q = arith.muli %n, %c4 overflow<nsw> : index
  %t = arith.minui %q, %limit : index
  %next = memref.alloc(%t) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %two = memref.view %next[%c0][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%two : memref<?xi8>)
  memref.copy %two, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  memref.dealloc %next : memref<?xi8>
  return
}

// -----

// 6. A sum without a limit wraps around.
func.func @f(%n: index, %m: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %a = arith.maxsi %n, %c0 : index
  %b = arith.maxsi %m, %c0 : index
  %c = arith.maxsi %k, %c0 : index
  %s = arith.addi %a, %b : index
  %total = arith.addi %s, %c : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena, whose size may wrap around [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 7. With an index of 32 bits, all limits are too large.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func @f(%n: index, %out: memref<?xi8>) {
    %c0 = arith.constant 0 : index
    %x = arith.constant 7 : i8
    %limit = arith.constant 18014398509481984 : index
    %s = arith.minui %n, %limit : index
    %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
    // expected-error @+1 {{the offset of buffer 0 cannot be verified: an index has fewer than 64 bits [memplan-E210]}}
    %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
    linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
    memref.copy %one, %out : memref<?xi8> to memref<?xi8>
    memref.dealloc %arena : memref<?xi8>
    return
  }
}

// -----

// 8. A factor of what the slice needs is equal to that of its size, though it may be negative.
func.func @f(%n: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i8
  %limit = arith.constant 18014398509481984 : index
  %m = arith.addi %n, %c0 : index
  %s = arith.minui %m, %limit : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %p = arith.muli %n, %c1 : index
  %one = memref.view %arena[%c0][%p] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 9. A limit that the program itself computes is no limit of the arena.
func.func @f(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %x = arith.constant 7.0 : f32
  %limit = arith.constant 4503599627370496 : index
  %m = arith.minui %n, %c16 : index
  %u = arith.minui %m, %limit : index
  %s = arith.muli %u, %c4 : index
  %arena = memref.alloc(%s) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%c0][%m] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%x : f32) outs(%one : memref<?xf32>)
  memref.copy %one, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}
