// Dynamic sizes: an order is searched for one value of all dimensions, and kept if it is no worse at others.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{remarks})' \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// 1. Two buffers one after the other.
// CHECK-LABEL: func.func @in_turn
// CHECK: linalg.fill {{.*}}outs(%[[A:.*]] :
// CHECK-NEXT: memref.copy %[[A]]
// CHECK: linalg.fill {{.*}}outs(%[[B:.*]] :
// CHECK-NEXT: memref.copy %[[B]]
// expected-remark @below {{at most 1024 bytes live at once instead of 2048, with dynamic dimensions of 16; no order needs less}}
func.func @in_turn(%v: f32, %y: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  %b = memref.alloc(%n) : memref<?x16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x16xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<?x16xf32>)
  memref.copy %a, %y : memref<?x16xf32> to memref<?x16xf32>
  memref.copy %b, %y : memref<?x16xf32> to memref<?x16xf32>
  return
}

// -----

// 2. The larger of two buffers should be first. Which one that is depends on the dimension: the order stays.
// CHECK-LABEL: func.func @depends
// CHECK: memref<?x16xf32>
// CHECK: linalg.reduce
// CHECK: memref<64x16xf32>
// CHECK: linalg.reduce
// expected-remark @below {{not reordered}}
func.func @depends(%v: f32, %n: index, %out: memref<16xf32>) {
  %a = memref.alloc(%n) : memref<?x16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x16xf32>)
  %s = memref.alloc() : memref<16xf32>
  linalg.reduce ins(%a : memref<?x16xf32>) outs(%s : memref<16xf32>) dimensions = [0]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  %b = memref.alloc() : memref<64x16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64x16xf32>)
  %t = memref.alloc() : memref<16xf32>
  linalg.reduce ins(%b : memref<64x16xf32>) outs(%t : memref<16xf32>) dimensions = [0]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  linalg.add ins(%s, %t : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// -----

// 3. As 2, but the dynamic buffer is never the smaller one.
// CHECK-LABEL: func.func @larger
// CHECK: memref<?x64x16xf32>
// CHECK: linalg.reduce
// CHECK: memref<64x16xf32>
// CHECK: linalg.reduce
// expected-remark @below {{reordered: 9 operations, at most 65600 bytes live at once instead of 65664, with dynamic dimensions of 16}}
func.func @larger(%v: f32, %n: index, %out: memref<16xf32>) {
  %b = memref.alloc() : memref<64x16xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64x16xf32>)
  %t = memref.alloc() : memref<16xf32>
  linalg.reduce ins(%b : memref<64x16xf32>) outs(%t : memref<16xf32>) dimensions = [0]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  %a = memref.alloc(%n) : memref<?x64x16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x64x16xf32>)
  %s = memref.alloc() : memref<16xf32>
  linalg.reduce ins(%a : memref<?x64x16xf32>) outs(%s : memref<16xf32>) dimensions = [0, 1]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  linalg.add ins(%s, %t : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
