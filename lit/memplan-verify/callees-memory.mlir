// The arguments that a call may return, as the body of the callee shows: what it stores and loads.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null
// On one function, any argument may be returned:
// RUN: not %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-6: buffer 1 is read after buffer 2 overwrote its bytes

// 1. Stored, and loaded again.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %nested = memref.alloca() : memref<memref<8xf32>>
  memref.store %b, %nested[] : memref<memref<8xf32>>
  %r = memref.load %nested[] : memref<memref<8xf32>>
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

// 2. Through a global, by two other functions.
memref.global "private" @nested : memref<memref<8xf32>> = uninitialized
func.func private @put(%b: memref<8xf32>) {
  %nested = memref.get_global @nested : memref<memref<8xf32>>
  memref.store %b, %nested[] : memref<memref<8xf32>>
  return
}
func.func private @get() -> memref<8xf32> {
  %nested = memref.get_global @nested : memref<memref<8xf32>>
  %r = memref.load %nested[] : memref<memref<8xf32>>
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

// 3. Made of its address.
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

// 4. Memory of memrefs that only it knows, and that holds the first one.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %nested = memref.alloc() : memref<memref<8xf32>>
  memref.store %a, %nested[] : memref<memref<8xf32>>
  %r = memref.load %nested[] : memref<memref<8xf32>>
  memref.dealloc %nested : memref<memref<8xf32>>
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

// 5. The same, where another one stores the second.
func.func private @put(%nested: memref<memref<8xf32>>, %x: memref<8xf32>) {
  memref.store %x, %nested[] : memref<memref<8xf32>>
  return
}
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %nested = memref.alloca() : memref<memref<8xf32>>
  memref.store %a, %nested[] : memref<memref<8xf32>>
  call @put(%nested, %b) : (memref<memref<8xf32>>, memref<8xf32>) -> ()
  %r = memref.load %nested[] : memref<memref<8xf32>>
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

// 6. The same, through another name of it.
func.func private @callee(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %nested = memref.alloca() : memref<1xmemref<8xf32>>
  %other = memref.cast %nested : memref<1xmemref<8xf32>> to memref<?xmemref<8xf32>>
  %c0 = arith.constant 0 : index
  memref.store %a, %nested[%c0] : memref<1xmemref<8xf32>>
  memref.store %b, %other[%c0] : memref<?xmemref<8xf32>>
  %r = memref.load %nested[%c0] : memref<1xmemref<8xf32>>
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
