// Rows that strips compute again, in place of keeping them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 max-recompute=10})' \
// RUN:   | FileCheck %s --check-prefix=KEPT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 max-recompute=99})' \
// RUN:   | FileCheck %s
// The report and the remark say what is repeated, and no bound: that is one without.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 max-recompute=99 \
// RUN:   remarks},memplan-verify,memplan-merge-alloc{verify report=-})' -o /dev/null 2>&1 | \
// RUN:   FileCheck %s --check-prefix=SAID
// In the whole pipeline.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{strip-cost=none max-strips=1 max-recompute=99 \
// RUN:   verify})' | FileCheck %s --check-prefix=PLAN

// 1. Three strips need each row of the first convolution. Kept, they are live beside the wide rows that follow. Of all
// iterations, 16% are repeated. Strips that would fill a line buffer first are not needed, and all have as many rows.
// KEPT-LABEL:  @narrow_then_wide(
// KEPT:          memref.alloc() {{.*}}kind = "line"{{.*}} : memref<1x4x3x30xf32>
// KEPT:          strips = array<i64: 32>
// CHECK-LABEL: @narrow_then_wide(
// CHECK:         scf.for %[[I:.*]] = %c0 to %c30
// CHECK-NEXT:      %[[STRIP:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x4x3x30xf32>
// CHECK:           linalg.fill {{.*}}split = [array<i64: 2, 1, 2, 32, 2>]{{.*}} outs(%[[STRIP]] :
// CHECK:           %[[IN:.*]] = memref.subview %{{.*}}[0, 0, %[[I]], 0] [1, 1, 5, 32]
// CHECK:           linalg.conv_2d_nchw_fchw {{.*}}ins(%[[IN]], %{{.*}}) outs(%[[STRIP]] :
// CHECK:           linalg.conv_2d_nchw_fchw {{.*}}ins(%[[STRIP]],
// CHECK-NOT:       scf.if
// CHECK:         repeated = 69600 : i64
// PLAN-LABEL:  @narrow_then_wide(
// PLAN:          memref.alloc() {{.*}}memplan.arena{{.*}} : memref<1904xi8>
// SAID:        30 strips of 1 rows {{.*}} 0 bytes in 0 line buffers, 0 bytes copied in a call, 69600 iterations repeated,
// SAID-SAME:   and the plan of the function takes 1904 bytes instead of 57120 [memplan-R413]
// SAID:        "strips":30,"executions":270,"repeated":69600,
func.func @narrow_then_wide(%x: memref<1x1x34x32xf32>, %u: memref<4x1x3x3xf32>, %v: memref<1x4x3x3xf32>,
    %w: memref<16x1x1x1xf32>, %y: memref<1x16x1x1xf32>, %zero: f32) -> memref<1x1x30x28xf32> {
  %a = memref.alloc() : memref<1x4x32x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x32x30xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %u : memref<1x1x34x32xf32>, memref<4x1x3x3xf32>) outs(%a : memref<1x4x32x30xf32>)
  %b = memref.alloc() : memref<1x1x30x28xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x1x30x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x4x32x30xf32>, memref<1x4x3x3xf32>) outs(%b : memref<1x1x30x28xf32>)
  %c = memref.alloc() : memref<1x16x30x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x16x30x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %w : memref<1x1x30x28xf32>, memref<16x1x1x1xf32>) outs(%c : memref<1x16x30x28xf32>)
  %d = memref.alloc() : memref<1x16x30x28xf32>
  linalg.exp ins(%c : memref<1x16x30x28xf32>) outs(%d : memref<1x16x30x28xf32>)
  %e = memref.alloc() : memref<1x1x30x28xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<1x1x30x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%d, %y : memref<1x16x30x28xf32>, memref<1x16x1x1xf32>) outs(%e : memref<1x1x30x28xf32>)
  return %e : memref<1x1x30x28xf32>
}

// 2. At the border of padding, the first strip and the last one have fewer rows: their number is computed.
// CHECK-LABEL: @padded(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:           %[[FIRST:.*]] = arith.maxsi
// CHECK:           %[[END:.*]] = arith.minsi
// CHECK:           %[[ROWS:.*]] = arith.subi %[[END]], %[[FIRST]]
// CHECK:           linalg.conv_2d_nchw_fchw {{.*}}split = [array<i64: 2, 1, 1, 32, 2>]
// CHECK:         repeated = {{[1-9]}}
func.func @padded(%x: memref<1x1x34x32xf32>, %u: memref<4x1x3x3xf32>, %v: memref<1x4x3x3xf32>,
    %w: memref<16x1x1x1xf32>, %y: memref<1x16x1x1xf32>, %zero: f32) -> memref<1x1x32x28xf32> {
  %a = memref.alloc() : memref<1x4x34x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x34x30xf32>)
  %inside = memref.subview %a[0, 0, 1, 0] [1, 4, 32, 30] [1, 1, 1, 1]
    : memref<1x4x34x30xf32> to memref<1x4x32x30xf32, strided<[4080, 1020, 30, 1], offset: 30>>
  linalg.conv_2d_nchw_fchw ins(%x, %u : memref<1x1x34x32xf32>, memref<4x1x3x3xf32>)
    outs(%inside : memref<1x4x32x30xf32, strided<[4080, 1020, 30, 1], offset: 30>>)
  %b = memref.alloc() : memref<1x1x32x28xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x1x32x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x4x34x30xf32>, memref<1x4x3x3xf32>) outs(%b : memref<1x1x32x28xf32>)
  %c = memref.alloc() : memref<1x16x32x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x16x32x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %w : memref<1x1x32x28xf32>, memref<16x1x1x1xf32>) outs(%c : memref<1x16x32x28xf32>)
  %e = memref.alloc() : memref<1x1x32x28xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<1x1x32x28xf32>)
  linalg.conv_2d_nchw_fchw ins(%c, %y : memref<1x16x32x28xf32>, memref<1x16x1x1xf32>) outs(%e : memref<1x1x32x28xf32>)
  return %e : memref<1x1x32x28xf32>
}
