// The arguments that a call may return, as the body of the callee shows: arguments, branches, views.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null
// On one function, any argument may be returned:
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-7: buffer 1 is read after buffer 2 overwrote its bytes

// 1. The callee returns its first argument.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  return %a : memref<8xf32>
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

// 2. The callee returns its second argument.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  return %b : memref<8xf32>
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

// 3. The callee returns new memory, or its first argument.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %new = memref.alloc() : memref<8xf32>
  memref.copy %b, %new : memref<8xf32> to memref<8xf32>
  %r = arith.select %c, %a, %new : memref<8xf32>
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

// 4. A choice.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = arith.select %c, %a, %b : memref<8xf32>
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

// 5. A global is none of both.
memref.global "private" constant @weights : memref<8xf32> = dense<1.0>
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %g = memref.get_global @weights : memref<8xf32>
  %r = arith.select %c, %a, %g : memref<8xf32>
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

// 6. On one of several paths.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  cf.cond_br %c, ^one, ^other
^one:
  return %a : memref<8xf32>
^other:
  cf.br ^end(%b : memref<8xf32>)
^end(%r: memref<8xf32>):
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

// 7. A view of a view.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %v = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  %r = memref.collapse_shape %v [[0, 1]] : memref<2x4xf32> into memref<8xf32>
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
