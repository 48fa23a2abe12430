// Buffers of dynamic size one above the other: a start is the largest end below it.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. Two at the start, one after the other; a third one above both.
func.func @above_both(%n: index, %m: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %c = arith.minui %k, %limit : index
  %start = arith.maxsi %a, %b : index
  %total = arith.addi %start, %c : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %top = memref.view %arena[%start][%k] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%top : memref<?xi8>)
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  %other = memref.view %arena[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%other : memref<?xi8>)
  memref.copy %other, %out : memref<?xi8> to memref<?xi8>
  memref.copy %top, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. As 1, but the third one is above the first one only.
func.func @above_one(%n: index, %m: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %c = arith.minui %k, %limit : index
  %end = arith.addi %a, %c : index
  %total = arith.maxsi %end, %b : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %top = memref.view %arena[%a][%k] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%top : memref<?xi8>)
  %other = memref.view %arena[%c0][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%x : i8) outs(%other : memref<?xi8>)
  memref.copy %other, %out : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{buffer 2 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %top, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. The arena ends where one of three buffers does; it has no bytes for another one.
func.func @one_end(%n: index, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %c = arith.minui %k, %limit : index
  %start = arith.maxsi %a, %b : index
  %total = arith.addi %start, %c : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  %top = memref.view %arena[%start][%k] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may exceed the arena [memplan-E210]}}
  %more = memref.view %arena[%start][%m] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. A condition selects which of two is below, and where both are.
func.func @selected(%n: index, %m: index, %first: i1, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %a_start = arith.select %first, %c0, %b : index
  %b_start = arith.select %first, %a, %c0 : index
  %total = arith.addi %a, %b : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%a_start][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  %other = memref.view %arena[%b_start][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%other : memref<?xi8>)
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.copy %other, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. As 4, with another condition for one of them: both may be at the start.
func.func @selected_apart(%n: index, %m: index, %first: i1, %last: i1, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %a_start = arith.select %first, %c0, %b : index
  %b_start = arith.select %last, %a, %c0 : index
  %total = arith.addi %a, %b : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%a_start][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%one : memref<?xi8>)
  %other = memref.view %arena[%b_start][%m] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%x : i8) outs(%other : memref<?xi8>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %one, %out : memref<?xi8> to memref<?xi8>
  memref.copy %other, %out : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 6. A start that is rounded down is before the end of what is below.
func.func @rounded_down(%n: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %m64 = arith.constant -64 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %c = arith.minui %k, %limit : index
  %start = arith.andi %a, %m64 : index
  %sum = arith.addi %a, %c : index
  %arena = memref.alloc(%sum) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %one = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 1 cannot be verified: it may exceed the arena [memplan-E210]}}
  %top = memref.view %arena[%start][%k] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 7. The smaller of two ends is no start above both.
func.func @smaller(%n: index, %m: index, %k: index, %out: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %a = arith.minui %n, %limit : index
  %b = arith.minui %m, %limit : index
  %c = arith.minui %k, %limit : index
  %start = arith.minsi %a, %b : index
  %more = arith.addi %a, %b : index
  %total = arith.addi %more, %c : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  // expected-error @+1 {{the offset of buffer 2 cannot be verified: it may exceed the arena [memplan-E210]}}
  %top = memref.view %arena[%start][%k] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%top : memref<?xi8>)
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %one = memref.view %arena[%start][%n] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
