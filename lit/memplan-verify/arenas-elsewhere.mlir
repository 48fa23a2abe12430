// Plans whose arenas are arguments, globals or stack memory: correct ones, and errors.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// 1. A slice of an argument.
func.func @argument(%x: memref<8xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 1 takes 32 bytes from byte 48 on, but its arena has 64 [memplan-E210]}}
  %b = memref.view %arena[%c48][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 2. Two slices of an argument share bytes.
func.func @argument_overwritten(%x: memref<8xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 3. A call writes to the slice that it borrows, and needs its alignment.
func.func private @callee(memref<8xf32>, memref<64xi8>)
func.func @borrowed_slice(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c32][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64, memplan.slice_alignment = 64 : i64} : memref<128xi8> to memref<64xi8>
  // expected-error @+3 {{buffer 1 is read while buffer 0 overwrites its bytes [memplan-E201]}}
  // expected-error @+2 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  // expected-note @+1 {{overwritten here}}
  call @callee(%a, %b) : (memref<8xf32>, memref<64xi8>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 4. The slice that a call borrows is less aligned than its arena has to be.
func.func private @callee(memref<8xf32>, memref<64xi8>)
func.func @borrowed_misaligned(%x: memref<8xf32>) {
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  // expected-error @+1 {{buffer 1 starts at byte 32, but is passed to a callee that needs an alignment of 64 [memplan-E210]}}
  %b = memref.view %arena[%c32][] {memplan.buffer = 1 : i64, memplan.slice_alignment = 64 : i64} : memref<128xi8> to memref<64xi8>
  call @callee(%x, %b) : (memref<8xf32>, memref<64xi8>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 5. The arena of a slice that a call borrows is less aligned than that.
func.func private @callee(memref<8xf32>, memref<64xi8>)
func.func @borrowed_of_misaligned(%x: memref<8xf32>, %arena: memref<128xi8> {memplan.arena = 32 : i64}) {
  %c0 = arith.constant 0 : index
  %mine = memref.alloca() {alignment = 32 : i64, memplan.arena} : memref<128xi8>
  // expected-error @+1 {{buffer 1 is passed to a callee that needs an alignment of 64, but its arena is not aligned to that [memplan-E210]}}
  %b = memref.view %mine[%c0][] {memplan.buffer = 1 : i64, memplan.slice_alignment = 64 : i64} : memref<128xi8> to memref<64xi8>
  call @callee(%x, %b) : (memref<8xf32>, memref<64xi8>) -> ()
  return
}

// -----

// 6. One global under two names, as after inlining.
memref.global "private" @bytes : memref<64xi8> = uninitialized {alignment = 64 : i64}
func.func @globals(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %one = memref.get_global @bytes : memref<64xi8> {memplan.arena = 64 : i64}
  %a = memref.view %one[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{two arenas of this function are the same global [memplan-E211]}}
  %two = memref.get_global @bytes : memref<64xi8> {memplan.arena = 64 : i64}
  %b = memref.view %two[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

// 7. The stack is gone after its scope.
func.func @stack(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<8xf32>) {
    %arena = memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32>
    // expected-note @+1 {{freed here}}
    memref.alloca_scope.return %a : memref<8xf32>
  }
  // expected-error @+1 {{buffer 0 is used after its arena was freed [memplan-E204]}}
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}
