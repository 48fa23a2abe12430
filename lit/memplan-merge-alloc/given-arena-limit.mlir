// Plans that are taken again, where a limit keeps the arenas of an iteration apart: they are not hoisted then, either.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{report=%t.json \
// RUN:   arena-limit=64 alignment=4 hoist-parallel=2}))' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{plan=%t.json \
// RUN:   arena-limit=64 alignment=4 hoist-parallel=2}))' | diff %t.mlir -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{analyse-only \
// RUN:   arena-limit=64 alignment=4 hoist-parallel=2}))' -o %t.attributes.mlir
// RUN: %memplan-opt %t.attributes.mlir --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{ \
// RUN:   arena-limit=64 alignment=4 hoist-parallel=2}))' | diff %t.mlir -

// 1. Two arenas of an iteration: together they are above the limit.
// CHECK-LABEL: func @two
// CHECK:         scf.parallel
// CHECK-COUNT-2:   memref.alloc() {{.*}} : memref<36xi8>
func.func @two(%out: memref<9xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %a = memref.alloc() : memref<9xi32>
    %b = memref.alloc() : memref<9xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<9xi32>)
    linalg.fill ins(%v : i32) outs(%b : memref<9xi32>)
    %x = memref.load %a[%i] : memref<9xi32>
    %y = memref.load %b[%i] : memref<9xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %out[%i] : memref<9xi32>
  }
  return
}

// 2. One within the limit is hoisted.
// CHECK-LABEL: func @one
// CHECK:         memref.alloc() {{.*}} : memref<32xi8>
// CHECK:         scf.parallel
// CHECK-NOT:       memref.alloc
// CHECK:         return
func.func @one(%out: memref<4xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %a = memref.alloc() : memref<4xi32>
    linalg.fill ins(%v : i32) outs(%a : memref<4xi32>)
    %x = memref.load %a[%i] : memref<4xi32>
    memref.store %x, %out[%i] : memref<4xi32>
  }
  return
}
