// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics -o /dev/null

// IR that is legal but odd: nothing here may stop the check.

// 1. A block that nothing leads to is not run.
func.func @unreachable(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.br ^exit
^never:
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  cf.br ^never
^exit:
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. Regions without blocks, and some that end in no terminator.
func.func @empty_regions(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  "some.op"(%a) ({}, {
  ^bb0(%x: memref<16xf32>):
    %y = "some.view"(%x) : (memref<16xf32>) -> memref<16xf32>
  }, {
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  }) : (memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 3. A value that a region of an unknown operation yields may come back as any of its arguments.
func.func @yielded(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  "some.op"() ({
    "some.end"(%a) : (memref<16xf32>) -> ()
    // expected-error @-1 {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
  }, {
  ^bb0(%x: memref<16xf32>):
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    // expected-note @+1 {{overwritten here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    "some.end"() : () -> ()
  }) : () -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 4. A function in a function is one of its own.
module {
  func.func @outer(%from: memref<16xf32>, %out: memref<16xf32>) {
    %arena = memref.alloc() {memplan.arena} : memref<64xi8>
    %c0 = arith.constant 0 : index
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    memref.copy %from, %a : memref<16xf32> to memref<16xf32>
    builtin.module {
      func.func @inner(%given: memref<16xf32>) {
        %own = memref.alloc() {memplan.arena} : memref<64xi8>
        %zero = arith.constant 0 : index
        %b = memref.view %own[%zero][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
        // expected-error @+1 {{buffer 0 is deallocated}}
        memref.dealloc %b : memref<16xf32>
        memref.copy %given, %b : memref<16xf32> to memref<16xf32>
        return
      }
    }
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    memref.dealloc %arena : memref<64xi8>
    return
  }
}

// -----

// 5. A loop that never ends, and a function that never returns.
func.func @forever(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  cf.br ^head
^head:
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{overwritten here}}
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 1 is read after buffer 0 overwrote its bytes [memplan-E201]}}
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  cf.br ^head
}

// -----

// 6. The same buffer born in two places, as after unrolling: one slice.
func.func @unrolled(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  // expected-error @+1 {{buffer 0 is created again while an older instance of it may still be read [memplan-E202]}}
  %c = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  // expected-note @+1 {{read here}}
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}
