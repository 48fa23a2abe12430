// A call may return any argument where the body of the callee is not known.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null
// On one function, any argument may be returned:
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-2: buffer 1 is read after buffer 2 overwrote its bytes

// 1. Of a declaration, nothing is known.
func.func private @callee(memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
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

// 2. Of a body that may be replaced when programs are linked neither.
func.func @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> attributes {llvm.linkage = #llvm.linkage<weak>} {
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
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %d : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 2 overwrote its bytes [memplan-E201]}}
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  memref.copy %d, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
