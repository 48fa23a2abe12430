// Arenas of dynamic size: conditions that change, limits, and numbers that overflow.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. A condition that each iteration computes anew selects a layout: a buffer of the iteration before may have the bytes of one of this
// iteration.
func.func @f(%n: index, %t: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant 7 : i8
  %z = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %s2 = arith.addi %s, %s : index
  %total = arith.addi %s2, %s : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a0 = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%z : i8) outs(%a0 : memref<?xi8>)
  %r = scf.for %i = %c0 to %t step %c1 iter_args(%p = %a0) -> (memref<?xi8>) {
    %bit = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %bit, %c1 : index
    %sa = arith.select %odd, %c0, %s : index
    %sb = arith.select %odd, %s, %s2 : index
  // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may exceed the arena [memplan-E210]}}
    %b = memref.view %arena[%sb][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
    linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
    memref.copy %p, %out : memref<?xi8> to memref<?xi8>
    memref.copy %b, %out : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena [memplan-E210]}}
    %a = memref.view %arena[%sa][%n] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
    linalg.fill ins(%z : i8) outs(%a : memref<?xi8>)
    scf.yield %a : memref<?xi8>
  }
  memref.copy %r, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. The limit of a size is no memory only where the arena has that many times the size; here it may not.
func.func @f(%n: index, %c: i1, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i8
  %many = arith.constant 281474976710656 : index
  %a = arith.maxsi %n, %c0 : index
  %s = arith.minsi %a, %c1 : index
  %huge = arith.muli %s, %many : index
  %more = arith.select %c, %huge, %c0 : index
  %total = arith.maxsi %s, %more : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. As 2, where another summand takes the multiple away again.
func.func @f(%n: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i8
  %many = arith.constant 281474976710656 : index
  %less = arith.constant -281474976710656 : index
  %a = arith.maxsi %n, %c0 : index
  %s = arith.minsi %a, %c1 : index
  %huge = arith.muli %s, %many : index
  %back = arith.muli %s, %less : index
  %nothing = arith.addi %huge, %back : index
  %total = arith.maxsi %s, %nothing : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena, whose size may wrap around [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. A factor that overflows: both buffers may begin at 0.
func.func @f(%n: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %y = arith.constant 1 : i8
  %many = arith.constant 4611686018427387904 : index
  %a = arith.maxsi %n, %c0 : index
  %b = arith.maxsi %k, %c0 : index
  %start = arith.muli %a, %many : index
  %total = arith.addi %start, %b : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena, whose size may wrap around [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may start before the arena [memplan-E210]}}
  %two = memref.view %arena[%start][%k] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%y : i8) outs(%two : memref<?xi8>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.copy %two, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. A factor of a size that overflows: the arena may have no bytes.
func.func @f(%n: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %many = arith.constant 4611686018427387904 : index
  %p = arith.muli %n, %many : index
  %a = arith.maxsi %p, %c0 : index
  %arena = memref.alloc(%a) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena, whose size may wrap around [memplan-E210]}}
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 6. A constant that overflows with any size.
func.func @f(%n: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i8
  %y = arith.constant 1 : i8
  %many = arith.constant 9223372036854775807 : index
  %a = arith.maxsi %n, %c0 : index
  %b = arith.maxsi %k, %c0 : index
  %start = arith.addi %a, %many : index
  %end = arith.addi %start, %b : index
  %total = arith.maxsi %a, %end : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may start before the arena [memplan-E210]}}
  %two = memref.view %arena[%start][%k] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%y : i8) outs(%two : memref<?xi8>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.copy %two, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 7. Constants that add up to 0 are nothing: 4 * (n + 2 - 3 + 1) fits where 4 * (n + 2) does. With a rest, it may not.
func.func @f(%from: memref<?xi8>, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant 7 : i8
  %most = arith.constant 1125899906842624 : index
  %n = memref.dim %from, %c0 : memref<?xi8>
  %more = arith.addi %n, %c2 : index
  %less = arith.subi %more, %c3 : index
  %same = arith.addi %less, %c1 : index
  %rest = arith.addi %same, %c3 : index
  %limited = arith.minui %more, %most : index
  %total = arith.muli %limited, %c4 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %size = arith.muli %same, %c4 : index
  %one = memref.view %arena[%c0][%size] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  %size_more = arith.muli %rest, %c4 : index
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena [memplan-E210]}}
  %two = memref.view %arena[%c0][%size_more] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%two : memref<?xi8>)
  memref.copy %two, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
