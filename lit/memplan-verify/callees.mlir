// What callees may return, as their bodies show where the pass runs on a module: a result of a call is none of the other arguments.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null
// On one function, any argument may be returned:
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-21: buffer 1 is read after buffer 2 overwrote its bytes

// 1. It returns the first one.
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

// 2. It returns the second one.
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

// 3. It returns new memory, or the first one.
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

// 7. Out of a loop, after some iterations.
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

// 8. A loop that carries both, each by itself.
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

// 9. A view of a view.
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

// -----

// 10. Stored, and loaded again.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %box = memref.alloca() : memref<memref<8xf32>>
  memref.store %b, %box[] : memref<memref<8xf32>>
  %r = memref.load %box[] : memref<memref<8xf32>>
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

// 11. Through a global, by way of two others.
memref.global "private" @box : memref<memref<8xf32>> = uninitialized
func.func private @put(%b: memref<8xf32>) {
  %box = memref.get_global @box : memref<memref<8xf32>>
  memref.store %b, %box[] : memref<memref<8xf32>>
  return
}
func.func private @get() -> memref<8xf32> {
  %box = memref.get_global @box : memref<memref<8xf32>>
  %r = memref.load %box[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  call @put(%b) : (memref<8xf32>) -> ()
  %r = call @get() : () -> memref<8xf32>
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

// 12. Through another one, which returns its first argument.
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

// 13. The same, the other way around.
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

// 14. Recursion: arguments stay in their places.
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

// 15. Recursion by way of another one, where they change places.
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

// -----

// 16. Made of its address.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %p = builtin.unrealized_conversion_cast %b : memref<8xf32> to !llvm.ptr
  %r = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<8xf32>
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

// 17. Of a declaration, nothing is known.
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

// 18. Of a body that may be replaced when programs are linked neither.
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

// -----

// 19. Memory of memrefs that only it knows, and that holds the first one.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %box = memref.alloc() : memref<memref<8xf32>>
  memref.store %a, %box[] : memref<memref<8xf32>>
  %r = memref.load %box[] : memref<memref<8xf32>>
  memref.dealloc %box : memref<memref<8xf32>>
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

// 20. The same, where another one stores the second.
func.func private @put(%box: memref<memref<8xf32>>, %x: memref<8xf32>) {
  memref.store %x, %box[] : memref<memref<8xf32>>
  return
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %box = memref.alloca() : memref<memref<8xf32>>
  memref.store %a, %box[] : memref<memref<8xf32>>
  call @put(%box, %b) : (memref<memref<8xf32>>, memref<8xf32>) -> ()
  %r = memref.load %box[] : memref<memref<8xf32>>
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

// 21. The same, through another name of it.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %box = memref.alloca() : memref<1xmemref<8xf32>>
  %other = memref.cast %box : memref<1xmemref<8xf32>> to memref<?xmemref<8xf32>>
  %c0 = arith.constant 0 : index
  memref.store %a, %box[%c0] : memref<1xmemref<8xf32>>
  memref.store %b, %other[%c0] : memref<?xmemref<8xf32>>
  %r = memref.load %box[%c0] : memref<1xmemref<8xf32>>
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
