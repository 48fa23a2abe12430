// Values that are forwarded to others: each reads the buffer that it refers to, after a write through one of them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics \
// RUN:   -o /dev/null

// 1. A chain of branches: the buffers share their bytes, and only one of them exists.
func.func @chain(%p: i1, %q: i1, %in: memref<16xf32>, %small: memref<4xf32>, %out: memref<?xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %r = scf.if %p -> (memref<?xf32>) {
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    %k = memref.cast %a : memref<16xf32> to memref<?xf32>
    scf.yield %k : memref<?xf32>
  } else {
    %i = scf.if %q -> (memref<?xf32>) {
      %a = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<4xf32>
      memref.copy %small, %a : memref<4xf32> to memref<4xf32>
      %k = memref.cast %a : memref<4xf32> to memref<?xf32>
      scf.yield %k : memref<?xf32>
    } else {
      %a = memref.view %arena[%c0][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<16xf32>
      memref.copy %in, %a : memref<16xf32> to memref<16xf32>
      %k = memref.cast %a : memref<16xf32> to memref<?xf32>
      scf.yield %k : memref<?xf32>
    }
    linalg.exp ins(%i : memref<?xf32>) outs(%i : memref<?xf32>)
    scf.yield %i : memref<?xf32>
  }
  linalg.exp ins(%r : memref<?xf32>) outs(%r : memref<?xf32>)
  memref.copy %r, %out : memref<?xf32> to memref<?xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. The value before and the one after are both read; a selection of both, too.
func.func @both_names(%p: i1, %q: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %i = scf.if %p -> (memref<16xf32>) {
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    %a = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  }
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  cf.br ^next(%i : memref<16xf32>)
^next(%j: memref<16xf32>):
  memref.copy %i, %out : memref<16xf32> to memref<16xf32>
  memref.copy %j, %out : memref<16xf32> to memref<16xf32>
  %s = arith.select %q, %i, %j : memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 3. One of the buffers is read by its own name, after a write that may have gone to another.
func.func @own_name(%p: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %i = scf.if %p -> (memref<16xf32>) {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  cf.br ^next(%i : memref<16xf32>)
^next(%j: memref<16xf32>):
  memref.copy %j, %out : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. On one of two paths, the value that is read is another one than the one that was written.
func.func @other_path(%p: i1, %q: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %i = scf.if %p -> (memref<16xf32>) {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  cf.cond_br %q, ^next(%i : memref<16xf32>), ^next(%a : memref<16xf32>)
^next(%j: memref<16xf32>):
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %j, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 5. A selection of which only one side was written.
func.func @selection(%p: i1, %q: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %i = scf.if %p -> (memref<16xf32>) {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %j = arith.select %q, %i, %a : memref<16xf32>
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %j, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 6. A loop carries the value of the iteration before, and this one writes its own.
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %a) -> memref<16xf32> {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
    memref.copy %m, %out : memref<16xf32> to memref<16xf32>
    scf.yield %m : memref<16xf32>
  }
  memref.dealloc %arena : memref<64xi8>
  return
}
