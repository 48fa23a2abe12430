// Allocations with rules for banks stay as they are: another buffer would not keep them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s

// 1. Without a rule, %a is computed in the part of %b.
// CHECK-LABEL: func @without
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @without(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<8xf32, 1>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32, 1>)
  %a = memref.alloc() : memref<4xf32, 1>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32, 1>)
  %part = memref.subview %b[0] [4] [1] : memref<8xf32, 1> to memref<4xf32, strided<[1]>, 1>
  memref.copy %a, %part : memref<4xf32, 1> to memref<4xf32, strided<[1]>, 1>
  linalg.exp ins(%b : memref<8xf32, 1>) outs(%y : memref<8xf32>)
  return
}

// 2. With one, both stay.
// CHECK-LABEL: func @with
// CHECK:         memref.alloc() {memplan.bank = 1 : i64} : memref<8xf32, 1>
// CHECK:         %[[A:.*]] = memref.alloc() {memplan.apart = "pair"} : memref<4xf32, 1>
// CHECK:         memref.copy %[[A]], %{{.*}}
func.func @with(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() {memplan.bank = 1 : i64} : memref<8xf32, 1>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32, 1>)
  %a = memref.alloc() {memplan.apart = "pair"} : memref<4xf32, 1>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32, 1>)
  %part = memref.subview %b[0] [4] [1] : memref<8xf32, 1> to memref<4xf32, strided<[1]>, 1>
  memref.copy %a, %part : memref<4xf32, 1> to memref<4xf32, strided<[1]>, 1>
  linalg.exp ins(%b : memref<8xf32, 1>) outs(%y : memref<8xf32>)
  return
}
