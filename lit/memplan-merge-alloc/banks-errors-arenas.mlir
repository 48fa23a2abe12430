// Rules for banks in arenas that callers place, and offsets that break them.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-merge-alloc)'

// 1. Callers place the arena of a private function.
module attributes {memplan.machine = {version = 1, spaces = [{name = "l1", memory_space = 1, size = 128, banks = 2}]}} {
  func.func private @callee(%x: memref<8xf32>) attributes {memplan.arena_in = "arg"} {
    // expected-error @+1 {{`memplan.bank`: callers place the arena of the function, so its banks are not known [memplan-E116]}}
    %a = memref.alloc() {memplan.bank = 0 : i64} : memref<8xf32, 1>
    %b = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    // expected-error @+1 {{`memplan.operands_apart`: callers place the arena of the function, so its banks are not known [memplan-E116]}}
    memref.copy %a, %b {memplan.operands_apart} : memref<8xf32, 1> to memref<8xf32, 1>
    memref.copy %b, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
  func.func @caller(%x: memref<8xf32>) {
    call @callee(%x) : (memref<8xf32>) -> ()
    return
  }
}

// -----

// 2. The arena of a callee is a slice in one bank of its caller's. This one is larger.
module attributes {memplan.machine = {version = 1, spaces = [{name = "l1", memory_space = 1, size = 128, banks = 2}]}} {
  func.func private @callee(%x: memref<16xf32>) attributes {memplan.arena_in = "arg"} {
    %a = memref.alloc() : memref<16xf32, 1>
    %b = memref.alloc() : memref<16xf32, 1>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32, 1>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32, 1>
    memref.copy %a, %x : memref<16xf32, 1> to memref<16xf32>
    memref.copy %b, %x : memref<16xf32, 1> to memref<16xf32>
    return
  }
  // expected-error @+2 {{an arena of a callee or of a parallel body has 128 bytes, and the banks of memory space 1 have at most 64 [memplan-E117]}}
  // expected-note @+1 {{it has 2 banks}}
  func.func @caller(%x: memref<16xf32>) {
    call @callee(%x) : (memref<16xf32>) -> ()
    return
  }
}

// -----

// 3. Two buffers that are apart, with offsets in one bank.
module attributes {memplan.machine = {version = 1, spaces = [{name = "l1", memory_space = 1, size = 256, banks = 2}]}} {
  // expected-note @+1 {{it has 2 banks}}
  func.func @fixed_together(%x: memref<8xf32>) {
    // expected-note @+1 {{the other one}}
    %a = memref.alloc() {memplan.apart = "pair", memplan.offset = 0 : i64} : memref<8xf32, 1>
    // expected-error @+1 {{its offset is given, in bank 0 of memory space 1, and so is that of a buffer from which it has to be apart [memplan-E117]}}
    %b = memref.alloc() {memplan.apart = "pair", memplan.offset = 64 : i64} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %b : memref<8xf32, 1> to memref<8xf32, 1>
    memref.copy %b, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
}
