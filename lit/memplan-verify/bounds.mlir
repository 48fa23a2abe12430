// Slices of dynamic size in an arena of static size: what is said of their dimensions proves that they fit.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. The bounds of an argument.
func.func @given(%x: memref<?xf32> {memplan.bounds = [[0, 16]]}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. They are larger than the arena.
func.func @too_large(%x: memref<?xf32> {memplan.bounds = [[0, 17]]}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // expected-error @+1 {{buffer 0 takes 68 bytes from byte 0 on, but its arena has 64 [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 3. There are none.
func.func @unknown(%n: index) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1 : i8
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // expected-error @+1 {{the size of buffer 0 is unknown here [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. An assertion before the slice, and one that is executed in a branch, or later.
func.func @asserted(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant 1 : i8
  %fits = arith.cmpi ule, %n, %c64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  scf.if %c {
    cf.assert %fits, "at most 64"
  }
  // expected-error @+1 {{the size of buffer 0 is unknown here [memplan-E210]}}
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  cf.assert %fits, "at most 64"
  scf.if %c {
    %b = memref.view %arena[%c0][%n] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<?xi8>
    linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  }
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 5. A difference and a sum of numbers that may be negative wrap around; one that is at least 0 does not.
func.func @wraps(%n: index {memplan.bounds = [[0, 64]]}, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = arith.constant 1 : i8
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %less = arith.subi %n, %c1 : index
  %a = memref.view %arena[%c0][%less] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  %most = arith.minsi %m, %c64 : index
  %lower = arith.subi %most, %n : index
  // expected-error @+1 {{the size of buffer 1 is unknown here [memplan-E210]}}
  %b = memref.view %arena[%c0][%lower] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  %sum = arith.addi %most, %most : index
  // expected-error @+1 {{the size of buffer 2 is unknown here [memplan-E210]}}
  %c = memref.view %arena[%c0][%sum] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<?xi8>
  linalg.fill ins(%x : i8) outs(%c : memref<?xi8>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 6. Two slices with bounds share bytes: the first one is read after the second one was written.
func.func @overwritten(%x: memref<?xf32> {memplan.bounds = [[0, 8]]}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][%n] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %c16 = arith.constant 16 : index
  %b = memref.view %arena[%c16][%n] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<?xf32>
  // expected-note @+1 {{overwritten here}}
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
