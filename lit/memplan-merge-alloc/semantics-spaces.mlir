// Which operations do the same in another memory space: all views do.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{capacity=1:64 spill=1->0 in-place=false})' \
// RUN:   | FileCheck %s

// 1. A reshape moves with its source, as a collapsed shape does.
// CHECK-LABEL: func @reshaped
// CHECK-DAG: memref.alloc() {{.*}} : memref<64xi8>
// CHECK-DAG: memref.alloc() {{.*}} : memref<64xi8, 1>
// CHECK: memref.reshape {{.*}} : (memref<4x4xf32>, memref<1xindex>) -> memref<16xf32>
func.func @reshaped(%x: memref<4x4xf32>, %s: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, 1>
  %b = memref.alloc() : memref<4x4xf32, 1>
  linalg.exp ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32, 1>)
  linalg.matmul ins(%x, %a : memref<4x4xf32>, memref<4x4xf32, 1>) outs(%b : memref<4x4xf32, 1>)
  %t = memref.reshape %a(%s) : (memref<4x4xf32, 1>, memref<1xindex>) -> memref<16xf32, 1>
  %v = memref.load %t[%c0] : memref<16xf32, 1>
  %t2 = memref.reshape %b(%s) : (memref<4x4xf32, 1>, memref<1xindex>) -> memref<16xf32, 1>
  memref.store %v, %t2[%c0] : memref<16xf32, 1>
  return
}

// -----

// 2. The shape of a reshape is read: it may be anywhere, and the reshape does not move with it.
// CHECK-LABEL: func @shape
// CHECK: memref.reshape {{.*}} -> memref<16xf32, 1>
func.func @shape(%x: memref<4x4xf32, 1>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<1xindex, 1>
  %b = memref.alloc() : memref<4x4xf32, 1>
  memref.store %n, %s[%c0] : memref<1xindex, 1>
  linalg.exp ins(%x : memref<4x4xf32, 1>) outs(%b : memref<4x4xf32, 1>)
  %t = memref.reshape %x(%s) : (memref<4x4xf32, 1>, memref<1xindex, 1>) -> memref<16xf32, 1>
  %v = memref.load %t[%c0] : memref<16xf32, 1>
  %w = memref.load %b[%c0, %c0] : memref<4x4xf32, 1>
  %r = arith.addf %v, %w : f32
  return %r : f32
}
