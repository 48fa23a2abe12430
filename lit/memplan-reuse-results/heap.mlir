// Buffers that do not live in the memory of a result, as the function could hold more of the heap.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-reuse-results{arena=arg})' \
// RUN:   | FileCheck %s --check-prefix=ARG

// 1. What is held in between is not known: memory of dynamic size, that stays where it is, or of bodies that run in parallel.
// CHECK-LABEL: func @dynamic_between
// CHECK:         memref.alloc() : memref<16xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK:         memref.alloc() : memref<16xf32>
func.func @dynamic_between(%x: f32, %i: i32, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%c0] : memref<16xf32>
  %d = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%i : i32) outs(%d : memref<?xi32>)
  %j = memref.load %d[%c0] : memref<?xi32>
  %f = arith.sitofp %j : i32 to f32
  %s = arith.addf %v, %f : f32
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%s : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
// CHECK-LABEL: func @kept_between
// CHECK:         memref.alloc() : memref<16xf32>
// CHECK:         memref.alloc() {memplan.keep} : memref<16xi32>
// CHECK:         memref.alloc() : memref<16xf32>
func.func @kept_between(%x: f32, %i: i32) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%c0] : memref<16xf32>
  %d = memref.alloc() {memplan.keep} : memref<16xi32>
  linalg.fill ins(%i : i32) outs(%d : memref<16xi32>)
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}
// ARG-LABEL: func @parallel_between
// ARG-COUNT-3: memref.alloc
// CHECK-LABEL: func @parallel_between
// CHECK:         memref.alloc() : memref<16xf32>
// CHECK:         memref.alloc() : memref<16xi32>
// CHECK:         memref.alloc() : memref<16xf32>
func.func @parallel_between(%x: f32, %i: i32, %y: memref<2xi32>) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %v = memref.load %a[%c0] : memref<16xf32>
  scf.forall (%k) in (2) {
    %d = memref.alloc() : memref<16xi32>
    linalg.fill ins(%i : i32) outs(%d : memref<16xi32>)
    %j = memref.load %d[%k] : memref<16xi32>
    memref.store %j, %y[%k] : memref<2xi32>
  }
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}

// -----

// 2. The peak of the other memory space does not matter.
// CHECK-LABEL: func @spaces
// CHECK:         memref.alloc() : memref<64xi32>
// CHECK:         memref.alloc() : memref<16xf32, 1>
// CHECK:         memref.alloc() : memref<24xi32, 1>
// CHECK:         memref.alloc() : memref<16xf32, 1>
func.func @spaces(%x: f32, %i: i32) -> memref<16xf32, 1> {
  %c0 = arith.constant 0 : index
  %big = memref.alloc() : memref<64xi32>
  linalg.fill ins(%i : i32) outs(%big : memref<64xi32>)
  %a = memref.alloc() : memref<16xf32, 1>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32, 1>)
  %u = memref.load %big[%c0] : memref<64xi32>
  %v = memref.load %a[%c0] : memref<16xf32, 1>
  %b = memref.alloc() : memref<24xi32, 1>
  linalg.fill ins(%u : i32) outs(%b : memref<24xi32, 1>)
  %r = memref.alloc() : memref<16xf32, 1>
  linalg.fill ins(%v : f32) outs(%r : memref<16xf32, 1>)
  return %r : memref<16xf32, 1>
}
