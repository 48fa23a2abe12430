// Orders around branches and loops that need the most bytes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-reorder))' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off},memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=PLANNED

// 1. A branch needs the most: what only lives through it is read before it.
// CHECK-LABEL: func @around_a_branch
// CHECK:         linalg.exp
// CHECK-NOT:     scf.if
// CHECK:         memref.load
// CHECK:         scf.if
// PLANNED-LABEL: func @around_a_branch
// PLANNED:         memref.alloc() {{.*}} : memref<256xi8>
// PLANNED:         memref.dealloc
// PLANNED:         scf.if
// PLANNED:           memref.alloc() {{.*}} : memref<512xi8>
func.func @around_a_branch(%x: memref<64xf32>, %c: i1, %y: memref<128xf32>) -> f32 {
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.if %c {
    %t = memref.alloc() : memref<128xf32>
    linalg.fill ins(%one : f32) outs(%t : memref<128xf32>)
    linalg.exp ins(%t : memref<128xf32>) outs(%y : memref<128xf32>)
  }
  %r = memref.load %a[%c7] : memref<64xf32>
  return %r : f32
}

// 2. The same in a loop in a branch; what the loop reads stays.
// CHECK-LABEL: func @around_a_loop
// CHECK:         linalg.exp
// CHECK-NOT:     linalg.exp
// CHECK:         memref.load
// CHECK:         linalg.exp
// CHECK:         scf.if
// PLANNED-LABEL: func @around_a_loop
// PLANNED:         memref.alloc() {{.*}} : memref<256xi8>
// PLANNED:         scf.if
// PLANNED:           memref.alloc() {{.*}} : memref<512xi8>
func.func @around_a_loop(%x: memref<64xf32>, %c: i1, %n: index, %y: memref<128xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  scf.if %c {
    scf.for %i = %c0 to %n step %c1 {
      %t = memref.alloc() : memref<128xf32>
      linalg.fill ins(%one : f32) outs(%t : memref<128xf32>)
      %s = memref.load %b[%i] : memref<64xf32>
      memref.store %s, %t[%i] : memref<128xf32>
      linalg.exp ins(%t : memref<128xf32>) outs(%y : memref<128xf32>)
    }
  }
  %r = memref.load %a[%c7] : memref<64xf32>
  return %r : f32
}
