// Buffers that are read after their bytes went to another buffer.
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

// 2. Reported once: one fault spoils many reads.
func.func @reported_once(%in: memref<16xf32>, %out: memref<16xf32>) {
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

// 6. The next iteration of a loop reads what this one overwrites.
func.func @next_iteration(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
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
