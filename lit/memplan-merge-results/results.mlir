// Results of public functions are parts of one allocation, which the first one stands for.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-results)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan{results=arena})' \
// RUN:   | FileCheck %s --check-prefix=FREED
// FREED-NOT: memref.dealloc

// 1. Others between them, another shape than the buffer's, an alignment, two memory spaces.
// CHECK-LABEL: func @spaces
// CHECK-SAME:    -> (memref<8xf32>, f32, memref<3xi8, 1>, memref<2x2xf32> {memplan.borrowed}, memref<5xi8, 1> {memplan.borrowed})
// CHECK:         %[[ONE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<69xi8, 1>
// CHECK:         memref.view %[[ONE]]{{.*}} to memref<5xi8, 1>
// CHECK:         %[[BLOCK:.*]] = memref.alloc() {alignment = 128 : i64} : memref<144xi8>
// CHECK:         memref.view %[[BLOCK]]{{.*}} to memref<8xf32>
// CHECK:         %[[C128:.*]] = arith.constant 128 : index
// CHECK:         %[[B:.*]] = memref.view %[[BLOCK]][%[[C128]]][] : memref<144xi8> to memref<4xf32>
// CHECK:         memref.expand_shape %[[B]]
// CHECK:         memref.view %[[ONE]]{{.*}} to memref<3xi8, 1>
func.func @spaces(%x: memref<8xf32>) -> (memref<8xf32>, f32, memref<3xi8, 1>, memref<2x2xf32>, memref<5xi8, 1>) {
  %f = arith.constant 0.0 : f32
  %i = arith.constant 0 : i8
  %d = memref.alloc() : memref<5xi8, 1>
  linalg.fill ins(%i : i8) outs(%d : memref<5xi8, 1>)
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  %e = memref.expand_shape %b [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %c = memref.alloc() : memref<3xi8, 1>
  linalg.fill ins(%i : i8) outs(%c : memref<3xi8, 1>)
  return %a, %f, %c, %e, %d : memref<8xf32>, f32, memref<3xi8, 1>, memref<2x2xf32>, memref<5xi8, 1>
}

// -----

// 2. Allocated in other blocks than the first one.
// CHECK-LABEL: func @blocks
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<96xi8>
// CHECK-NEXT:    cf.br
func.func @blocks(%x: memref<8xf32>, %n: index) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^loop(%next : index), ^end
^end:
  %b = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%b : memref<8xf32>)
  return %a, %b : memref<8xf32>, memref<8xf32>
}
