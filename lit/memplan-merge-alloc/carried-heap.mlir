// Memory that a loop starts with, where it carries memory of the heap later: planned, the loop would have to carry a
// flag.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' --split-input-file --verify-diagnostics
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' --split-input-file | FileCheck %s --check-prefix=WHOLE

// 1. Each iteration frees what the one before left, the first one what it was given.
func.func private @read(memref<64xf32>)
func.func private @write(memref<64xf32>)
// WHOLE-LABEL: func @replaced
// WHOLE:         %[[FIRST:.*]] = memref.alloc()
// WHOLE:         scf.for {{.*}} iter_args(%[[M:.*]] = %[[FIRST]]) -> (memref<64xf32>) {
// WHOLE:           func.call @read(%[[M]])
// WHOLE-NEXT:      memref.dealloc %[[M]]
// WHOLE-NOT:       scf.if
// WHOLE:         return
func.func @replaced() -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @+1 {{not merged: a loop carries it first and heap memory later, and would need a flag to free that [freed-by-flag]}}
  %first = memref.alloc() : memref<64xf32>
  func.call @write(%first) : (memref<64xf32>) -> ()
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first) -> memref<64xf32> {
    // expected-remark @+1 {{[returned]}}
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    func.call @read(%m) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  return %r : memref<64xf32>
}

// -----

// 2. Used after the loop: it is not the loop's to free, and is planned.
func.func private @read(memref<64xf32>)
func.func private @write(memref<64xf32>)
func.func @used_after() -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @+1 {{merged: 256 bytes}}
  %first = memref.alloc() : memref<64xf32>
  func.call @write(%first) : (memref<64xf32>) -> ()
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first) -> memref<64xf32> {
    func.call @read(%m) : (memref<64xf32>) -> ()
    // expected-remark @+1 {{[returned]}}
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  func.call @read(%first) : (memref<64xf32>) -> ()
  return %r : memref<64xf32>
}

// -----

// 3. Carried twice: one of both would have to know that it is the other.
func.func private @use2(memref<64xf32>, memref<64xf32>)
func.func private @write(memref<64xf32>)
func.func @twice() -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @+1 {{merged: 256 bytes}}
  %first = memref.alloc() : memref<64xf32>
  func.call @write(%first) : (memref<64xf32>) -> ()
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%m = %first, %n = %first) -> (memref<64xf32>, memref<64xf32>) {
    func.call @use2(%m, %n) : (memref<64xf32>, memref<64xf32>) -> ()
    // expected-remark @+1 {{[returned]}}
    %a = memref.alloc() : memref<64xf32>
    func.call @write(%a) : (memref<64xf32>) -> ()
    scf.yield %a, %a : memref<64xf32>, memref<64xf32>
  }
  return %r#0 : memref<64xf32>
}
