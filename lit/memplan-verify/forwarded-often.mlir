// A buffer of two branches is forwarded to more values than are followed: those without uses are left out first.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s

// CHECK-LABEL: func @forwarded

func.func @forwarded(%c: i1, %y: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %f = arith.constant 2.0 : f32
  %arena = memref.alloc() {memplan.arena} : memref<32xi8>
  %r = scf.if %c -> memref<8xf32> {
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<32xi8> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<32xi8> to memref<8xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  linalg.exp ins(%y : memref<8xf32>) outs(%r : memref<8xf32>)
  %r1 = scf.if %c -> memref<8xf32> {
    scf.yield %r : memref<8xf32>
  } else {
    scf.yield %r : memref<8xf32>
  }
  memref.copy %r1, %y : memref<8xf32> to memref<8xf32>
  %r2 = scf.if %c -> memref<8xf32> {
    scf.yield %r : memref<8xf32>
  } else {
    scf.yield %r : memref<8xf32>
  }
  memref.copy %r2, %y : memref<8xf32> to memref<8xf32>
  %r3 = scf.if %c -> memref<8xf32> {
    scf.yield %r : memref<8xf32>
  } else {
    scf.yield %r : memref<8xf32>
  }
  memref.copy %r3, %y : memref<8xf32> to memref<8xf32>
  %r4 = scf.if %c -> memref<8xf32> {
    scf.yield %r : memref<8xf32>
  } else {
    scf.yield %r : memref<8xf32>
  }
  memref.copy %r4, %y : memref<8xf32> to memref<8xf32>
  %v = memref.load %r[%c0] : memref<8xf32>
  memref.dealloc %arena : memref<32xi8>
  return %v : f32
}
