// Donated arguments beside dead buffers and other results; a second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' -o %t.mlir && FileCheck %s < %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-elide-copies)' | diff %t.mlir -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' -o /dev/null

// 1. What is dead does not keep a copy alive, nor take the argument from it.
// CHECK-LABEL: func @beside_dead
// CHECK-NEXT:    return %{{.*}} : memref<8xf32>
func.func @beside_dead(%a: memref<8xf32> {memplan.donated}) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.add ins(%b, %a : memref<8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  return %b : memref<8xf32>
}

// 2. Beside a result that is freed on some paths, none is borrowed.
// CHECK-LABEL: func private @mixed
// CHECK-NOT:     memplan.borrowed
// CHECK:         return
func.func private @mixed(%a: memref<8xf32> {memplan.donated}, %c: i1) -> (memref<8xf32>, memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  %0 = arith.select %c, %b, %a : memref<8xf32>
  return %0, %a : memref<8xf32>, memref<8xf32>
}
func.func @calls_mixed(%c: i1) {
  %b = memref.alloc() : memref<8xf32>
  %0:2 = call @mixed(%b, %c) : (memref<8xf32>, i1) -> (memref<8xf32>, memref<8xf32>)
  return
}
