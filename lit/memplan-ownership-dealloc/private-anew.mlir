// Calls with attributes that say which results are new are recreated: the attributes of the old ones would not hold
// for operations that other functions may have after them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @f(
// CHECK:         scf.while
// CHECK:         memref.dealloc
// CHECK:         return

func.func private @regrow(%m: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  memref.store %x, %n[%c0] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %n : memref<4xf32>
}
func.func @a() -> f32 {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %x0 = memref.alloc() : memref<4xf32>
  memref.store %f1, %x0[%c0] : memref<4xf32>
  %x1 = call @regrow(%x0) : (memref<4xf32>) -> memref<4xf32>
  %r = memref.load %x1[%c0] : memref<4xf32>
  return %r : f32
}
func.func @f(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<32xi8>
  %v0 = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  %v1 = memref.view %b[%c0][] : memref<32xi8> to memref<4xf32>
  memref.store %f1, %v0[%c0] : memref<4xf32>
  memref.store %f2, %v1[%c0] : memref<4xf32>
  %w:3 = scf.while (%i = %c0, %x = %v0, %y = %v1) : (index, memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, index, memref<4xf32>) {
    %k = arith.cmpi slt, %i, %c3 : index
    scf.condition(%k) %y, %i, %x : memref<4xf32>, index, memref<4xf32>
  } do {
  ^bb0(%y: memref<4xf32>, %i: index, %x: memref<4xf32>):
    %n = memref.alloc() : memref<64xi8>
    %nv = memref.view %n[%c8][] : memref<64xi8> to memref<4xf32>
    %l = memref.load %x[%c0] : memref<4xf32>
    %l2 = memref.load %y[%c0] : memref<4xf32>
    %s = arith.addf %l, %l2 : f32
    memref.store %s, %nv[%c0] : memref<4xf32>
    %i1 = arith.addi %i, %c1 : index
    %z = arith.select %c, %nv, %y : memref<4xf32>
    scf.yield %i1, %z, %x : index, memref<4xf32>, memref<4xf32>
  }
  %r0 = memref.load %w#0[%c0] : memref<4xf32>
  %r1 = memref.load %w#2[%c0] : memref<4xf32>
  %s = arith.subf %r0, %r1 : f32
  return %s : f32
}
