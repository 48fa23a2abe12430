// Memory that the function may not need does not count as what it holds anyway.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-results)' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,RUNS
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-results{min-trips=0})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ZERO

// 1. A loop that may not run.
// CHECK-LABEL: func @loop
// RUNS:          memref.alloc() : memref<16xf32>
// CHECK:         scf.for
// ZERO:            memref.alloc() : memref<16xf32>
// CHECK:           memref.alloc() : memref<32xi32>
// CHECK:         memref.alloc() : memref<12xi32>
// ZERO:          memref.alloc() : memref<16xf32>
func.func @loop(%x: f32, %i: i32, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> f32 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%y : f32) outs(%a : memref<16xf32>)
    %d = memref.alloc() : memref<32xi32>
    linalg.fill ins(%i : i32) outs(%d : memref<32xi32>)
    %j = memref.load %d[%c0] : memref<32xi32>
    %u = memref.load %a[%c0] : memref<16xf32>
    %f = arith.sitofp %j : i32 to f32
    %t = arith.addf %u, %f : f32
    scf.yield %t : f32
  }
  %e = memref.alloc() : memref<12xi32>
  linalg.fill ins(%i : i32) outs(%e : memref<12xi32>)
  %j = memref.load %e[%c0] : memref<12xi32>
  %f = arith.sitofp %j : i32 to f32
  %t = arith.addf %s, %f : f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%t : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}

// 2. A branch.
// CHECK-LABEL: func @branch
// CHECK:         scf.if
// CHECK:           memref.alloc() : memref<16xf32>
// CHECK:           memref.alloc() : memref<32xi32>
// CHECK:         memref.alloc() : memref<12xi32>
// CHECK:         memref.alloc() : memref<16xf32>
func.func @branch(%x: f32, %i: i32, %c: i1) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %s = scf.if %c -> f32 {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    %d = memref.alloc() : memref<32xi32>
    linalg.fill ins(%i : i32) outs(%d : memref<32xi32>)
    %j = memref.load %d[%c0] : memref<32xi32>
    %u = memref.load %a[%c0] : memref<16xf32>
    %f = arith.sitofp %j : i32 to f32
    %t = arith.addf %u, %f : f32
    scf.yield %t : f32
  } else {
    scf.yield %x : f32
  }
  %e = memref.alloc() : memref<12xi32>
  linalg.fill ins(%i : i32) outs(%e : memref<12xi32>)
  %j = memref.load %e[%c0] : memref<12xi32>
  %f = arith.sitofp %j : i32 to f32
  %t = arith.addf %s, %f : f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%t : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
