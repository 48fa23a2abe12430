// Results that stay separate.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-results)' | FileCheck %s

// One result, the same buffer twice, one of several buffers, an argument, a dynamic size; functions that others call.
// CHECK-NOT: xi8>
// CHECK-NOT: memplan.borrowed
func.func @one(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  return %a : memref<8xf32>
}
func.func @twice(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  return %a, %a : memref<8xf32>, memref<8xf32>
}
func.func @others(%x: memref<8xf32>, %c: i1, %n: index) -> (memref<8xf32>, memref<8xf32>, memref<?xf32>) {
  %r = scf.if %c -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  %d = memref.alloc(%n) : memref<?xf32>
  return %r, %x, %d : memref<8xf32>, memref<8xf32>, memref<?xf32>
}
func.func private @private(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}
func.func @called(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}
func.func @caller(%x: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a, %b = call @called(%x) : (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  %v = memref.load %b[%c0] : memref<8xf32>
  return %v : f32
}
