// Buffers of static size that start where others of dynamic size do.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. One after the other: the arena is as large as the larger one. The second static one is written in place.
func.func @after(%n: index, %x: memref<16xf32>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.maxsi %s, %c64 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  memref.copy %c, %y : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 2. The static one is read after the dynamic one overwrote it.
func.func @overwritten(%n: index, %x: memref<16xf32>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.maxsi %s, %c64 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %c = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  // expected-note @+1 {{overwritten here}}
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  memref.copy %c, %y : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{buffer 0 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 3. Two static ones share some bytes, beside a dynamic one.
func.func @static_overlap(%n: index, %x: memref<16xf32>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %one = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.maxsi %s, %c96 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  memref.copy %c, %y : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 4. Narrower elements are written where wider ones are read: not in place.
func.func @other_bytes(%n: index, %x: memref<16xf32>, %y: memref<?xi8>, %z: memref<16xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.maxsi %s, %c64 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<16xf16>
  memref.copy %z, %a : memref<16xf16> to memref<16xf16>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<16xf32>
  // expected-note @+2 {{overwritten here}}
  // expected-error @+1 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  linalg.map { arith.extf } ins(%a : memref<16xf16>) outs(%b : memref<16xf32>)
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  memref.copy %c, %y : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}

// -----

// 5. A static one above a dynamic one, beyond the end of the arena.
func.func @beyond(%n: index, %x: memref<16xf32>, %y: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %one = arith.constant 1 : i8
  %limit = arith.constant 4503599627370496 : index
  %s = arith.minui %n, %limit : index
  %total = arith.addi %s, %c63 : index
  %arena = memref.alloc(%total) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %c = memref.view %arena[%c0][%n] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xi8>
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  // expected-error @+1 {{the offset of buffer 0 cannot be verified: it may exceed the arena [memplan-E210]}}
  %a = memref.view %arena[%s][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %c, %y : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
