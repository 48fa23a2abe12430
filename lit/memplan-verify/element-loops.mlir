// Loops over elements that use the bytes of what they read.
// RUN: %memplan-opt %s --verify-diagnostics --pass-pipeline='builtin.module(memplan-verify)'

// 1. The element, and the next one: right.
func.func @forward(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
  scf.for %i = %c0 to %c7 step %c1 {
    %j = arith.addi %i, %c1 : index
    %p = memref.load %a[%i] : memref<8xf32>
    %q = memref.load %a[%j] : memref<8xf32>
    %s = arith.addf %p, %q : f32
    memref.store %s, %b[%i] : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// 2. The element before: it is overwritten.
func.func @backward(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
  scf.for %i = %c1 to %c8 step %c1 {
    %j = arith.subi %i, %c1 : index
    // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
    %q = memref.load %a[%j] : memref<8xf32>
    // expected-note @+1 {{overwritten here}}
    memref.store %q, %b[%i] : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// 3. What is read after the loop is overwritten.
func.func @later(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  scf.for %i = %c0 to %c8 step %c1 {
    %q = memref.load %a[%i] : memref<8xf32>
    memref.store %q, %b[%i] : memref<8xf32>
  }
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<32xi8>
  return
}

// 4. The bytes of another element: half of the arena further.
func.func @other_bytes(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {memplan.arena} : memref<36xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<36xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c4][] {memplan.buffer = 1 : i64} : memref<36xi8> to memref<8xf32>
  // expected-error @+2 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  // expected-note @+1 {{overwritten here}}
  scf.for %i = %c0 to %c8 step %c1 {
    %q = memref.load %a[%i] : memref<8xf32>
    memref.store %q, %b[%i] : memref<8xf32>
  }
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<36xi8>
  return
}
