// Correct plans of bodies that run in parallel or asynchronously.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// 1. A parallel body has an arena of its own; what it touches outside lives through it.
// apart: 0-1 2-3
// fault: memref.view %own[%at3] => memref.view %arena[%at3]
// CHECK-LABEL: func.func @forall
func.func @forall(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at4 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.forall (%i) in (4) {
    %own = memref.alloc() {memplan.arena} : memref<128xi8>
    %at2 = arith.constant 0 : index
    %at3 = arith.constant 64 : index
    %c = memref.view %own[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %a, %c : memref<16xf32> to memref<16xf32>
    %d = memref.view %own[%at3][] {memplan.buffer = 3 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %c, %d : memref<16xf32> to memref<16xf32>
    memref.copy %d, %b : memref<16xf32> to memref<16xf32>
    memref.dealloc %own : memref<128xi8>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  %e = memref.view %arena[%at4][] {memplan.buffer = 4 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %e : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// 2. Memory that an asynchronous body touches is needed until its token is awaited.
// apart: 0-1 0-2 1-2 1-3
// CHECK-LABEL: func.func @async
func.func @async(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %token = async.execute {
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    async.yield
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  async.await %token : !async.token
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %b, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}
