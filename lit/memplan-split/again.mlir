// What the pass writes is read back as it was printed: a second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none})' > %t.once
// RUN: %memplan-opt %t.once --pass-pipeline='builtin.module(memplan-split{strip-cost=none})' | diff %t.once -
// RUN: FileCheck %s < %t.once

// An index that two dimensions of a view share.
// CHECK:       affine_map<(d0, d1) -> (d0 * 18 + 1, 2)>
// CHECK-LABEL: func.func @shared(
// CHECK:         memplan.strips
func.func @shared(%x: memref<16x12xf32>, %zero: f32) -> memref<1xf32> {
  %a = memref.alloc() : memref<16x12xf32>
  linalg.exp ins(%x : memref<16x12xf32>) outs(%a : memref<16x12xf32>)
  %v = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 8, 12] : memref<16x12xf32> into memref<2x8x12xf32>
  %b = memref.alloc() : memref<1x512xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x512xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2, i * 2 + 1, 2)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]} ins(%v : memref<2x8x12xf32>) outs(%b : memref<1x512xf32>) {
  ^bb0(%e: f32, %o: f32):
    %1 = arith.addf %e, %o : f32
    linalg.yield %1 : f32
  }
  %c = memref.alloc() : memref<1xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<1x512xf32>) outs(%c : memref<1xf32>) dimensions = [1]
  return %c : memref<1xf32>
}
