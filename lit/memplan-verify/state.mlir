// State in an arena: its bytes are those of no buffer.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: a buffer beside the state, and state in a function without an arena.
memref.global "private" @arena : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 0, 8, 64, 80>}
func.func @right(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %arena = memref.get_global @arena : memref<192xi8> {memplan.arena = 64, memplan.state = array<i64: 0, 8, 64, 80>}
  %a = memref.view %arena[%c128][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %same = memref.get_global @arena : memref<192xi8> {memplan.state = array<i64: 0, 8, 64, 80>}
  %state = memref.view %same[%c0][] : memref<192xi8> to memref<2xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
func.func @no_arena() -> f32 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %same = memref.get_global @arena : memref<192xi8> {memplan.state = array<i64: 0, 8, 64, 80>}
  %state = memref.view %same[%c64][] : memref<192xi8> to memref<4xf32>
  %r = memref.load %state[%c0] : memref<4xf32>
  return %r : f32
}

// -----

// 2. A buffer that has bytes of the state.
memref.global "private" @arena : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 64, 80>}
func.func @common(%x: memref<16xf32>) {
  %c64 = arith.constant 64 : index
  %arena = memref.get_global @arena : memref<192xi8> {memplan.arena = 64, memplan.state = array<i64: 64, 80>}
  // expected-error @+1 {{buffer 0 has bytes of the state at 64 to 80 [memplan-E214]}}
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 3. State that is accessed outside of its bytes: a view too far, at an unknown place, and as a whole.
memref.global "private" @arena : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 64, 80>}
func.func @outside(%i: index) {
  %c72 = arith.constant 72 : index
  %arena = memref.get_global @arena : memref<192xi8> {memplan.state = array<i64: 64, 80>}
  // expected-error @+1 {{it may use other bytes of the arena than those of the state [memplan-E214]}}
  %a = memref.view %arena[%c72][] : memref<192xi8> to memref<4xf32>
  // expected-error @+1 {{it may use other bytes}}
  %b = memref.view %arena[%i][] : memref<192xi8> to memref<4xf32>
  // expected-error @+1 {{it may use other bytes}}
  "test.use"(%arena) : (memref<192xi8>) -> ()
  return
}

// -----

// 4. State that is the whole arena may be used without a view.
memref.global "private" @arena : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 0, 192>}
func.func @whole(%i: index) {
  %arena = memref.get_global @arena : memref<192xi8> {memplan.state = array<i64: 0, 192>}
  "test.use"(%arena) : (memref<192xi8>) -> ()
  return
}

// -----

// 5. Attributes that differ, or are no ranges.
memref.global "private" @arena : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 64, 80>}
memref.global "private" @odd : memref<192xi8> = dense<0> {alignment = 64, memplan.state = array<i64: 64>}
memref.global "private" @unit : memref<192xi8> = dense<0> {alignment = 64, memplan.state}
func.func @differs() {
  // expected-error @+1 {{`memplan.state` differs from that of the global [memplan-E214]}}
  %a = memref.get_global @arena : memref<192xi8> {memplan.state = array<i64: 64, 128>}
  // expected-error @+1 {{`memplan.state` differs from that of the global}}
  %b = memref.get_global @arena : memref<192xi8>
  // expected-error @+1 {{`memplan.state` is not a list of ranges}}
  %d = memref.get_global @unit : memref<192xi8> {memplan.state}
  // expected-error @+1 {{`memplan.state` is not a list of ranges}}
  %c = memref.get_global @odd : memref<192xi8> {memplan.state = array<i64: 64>}
  return
}

// -----

// 6. The global of an arena without state is no other memory.
memref.global "private" @arena : memref<64xi8> = uninitialized {alignment = 64}
func.func @twice(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.get_global @arena : memref<64xi8> {memplan.arena = 64}
  // expected-error @+1 {{the global of an arena is referred to as a whole [memplan-E211]}}
  %also = memref.get_global @arena : memref<64xi8>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %other = memref.view %also[%c0][] : memref<64xi8> to memref<16xf32>
  memref.copy %x, %other : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
