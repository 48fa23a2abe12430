// Strips that memplan-split writes: each does what the operation did.
// RUN: for options in '' max-strips=1 max-strips=4 forms=plain; do \
// RUN:   for file in split run views-run; do \
// RUN:     for plan in '' memplan-merge-alloc,; do \
// RUN:       %memplan-opt %S/../memplan-split/$file.mlir --split-input-file -o /dev/null --pass-pipeline="\
// RUN:         builtin.module(memplan-split{strip-cost=none max-code-growth=100 $options},${plan}memplan-verify)" \
// RUN:         || exit 1; \
// RUN:     done; \
// RUN:   done; \
// RUN: done
// Passes may change the operations afterwards.
// RUN: for file in run views-run; do \
// RUN:   %memplan-opt %S/../memplan-split/$file.mlir -o /dev/null \
// RUN:     --pass-pipeline="builtin.module(memplan-split{strip-cost=none max-code-growth=100},memplan{verify=true})" \
// RUN:     || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100},memplan-verify)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100},memplan-merge-alloc,\
// RUN:     memplan-verify)'
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100 max-strips=1},\
// RUN:     func.func(memplan-verify))'

// 1. Channels of two results are put together, row by row.
// CHECK-LABEL: @concat
// CHECK:         memplan.strips
func.func @concat(%x: memref<1x4x32x32xf32>, %w: memref<4x4x3x3xf32>, %zero: f32) -> memref<1x4x28x28xf32> {
  %a = memref.alloc() : memref<1x4x30x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x30x30xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x4x32x32xf32>, memref<4x4x3x3xf32>) outs(%a : memref<1x4x30x30xf32>)
  %b = memref.alloc() : memref<1x8x30x30xf32>
  %low = memref.subview %b[0, 0, 0, 0] [1, 4, 30, 30] [1, 1, 1, 1] : memref<1x8x30x30xf32>
    to memref<1x4x30x30xf32, strided<[7200, 900, 30, 1]>>
  linalg.exp ins(%a : memref<1x4x30x30xf32>) outs(%low : memref<1x4x30x30xf32, strided<[7200, 900, 30, 1]>>)
  %high = memref.subview %b[0, 4, 0, 0] [1, 4, 30, 30] [1, 1, 1, 1] : memref<1x8x30x30xf32>
    to memref<1x4x30x30xf32, strided<[7200, 900, 30, 1], offset: 3600>>
  linalg.abs ins(%a : memref<1x4x30x30xf32>) outs(%high : memref<1x4x30x30xf32, strided<[7200, 900, 30, 1], offset: 3600>>)
  %v = memref.alloc() : memref<4x8x3x3xf32>
  linalg.fill ins(%zero : f32) outs(%v : memref<4x8x3x3xf32>)
  %c = memref.alloc() : memref<1x4x28x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x4x28x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %v : memref<1x8x30x30xf32>, memref<4x8x3x3xf32>) outs(%c : memref<1x4x28x28xf32>)
  return %c : memref<1x4x28x28xf32>
}

// -----

// 2. Groups of rows: eight rows of one operation are one of the next.
// CHECK-LABEL: @groups
// CHECK:         memplan.strips
func.func @groups(%x: memref<128x16xf32>, %w: memref<128x4xf32>, %zero: f32) -> memref<16x4xf32> {
  %a = memref.alloc() : memref<128x16xf32>
  linalg.exp ins(%x : memref<128x16xf32>) outs(%a : memref<128x16xf32>)
  %groups = memref.expand_shape %a [[0, 1], [2]] output_shape [16, 8, 16] : memref<128x16xf32> into memref<16x8x16xf32>
  %b = memref.alloc() : memref<16x8x16xf32>
  linalg.abs ins(%groups : memref<16x8x16xf32>) outs(%b : memref<16x8x16xf32>)
  %rows = memref.collapse_shape %b [[0], [1, 2]] : memref<16x8x16xf32> into memref<16x128xf32>
  %c = memref.alloc() : memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<16x4xf32>)
  linalg.matmul ins(%rows, %w : memref<16x128xf32>, memref<128x4xf32>) outs(%c : memref<16x4xf32>)
  return %c : memref<16x4xf32>
}

// -----

// 3. Rows that are repeated and merged, of which some strips have fewer: their number is a quotient.
// CHECK-LABEL: @repeated
// CHECK:         arith.divui
// CHECK:         memplan.strips
func.func @repeated(%x: memref<1x1x6x31xf32>, %w: memref<1x1x2x3xf32>, %window: memref<3x2xf32>, %zero: f32)
    -> memref<1x1x3x30xf32> {
  %a = memref.alloc() : memref<1x1x8x32xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x1x8x32xf32>)
  %inside = memref.subview %a[0, 0, 1, 0] [1, 1, 6, 31] [1, 1, 1, 1] : memref<1x1x8x32xf32>
    to memref<1x1x6x31xf32, strided<[256, 256, 32, 1], offset: 32>>
  memref.copy %x, %inside : memref<1x1x6x31xf32> to memref<1x1x6x31xf32, strided<[256, 256, 32, 1], offset: 32>>
  %b = memref.alloc() : memref<1x1x8x2x32x2xf32>
  linalg.broadcast ins(%a : memref<1x1x8x32xf32>) outs(%b : memref<1x1x8x2x32x2xf32>) dimensions = [3, 5]
  %rows = memref.collapse_shape %b [[0], [1], [2, 3], [4, 5]] : memref<1x1x8x2x32x2xf32> into memref<1x1x16x64xf32>
  %c = memref.alloc() : memref<1x1x16x64xf32>
  linalg.exp ins(%rows : memref<1x1x16x64xf32>) outs(%c : memref<1x1x16x64xf32>)
  %d = memref.alloc() : memref<1x1x8x62xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<1x1x8x62xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>}
    ins(%c, %w : memref<1x1x16x64xf32>, memref<1x1x2x3xf32>) outs(%d : memref<1x1x8x62xf32>)
  %e = memref.alloc() : memref<1x1x3x30xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<1x1x3x30xf32>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<[1, 2]> : vector<2xi64>}
    ins(%d, %window : memref<1x1x8x62xf32>, memref<3x2xf32>) outs(%e : memref<1x1x3x30xf32>)
  return %e : memref<1x1x3x30xf32>
}

// -----

// 4. A copy in place.
// CHECK-LABEL: @copied
// CHECK:         linalg.copy {memplan.rows = {{.*}} ins(%[[STRIP:[a-z0-9_]+]] : {{.*}}) outs(%[[STRIP]] : 
func.func @copied(%x: memref<64x16xf32>) -> memref<16x64xf32> {
  %a = memref.alloc() : memref<64x16xf32>
  linalg.exp ins(%x : memref<64x16xf32>) outs(%a : memref<64x16xf32>)
  %b = memref.alloc() : memref<64x16xf32>
  memref.copy %a, %b : memref<64x16xf32> to memref<64x16xf32>
  %c = memref.alloc() : memref<16x64xf32>
  linalg.transpose ins(%b : memref<64x16xf32>) outs(%c : memref<16x64xf32>) permutation = [1, 0]
  return %c : memref<16x64xf32>
}
