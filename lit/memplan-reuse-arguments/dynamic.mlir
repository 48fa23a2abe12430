// Arguments of dynamic size: buffers of the same shape live in them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-arguments)' --split-input-file | FileCheck %s

// 1. A donated argument is free after its last read; another one is not.
// CHECK-LABEL: func.func @donated
// CHECK: %[[N:.*]] = memref.dim %arg1
// CHECK: %[[A:.*]] = memref.alloc(%[[N]])
// CHECK: linalg.sub {{.*}}outs(%arg1
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @donated(%x: memref<?x8xf32>, %y: memref<?x8xf32> {memplan.donated}, %z: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?x8xf32>
  %k = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%y : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%n) : memref<?x8xf32>
  linalg.sub ins(%a, %a : memref<?x8xf32>, memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  %c = memref.alloc(%k) : memref<?x8xf32>
  linalg.sub ins(%x, %x : memref<?x8xf32>, memref<?x8xf32>) outs(%c : memref<?x8xf32>)
  linalg.sub ins(%b, %a : memref<?x8xf32>, memref<?x8xf32>) outs(%z : memref<?x8xf32>)
  linalg.sub ins(%c, %c : memref<?x8xf32>, memref<?x8xf32>) outs(%x : memref<?x8xf32>)
  return
}

// -----

// 2. The shape has to be that of the argument: not a product, not another dimension.
// CHECK-LABEL: func.func @other_shapes
// CHECK-COUNT-3: memref.alloc
// CHECK: return
func.func @other_shapes(%x: memref<?x?xf32> {memplan.donated}, %z: memref<?x?xf32>, %u: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %k = arith.muli %n, %c2 : index
  memref.copy %x, %z : memref<?x?xf32> to memref<?x?xf32>
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.exp ins(%z : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.exp ins(%a : memref<?x?xf32>) outs(%u : memref<?x?xf32>)
  %b = memref.alloc(%k, %m) : memref<?x?xf32>
  linalg.exp ins(%z : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.exp ins(%b : memref<?x?xf32>) outs(%u : memref<?x?xf32>)
  %c = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.exp ins(%z : memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  linalg.exp ins(%c : memref<?x?xf32>) outs(%u : memref<?x?xf32>)
  return
}

// -----

// 3. What nothing needs after the call of a private function.
// CHECK-LABEL: func.func @caller
// CHECK: memref.alloc
// CHECK-LABEL: func.func private @use
// CHECK-SAME: memplan.donated
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @caller(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  call @use(%a) : (memref<?xf32>) -> ()
  return
}
func.func private @use(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?xf32>
  %t = arith.constant 0.0 : f32
  memref.store %t, %a[%c0] : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%t : f32) outs(%b : memref<?xf32>)
  %v = memref.load %b[%c0] : memref<?xf32>
  vector.print %v : f32
  return
}
