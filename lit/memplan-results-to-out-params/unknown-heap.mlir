// A result stays where it is if an unknown amount may be held before its allocation: its caller would hold the result beside that.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-results-to-out-params)' \
// RUN:   | FileCheck %s

// 1. Memory of dynamic size.
// CHECK-LABEL: func private @dynamic
// CHECK-SAME:    -> memref<16xf32>
func.func private @dynamic(%x: f32, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<?xf32>)
  %v = memref.load %d[%c0] : memref<?xf32>
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
func.func @calls(%x: f32, %n: index) -> memref<16xf32> {
  %r = call @dynamic(%x, %n) : (f32, index) -> memref<16xf32>
  return %r : memref<16xf32>
}

// -----

// 2. Bodies that run in parallel; after the allocation they do not matter.
// CHECK-LABEL: func private @parallel
// CHECK-SAME:    -> memref<16xi32>
func.func private @parallel(%i: i32, %y: memref<2xi32>) -> memref<16xi32> {
  scf.forall (%k) in (2) {
    %d = memref.alloc() : memref<16xi32>
    linalg.fill ins(%i : i32) outs(%d : memref<16xi32>)
    %j = memref.load %d[%k] : memref<16xi32>
    memref.store %j, %y[%k] : memref<2xi32>
  }
  %r = memref.alloc() : memref<16xi32>
  linalg.fill ins(%i : i32) outs(%r : memref<16xi32>)
  return %r : memref<16xi32>
}
// CHECK-LABEL: func private @after
// CHECK-SAME:    memref<16xi32> {memplan.noalias}) {
func.func private @after(%i: i32, %y: memref<2xi32>) -> memref<16xi32> {
  %r = memref.alloc() : memref<16xi32>
  linalg.fill ins(%i : i32) outs(%r : memref<16xi32>)
  scf.forall (%k) in (2) {
    %d = memref.alloc() : memref<16xi32>
    linalg.fill ins(%i : i32) outs(%d : memref<16xi32>)
    %j = memref.load %d[%k] : memref<16xi32>
    memref.store %j, %y[%k] : memref<2xi32>
  }
  return %r : memref<16xi32>
}
func.func @calls(%i: i32, %y: memref<2xi32>) -> (memref<16xi32>, memref<16xi32>) {
  %r = call @parallel(%i, %y) : (i32, memref<2xi32>) -> memref<16xi32>
  %s = call @after(%i, %y) : (i32, memref<2xi32>) -> memref<16xi32>
  return %r, %s : memref<16xi32>, memref<16xi32>
}

// -----

// 3. The peak of another memory space does not matter.
// CHECK-LABEL: func private @spaces
// CHECK-SAME:    -> memref<16xf32, 1>
func.func private @spaces(%x: f32, %i: i32) -> memref<16xf32, 1> {
  %c0 = arith.constant 0 : index
  %big = memref.alloc() : memref<64xi32>
  linalg.fill ins(%i : i32) outs(%big : memref<64xi32>)
  %u = memref.load %big[%c0] : memref<64xi32>
  %b = memref.alloc() : memref<24xi32, 1>
  linalg.fill ins(%u : i32) outs(%b : memref<24xi32, 1>)
  %r = memref.alloc() : memref<16xf32, 1>
  linalg.fill ins(%x : f32) outs(%r : memref<16xf32, 1>)
  return %r : memref<16xf32, 1>
}
func.func @calls(%x: f32, %i: i32) -> memref<16xf32, 1> {
  %r = call @spaces(%x, %i) : (f32, i32) -> memref<16xf32, 1>
  return %r : memref<16xf32, 1>
}
