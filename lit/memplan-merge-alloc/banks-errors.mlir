// Rules for banks that cannot be kept, or that concern nothing.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-merge-alloc)'
// RUN: not %memplan-opt %S/banks.mlir 2>&1 \
// RUN:     --pass-pipeline='builtin.module(memplan-merge-alloc{arena-limit=512})' \
// RUN:   | FileCheck %s --check-prefix=LIMIT
// LIMIT: the arena takes {{[0-9]+}} bytes, more than arena-limit=512 [memplan-E113]

// 1. Without a description of banks, attributes concern nothing.
func.func @no_banks(%x: memref<8xf32>) {
  // expected-error @+1 {{`memplan.bank`: memory space default has no banks: the description of the machine says where they are [memplan-E116]}}
  %a = memref.alloc() {memplan.bank = 0 : i64} : memref<8xf32>
  // expected-error @+1 {{`memplan.operands_apart`: the operation touches no memory space with banks [memplan-E116]}}
  memref.copy %x, %a {memplan.operands_apart} : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// -----

module attributes {memplan.machine = {version = 1, spaces = [
    {name = "l1", memory_space = 1, size = 128, banks = 2}, {name = "l2", memory_space = 2, banks = "4x16"}]}} {
  // 2. Wrong values.
  func.func @values(%x: memref<8xf32>) {
    // expected-error @+1 {{`memplan.bank` takes the number of a bank, or several as in array<i64: 0, 1>, not "one" [memplan-E116]}}
    %a = memref.alloc() {memplan.bank = "one"} : memref<8xf32, 1>
    // expected-error @+1 {{`memplan.bank` names bank 2, and the last bank is 1 [memplan-E116]}}
    %b = memref.alloc() {memplan.bank = array<i64: 0, 2>} : memref<8xf32, 1>
    // expected-error @+1 {{`memplan.apart` takes the name of a group in quotes, or a list of them, not 3 : i64 [memplan-E116]}}
    %c = memref.alloc() {memplan.apart = 3 : i64} : memref<8xf32, 1>
    // expected-error @+1 {{`memplan.across_banks` takes no value, not 3 : i64 [memplan-E116]}}
    %d = memref.alloc() {memplan.across_banks = 3 : i64} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %b : memref<8xf32, 1> to memref<8xf32, 1>
    memref.copy %b, %c : memref<8xf32, 1> to memref<8xf32, 1>
    memref.copy %c, %d : memref<8xf32, 1> to memref<8xf32, 1>
    // expected-error @+1 {{`memplan.operands_apart` takes no value, not "yes" [memplan-E116]}}
    memref.copy %d, %x {memplan.operands_apart = "yes"} : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 3. What is no allocation, or is not merged.
  // expected-warning @+1 {{memory space 1 has banks, and some of its memory may lie across them [memplan-W102]}}
  func.func @returned(%x: memref<8xf32>) -> memref<8xf32, 1> {
    // expected-note @+1 {{in no arena: it is or may be returned to the caller [returned]}}
    %a = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    return %a : memref<8xf32, 1>
  }
  func.func @not_merged(%x: memref<8xf32>) -> memref<8xf32, 1> {
    // expected-error @+1 {{`memplan.bank`: the allocation is not merged: it is or may be returned to the caller [returned] [memplan-E116]}}
    %a = memref.alloc() {memplan.bank = 0 : i64} : memref<8xf32, 1>
    // expected-error @+1 {{`memplan.apart`: it is not an allocation that can be merged [memplan-E116]}}
    memref.copy %x, %a {memplan.apart = "a"} : memref<8xf32> to memref<8xf32, 1>
    return %a : memref<8xf32, 1>
  }

  // 4. Iterations that run in parallel have arenas of their own.
  func.func @parallel(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      // expected-error @+1 {{`memplan.across_banks`: each iteration of the parallel body has an arena of its own [memplan-E116]}}
      %a = memref.alloc() {memplan.across_banks} : memref<8xf32, 1>
      %b = memref.alloc() : memref<8xf32, 1>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
      // expected-error @+1 {{`memplan.operands_apart`: operand 0 is allocated in a parallel body, each iteration of which has an arena of its own [memplan-E116]}}
      memref.copy %a, %b {memplan.operands_apart} : memref<8xf32, 1> to memref<8xf32, 1>
      memref.copy %b, %x : memref<8xf32, 1> to memref<8xf32>
    }
    return
  }
  // expected-warning @+1 {{memory space 1 has banks, and some of its memory may lie across them [memplan-W102]}}
  func.func @parallel_arenas(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    // expected-note @+1 {{each iteration has an arena of its own}}
    scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
      %a = memref.alloc() : memref<8xf32, 1>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
      memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    }
    return
  }

  // 5. Operands that are not in the arena, and two that may be one buffer.
  func.func @operands(%x: memref<8xf32>, %y: memref<8xf32, 1>, %which: i1) {
    %a = memref.alloc() : memref<8xf32, 1>
    %b = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, 1>
    // expected-error @+1 {{`memplan.operands_apart`: operand 1 may be memory that is not in the arena [memplan-E116]}}
    memref.copy %a, %y {memplan.operands_apart} : memref<8xf32, 1> to memref<8xf32, 1>
    %one = arith.select %which, %a, %b : memref<8xf32, 1>
    // expected-error @+1 {{`memplan.operands_apart`: operands 0 and 1 may be one buffer [memplan-E116]}}
    linalg.exp {memplan.operands_apart} ins(%one : memref<8xf32, 1>) outs(%b : memref<8xf32, 1>)
    // expected-error @+1 {{`memplan.operands_apart`: operands 0 and 1 may be one buffer [memplan-E116]}}
    linalg.exp {memplan.operands_apart} ins(%a : memref<8xf32, 1>) outs(%a : memref<8xf32, 1>)
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    memref.copy %b, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 6. Three operands in two banks. The note names the description.
  // expected-note @+1 {{`memplan.machine`, spaces[0]: space 'l1' is described here; it has 2 banks}}
  func.func @three(%x: memref<8xf32>) {
    // expected-note @+1 {{apart from the others}}
    %a = memref.alloc() : memref<8xf32, 1>
    // expected-note @+1 {{apart from the others}}
    %b = memref.alloc() : memref<8xf32, 1>
    // expected-note @+1 {{apart from the others}}
    %c = memref.alloc() : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, 1>
    // expected-error @+1 {{`memplan.operands_apart`: memory space 1 has too few banks for its 3 buffers [memplan-E117]}}
    linalg.add {memplan.operands_apart} ins(%a, %b : memref<8xf32, 1>, memref<8xf32, 1>) outs(%c : memref<8xf32, 1>)
    memref.copy %c, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 7. Groups that need more banks than there are.
  // expected-error @+2 {{memory space 1 has too few banks for 3 buffers that have to be apart [memplan-E117]}}
  // expected-note @+1 {{it has 2 banks}}
  func.func @group(%x: memref<8xf32>) {
    // expected-note @+1 {{apart from the others}}
    %a = memref.alloc() {memplan.apart = "all"} : memref<8xf32, 1>
    // expected-note @+1 {{apart from the others}}
    %b = memref.alloc() {memplan.apart = "all"} : memref<8xf32, 1>
    // expected-note @+1 {{apart from the others}}
    %c = memref.alloc() {memplan.apart = "all"} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, 1>
    linalg.add ins(%a, %b : memref<8xf32, 1>, memref<8xf32, 1>) outs(%c : memref<8xf32, 1>)
    memref.copy %c, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 8. A buffer is larger than a bank, or fixed where it lies across two.
  // expected-note @+1 {{it has 2 banks}}
  func.func @large(%x: memref<20xf32>) {
    // expected-error @+1 {{it has 80 bytes, and its banks of memory space 1 have at most 64; `memplan.across_banks` lets it cross from a bank to the next one [memplan-E117]}}
    %a = memref.alloc() : memref<20xf32, 1>
    memref.copy %x, %a : memref<20xf32> to memref<20xf32, 1>
    memref.copy %a, %x : memref<20xf32, 1> to memref<20xf32>
    return
  }
  // expected-note @+1 {{it has 2 banks}}
  func.func @fixed(%x: memref<8xf32>) {
    // expected-error @+1 {{its offset of 64 is given, and it is not in its banks of memory space 1 there [memplan-E117]}}
    %a = memref.alloc() {memplan.bank = 0 : i64, memplan.offset = 64 : i64} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }
  // 9. They do not fit, though their bytes would.
  // expected-error @+2 {{memory space 1: no plan fits into the banks and keeps their rules [memplan-E117]}}
  // expected-note @+1 {{it has 2 banks}}
  func.func @no_fit(%x: memref<8xf32>, %z: memref<16xf32>) {
    // expected-note @+1 {{live at the peak: 64 bytes}}
    %a = memref.alloc() {memplan.bank = 0 : i64} : memref<16xf32, 1>
    // expected-note @+1 {{live at the peak: 32 bytes}}
    %b = memref.alloc() {memplan.bank = 0 : i64} : memref<8xf32, 1>
    memref.copy %z, %a : memref<16xf32> to memref<16xf32, 1>
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %z : memref<16xf32, 1> to memref<16xf32>
    memref.copy %b, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 10. A group with one member.
  func.func @alone(%x: memref<8xf32>) {
    // expected-warning @+1 {{`memplan.apart`: no other allocation of the function is in group "ping" [memplan-W103]}}
    %a = memref.alloc() {memplan.apart = "ping"} : memref<8xf32, 1>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
    memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    return
  }

  // 11. Instances that rotate through slots start in several interleaved banks.
  func.func @rotating(%x: memref<4xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = memref.alloc() : memref<4xf32, 2>
    memref.copy %x, %first : memref<4xf32> to memref<4xf32, 2>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %first) -> (memref<4xf32, 2>) {
      // expected-error @+1 {{`memplan.bank`: its instances rotate through several slots, which start in different banks [memplan-E116]}}
      %next = memref.alloc() {memplan.bank = 1 : i64} : memref<4xf32, 2>
      linalg.add ins(%before, %before : memref<4xf32, 2>, memref<4xf32, 2>) outs(%next : memref<4xf32, 2>)
      scf.yield %next : memref<4xf32, 2>
    }
    memref.copy %last, %x : memref<4xf32, 2> to memref<4xf32>
    return
  }
}
