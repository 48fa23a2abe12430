// What strips look like.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1},memplan-merge-alloc{verify},\
// RUN:     memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=PLAN
// A second run changes nothing.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-split)' > %t.once
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-split)' | diff %t.once -

// 1. The second convolution needs three rows of what is between: two of them stay in a line buffer. The first two strips
// only fill that. 1440 bytes of lines and 480 of a strip, in place of 14400.
// CHECK-LABEL: @lines
// CHECK:         %[[RESULT:.*]] = memref.alloc() : memref<1x4x28x28xf32>
// CHECK:         %[[LINES:.*]] = memref.alloc() {alignment = 64 : i64,
// CHECK-SAME:      memplan.line_buffer = {chain = 0 : i64, kept = 2 : i64, kind = "line", type = memref<1x4x30x30xf32>}}
// CHECK-SAME:      memref<1x4x3x30xf32>
// CHECK:         %[[FIRST:.*]] = arith.constant -2 : index
// CHECK:         scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step
// CHECK:           linalg.copy ins(%{{.*}} : memref<1x4x1x30xf32, {{.*}}offset: 30>>) outs(%{{.*}} : memref<1x4x1x30xf32,
// CHECK:           linalg.copy
// CHECK:           %[[STRIP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x4x1x30xf32>
// CHECK:           linalg.fill {{.*}}ins(%{{.*}}) outs(%[[STRIP]] :
// CHECK:           %[[ROW:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:           %[[ROWS:.*]] = memref.subview %{{.*}}[0, 0, %[[ROW]], 0] [1, 4, 3, 32]
// CHECK:           linalg.conv_2d_nchw_fchw {{.*}}ins(%[[ROWS]], %{{.*}}) outs(%[[STRIP]] :
// CHECK:           %[[LAST:.*]] = memref.subview %[[LINES]][0, 0, 2, 0] [1, 4, 1, 30]
// CHECK:           linalg.exp {{.*}}ins(%[[STRIP]] : {{.*}}) outs(%[[LAST]] :
// CHECK:           %[[IS_FULL:.*]] = arith.cmpi sle, %{{.*}}, %[[I]]
// CHECK:           scf.if %[[IS_FULL]] {
// CHECK:             %[[OUT:.*]] = memref.subview %[[RESULT]][0, 0, %[[I]], 0] [1, 4, 1, 28]
// CHECK:             linalg.conv_2d_nchw_fchw {{.*}}ins(%[[LINES]], %{{.*}}) outs(%[[OUT]] :
// CHECK:         } {{{.*}}memplan.strips = 30 : i64}
// CHECK:         return %[[RESULT]]
// PLAN-LABEL:  @lines
// PLAN:          memref.alloc() {{.*}}memplan.arena{{.*}} : memref<1952xi8>
func.func @lines(%x: memref<1x4x32x32xf32>, %w: memref<4x4x3x3xf32>, %v: memref<4x4x3x3xf32>, %zero: f32)
    -> memref<1x4x28x28xf32> {
  %a = memref.alloc() : memref<1x4x30x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x30x30xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x32x32xf32>, memref<4x4x3x3xf32>) outs(%a : memref<1x4x30x30xf32>)
  %b = memref.alloc() : memref<1x4x30x30xf32>
  linalg.exp ins(%a : memref<1x4x30x30xf32>) outs(%b : memref<1x4x30x30xf32>)
  %c = memref.alloc() : memref<1x4x28x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x4x28x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %v : memref<1x4x30x30xf32>, memref<4x4x3x3xf32>) outs(%c : memref<1x4x28x28xf32>)
  return %c : memref<1x4x28x28xf32>
}

// -----

// 2. The last matmul adds up over strips of its outermost reduction: what is between is never whole.
// CHECK-LABEL: @sums
// CHECK:         %[[RESULT:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK:         linalg.fill {{.*}}ins(%{{.*}}) outs(%[[RESULT]] :
// CHECK:         scf.for
// CHECK:           %[[STRIP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK:           %[[COLUMN:.*]] = memref.subview %{{.*}}[0, %[[I:.*]]] [8, 4] [1, 1]
// CHECK:           linalg.matmul {{.*}}ins(%{{.*}}, %[[COLUMN]] : {{.*}}) outs(%[[STRIP]] :
// CHECK:           %[[ROW:.*]] = memref.subview %{{.*}}[%[[I]], 0] [4, 4] [1, 1]
// CHECK:           linalg.matmul {{.*}}ins(%[[STRIP]], %[[ROW]] : {{.*}}) outs(%[[RESULT]] :
func.func @sums(%x: memref<4x8xf32>, %w: memref<8x64xf32>, %v: memref<64x4xf32>, %zero: f32) -> memref<4x4xf32> {
  %a = memref.alloc() : memref<4x64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x64xf32>)
  linalg.matmul ins(%x, %w : memref<4x8xf32>, memref<8x64xf32>) outs(%a : memref<4x64xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %v : memref<4x64xf32>, memref<64x4xf32>) outs(%b : memref<4x4xf32>)
  return %b : memref<4x4xf32>
}

// -----

// 3. Two rows of the first result make one of the second, which needs one more: where strips begin and end, there are fewer,
// and the number of rows is computed.
// CHECK-LABEL: @uneven
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[FIRST:.*]] = arith.maxsi
// CHECK:           %[[COUNT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK:           scf.if
// CHECK:             memref.subview %{{.*}}[0, 0, %{{.*}}, 0] [1, 1, %[[COUNT]], 64]
func.func @uneven(%x: memref<1x1x17x64xf32>, %zero: f32) -> memref<1x1x7x64xf32> {
  %window = memref.alloc() : memref<3x1xf32>
  %a = memref.alloc() : memref<1x1x15x64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x1x15x64xf32>)
  linalg.pooling_nchw_sum {strides = dense<1> : vector<2xi64>}
    ins(%x, %window : memref<1x1x17x64xf32>, memref<3x1xf32>) outs(%a : memref<1x1x15x64xf32>)
  %b = memref.alloc() : memref<1x1x7x64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x1x7x64xf32>)
  linalg.pooling_nchw_sum {strides = dense<[2, 1]> : vector<2xi64>}
    ins(%a, %window : memref<1x1x15x64xf32>, memref<3x1xf32>) outs(%b : memref<1x1x7x64xf32>)
  return %b : memref<1x1x7x64xf32>
}
