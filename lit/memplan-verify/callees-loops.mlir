// The arguments that a call may return, as the body of the callee shows: loops, other callees and recursion.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null
// On one function, any argument may be returned:
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-6: buffer 1 is read after buffer 2 overwrote its bytes

// 1. Out of a loop, after some iterations.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. A loop that carries both, each by itself.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %p, %q : memref<8xf32>, memref<8xf32>
  }
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 3. Through another one, which returns its first argument.
func.func private @id(%x: memref<8xf32>, %y: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @id(%a, %b) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. The same with the arguments swapped.
func.func private @id(%x: memref<8xf32>, %y: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @id(%b, %a) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 5. Recursion: arguments stay in their places.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = scf.if %c -> memref<8xf32> {
    %false = arith.constant false
    %s = func.call @callee(%a, %b, %false) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 6. Recursion through another function, where they change places.
func.func private @swap(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @callee(%b, %a, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = scf.if %c -> memref<8xf32> {
    %false = arith.constant false
    %s = func.call @swap(%a, %b, %false) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
func.func @caller(%x: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  %r = call @callee(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
