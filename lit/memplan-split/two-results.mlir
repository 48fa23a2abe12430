// An operation with two results, which are read at different times: it is as far as the one that is read first, and the rows
// of the other one stay until they are read.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1},memplan-verify)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-recompute=99},memplan-verify,\
// RUN:   memplan-merge-alloc{verify})' -o /dev/null

// CHECK-LABEL: func.func @two(
// CHECK:         %[[FIRST:.*]] = memref.alloc() {{.*}}kept = 2 : i64, {{.*}} : memref<3x32xf32>
// CHECK:         %[[SECOND:.*]] = memref.alloc() {{.*}}kept = 2 : i64, {{.*}} : memref<3x32xf32>
// CHECK:         scf.for
// CHECK:           linalg.generic {{.*}}split = [array<i64: 0, 1, 2, 34>]
// CHECK:           linalg.conv_2d {{.*}}ins(%[[FIRST]],
// CHECK:           %[[READ:.*]] = memref.subview %[[SECOND]][0, 0] [1, 30] [1, 1]
// CHECK:           linalg.add {{.*}}, %[[READ]] :
// CHECK:         memplan.strips = 34
#id = affine_map<(i, j) -> (i, j)>
func.func @two(%x: memref<34x32xf32>, %w: memref<3x3xf32>, %zero: f32) -> memref<32x30xf32> {
  %a = memref.alloc() : memref<34x32xf32>
  %b = memref.alloc() : memref<34x32xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<34x32xf32>) outs(%a, %b : memref<34x32xf32>, memref<34x32xf32>) {
  ^bb0(%e: f32, %o: f32, %p: f32):
    %1 = math.exp %e : f32
    %2 = math.sin %e : f32
    linalg.yield %1, %2 : f32, f32
  }
  %c = memref.alloc() : memref<32x30xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<32x30xf32>)
  linalg.conv_2d ins(%a, %w : memref<34x32xf32>, memref<3x3xf32>) outs(%c : memref<32x30xf32>)
  %bs = memref.subview %b[0, 0] [32, 30] [1, 1] : memref<34x32xf32> to memref<32x30xf32, strided<[32, 1]>>
  %d = memref.alloc() : memref<32x30xf32>
  linalg.add ins(%c, %bs : memref<32x30xf32>, memref<32x30xf32, strided<[32, 1]>>) outs(%d : memref<32x30xf32>)
  return %d : memref<32x30xf32>
}

// Both results are parts of one buffer.
// CHECK-LABEL: func.func @parts(
// CHECK:         scf.for
// CHECK:           %[[FIRST:.*]] = memref.subview %[[ROWS:.*]][0, 0] [2, {{.*}}]
// CHECK:           %[[SECOND:.*]] = memref.subview %[[ROWS]][2, 0] [2, {{.*}}]
// CHECK:           linalg.generic {{.*}} outs(%[[FIRST]], %[[SECOND]] :
// CHECK:         memplan.strips
func.func @parts(%x: memref<2x32xf32>, %zero: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4x32xf32>
  %first = memref.subview %a[0, 0] [2, 32] [1, 1] : memref<4x32xf32> to memref<2x32xf32, strided<[32, 1]>>
  %second = memref.subview %a[2, 0] [2, 32] [1, 1] : memref<4x32xf32> to memref<2x32xf32, strided<[32, 1], offset: 64>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<2x32xf32>)
    outs(%first, %second : memref<2x32xf32, strided<[32, 1]>>, memref<2x32xf32, strided<[32, 1], offset: 64>>) {
  ^bb0(%e: f32, %o: f32, %p: f32):
    %1 = math.exp %e : f32
    %2 = math.sin %e : f32
    linalg.yield %1, %2 : f32, f32
  }
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<4x32xf32>) outs(%b : memref<4xf32>) dimensions = [1]
  return %b : memref<4xf32>
}
