// Buffers move on where the memory space to which they moved is too small, too; no more of them than have to.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify capacity=1:384,2:256 \
// RUN:   spill=1->2,2->default})' -split-input-file -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks

// 1. One buffer stays, one moves, and one moves on.
// CHECK-LABEL: func @chain
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8, 1>
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8, 2>
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8>
// REMARKS-COUNT-2: moved from memory space 1
func.func @chain(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  %b = memref.alloc() : memref<64xf32, 1>
  %c = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
  memref.copy %x, %c : memref<64xf32> to memref<64xf32, 1>
  linalg.add ins(%a, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  memref.copy %c, %x : memref<64xf32, 1> to memref<64xf32>
  return
}

// -----

// 2. The cheapest is too small alone, and not needed with the next one.
// CHECK-LABEL: func @one_is_enough
// CHECK-DAG:     memref.alloc() {{.*}} : memref<384xi8, 1>
// CHECK-DAG:     memref.alloc() {{.*}} : memref<256xi8, 2>
// REMARKS-NOT:   :[[# @LINE + 3]]:8: remark: moved
func.func @one_is_enough(%x: memref<64xf32>, %y: memref<32xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  %b = memref.alloc() : memref<32xf32, 1>
  %c = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %y, %b : memref<32xf32> to memref<32xf32, 1>
  memref.copy %x, %c : memref<64xf32> to memref<64xf32, 1>
  linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%a : memref<64xf32, 1>)
  linalg.add ins(%a, %a : memref<64xf32, 1>, memref<64xf32, 1>) outs(%a : memref<64xf32, 1>)
  memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
  memref.copy %b, %y : memref<32xf32, 1> to memref<32xf32>
  return
}
