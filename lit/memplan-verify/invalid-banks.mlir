// Buffers that are in a bank where they may not be.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics \
// RUN:   -o /dev/null

// 1. A buffer across two banks, unless it may cross; in a bank that it does not name; and where there is no bank.
func.func @places(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c48 = arith.constant 48 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = "0-32,32-64"} : memref<128xi8, 1>
  // expected-error @+1 {{buffer 0 lies across banks 0 and 1 [memplan-E220]}}
  %a = memref.view %arena[%c16][] {memplan.buffer = 0 : i64} : memref<128xi8, 1> to memref<8xf32, 1>
  %b = memref.view %arena[%c16][] {memplan.buffer = 1 : i64, memplan.across_banks} : memref<128xi8, 1> to memref<8xf32, 1>
  // expected-error @+1 {{buffer 2 lies in bank 1, which is none of its banks [memplan-E220]}}
  %c = memref.view %arena[%c32][] {memplan.buffer = 2 : i64, memplan.bank = 0 : i64} : memref<128xi8, 1> to memref<8xf32, 1>
  // expected-error @+1 {{buffer 3 has bytes outside of the banks [memplan-E220]}}
  %d = memref.view %arena[%c48][] {memplan.buffer = 3 : i64} : memref<128xi8, 1> to memref<8xf32, 1>
  // expected-error @+1 {{buffer 4 lies in bank 1, which is none of its banks [memplan-E220]}}
  %e = memref.view %arena[%c16][] {memplan.buffer = 4 : i64, memplan.across_banks, memplan.bank = array<i64: 0>} : memref<128xi8, 1> to memref<8xf32, 1>
  %f = memref.view %arena[%c32][] {memplan.buffer = 5 : i64, memplan.bank = array<i64: 1>} : memref<128xi8, 1> to memref<8xf32, 1>
  memref.dealloc %arena : memref<128xi8, 1>
  return
}

// -----

// 2. Interleaved banks: the first byte is in the bank that is named. The banks of an argument are at it.
func.func @interleaved(%x: memref<8xf32>, %arena: memref<128xi8, 1> {memplan.arena = 64 : i64, memplan.banks = "4x16"}) {
  %c64 = arith.constant 64 : index
  %c80 = arith.constant 80 : index
  %a = memref.view %arena[%c64][] {memplan.buffer = 0 : i64, memplan.bank = 0 : i64} : memref<128xi8, 1> to memref<8xf32, 1>
  // expected-error @+1 {{buffer 1 lies in bank 1, which is none of its banks [memplan-E220]}}
  %b = memref.view %arena[%c80][] {memplan.buffer = 1 : i64, memplan.bank = 2 : i64} : memref<128xi8, 1> to memref<8xf32, 1>
  return
}

// -----

// 3. Operands that share a bank, also through views and a selection; and one that is no buffer of the arena.
func.func @operands(%x: memref<8xf32>, %y: memref<4xf32, 1>, %which: i1) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = "0-32,32-64"} : memref<64xi8, 1>
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8, 1> to memref<4xf32, 1>
  %b = memref.view %arena[%c16][] {memplan.buffer = 1 : i64} : memref<64xi8, 1> to memref<4xf32, 1>
  %c = memref.view %arena[%c32][] {memplan.buffer = 2 : i64} : memref<64xi8, 1> to memref<4xf32, 1>
  linalg.exp {memplan.operands_apart} ins(%a : memref<4xf32, 1>) outs(%c : memref<4xf32, 1>)
  // expected-error @+1 {{operands 0 and 1 have to be in different banks: buffers 0 and 1 are in bank 0 [memplan-E220]}}
  linalg.exp {memplan.operands_apart} ins(%a : memref<4xf32, 1>) outs(%b : memref<4xf32, 1>)
  %part = memref.subview %b[2] [2] [1] : memref<4xf32, 1> to memref<2xf32, strided<[1], offset: 2>, 1>
  %one = arith.select %which, %a, %c : memref<4xf32, 1>
  %other = memref.subview %one[0] [2] [1] : memref<4xf32, 1> to memref<2xf32, strided<[1]>, 1>
  // expected-error @+1 {{operands 0 and 1 have to be in different banks: buffers 1 and 0 are in bank 0 [memplan-E220]}}
  memref.copy %part, %other {memplan.operands_apart} : memref<2xf32, strided<[1], offset: 2>, 1> to memref<2xf32, strided<[1]>, 1>
  // expected-error @+1 {{operands 0 and 1 have to be in different banks: both may be buffer 0 [memplan-E220]}}
  linalg.exp {memplan.operands_apart} ins(%a : memref<4xf32, 1>) outs(%one : memref<4xf32, 1>)
  // expected-error @+1 {{operands 0 and 1 have to be in different banks: one of them is no buffer of an arena with banks [memplan-E220]}}
  memref.copy %c, %y {memplan.operands_apart} : memref<4xf32, 1> to memref<4xf32, 1>
  // In the default memory space it is elsewhere.
  memref.copy %x, %x {memplan.operands_apart} : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8, 1>
  return
}

// -----

// 4. Ping and pong in one bank, while both are in use. It is no matter that the operation works element by element.
func.func @group(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = "0-32,32-64"} : memref<64xi8, 1>
  %ping = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  %pong = memref.view %arena[%c16][] {memplan.buffer = 1 : i64, memplan.apart = ["pair"]} : memref<64xi8, 1> to memref<4xf32, 1>
  memref.copy %x, %ping : memref<4xf32> to memref<4xf32, 1>
  // expected-note @+2 {{the other one is used here}}
  // expected-error @+1 {{buffers 0 and 1 have to be apart, and share a bank while both are in use [memplan-E220]}}
  linalg.exp ins(%ping : memref<4xf32, 1>) outs(%pong : memref<4xf32, 1>)
  memref.copy %pong, %x : memref<4xf32, 1> to memref<4xf32>
  memref.dealloc %arena : memref<64xi8, 1>
  return
}

// -----

// 5. The same bytes, in place: they are apart no more.
func.func @in_place(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = "0-32,32-64"} : memref<64xi8, 1>
  %ping = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  %pong = memref.view %arena[%c0][] {memplan.buffer = 1 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  memref.copy %x, %ping : memref<4xf32> to memref<4xf32, 1>
  // expected-note @+2 {{overwritten here}}
  // expected-error @+1 {{buffer 0 is read while buffer 1 overwrites its bytes}}
  linalg.exp ins(%ping : memref<4xf32, 1>) outs(%pong : memref<4xf32, 1>)
  memref.copy %pong, %x : memref<4xf32, 1> to memref<4xf32>
  memref.dealloc %arena : memref<64xi8, 1>
  return
}

// -----

// 6. One after the other, they may share a bank: also in a loop that fills both again.
func.func @later(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %arena = memref.alloc() {memplan.arena, memplan.banks = "0-32,32-64"} : memref<64xi8, 1>
  %ping = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  %pong = memref.view %arena[%c16][] {memplan.buffer = 1 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %x, %ping : memref<4xf32> to memref<4xf32, 1>
    memref.copy %ping, %x : memref<4xf32, 1> to memref<4xf32>
    memref.copy %x, %pong : memref<4xf32> to memref<4xf32, 1>
    memref.copy %pong, %x : memref<4xf32, 1> to memref<4xf32>
  }
  memref.dealloc %arena : memref<64xi8, 1>
  return
}

// -----

// 7. Attributes that say nothing.
func.func @wrong(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.banks` does not say where banks are: "four" [memplan-E220]}}
  %arena = memref.alloc() {memplan.arena, memplan.banks = "four"} : memref<64xi8, 1>
  // expected-error @+1 {{`memplan.apart` of a slice names no group, or its arena has no banks [memplan-E220]}}
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64, memplan.apart = "pair"} : memref<64xi8, 1> to memref<4xf32, 1>
  memref.dealloc %arena : memref<64xi8, 1>
  return
}
