// Strips that take too long by the model of time.
// 1. Few elements do not pay for the operations that strips start: only without the limit are they split.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain remarks})' 2>&1 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain strip-cost=none})' \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' | FileCheck %s --check-prefix=PIPELINE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{strip-cost=none})' \
// RUN:   | FileCheck %s --check-prefix=NONE
// CHECK: remark: not split: {{.*}}; strips that hold less take too long by the model of `strip-cost`
// CHECK: remark: split: 2 operations {{.*}}, 256 strips of 16 rows {{.*}}, 1.06 of the time by the model
// CHECK-LABEL:    func.func @few(%arg0
// CHECK-NOT:        memplan.strips
// NONE-LABEL:     func.func @few(
// NONE:             memplan.strips
// PIPELINE-LABEL: func.func @few(
// PIPELINE-NOT:     memplan.strips
func.func @few(%x: memref<4x8xf32>, %w: memref<8x1xf32>, %zero: f32) -> memref<4x1xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  linalg.exp ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  %b = memref.alloc() : memref<4x1xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x1xf32>)
  linalg.matmul ins(%a, %w : memref<4x8xf32>, memref<8x1xf32>) outs(%b : memref<4x1xf32>)
  return %b : memref<4x1xf32>
}

// 2. Strips are as high as the limit of time requires: 16 columns with it, one without.
// CHECK-LABEL:    func.func @many(%arg0
// CHECK:            memplan.strips = 256
// NONE-LABEL:     func.func @many(
// NONE:             memplan.strips = 4096
// PIPELINE-LABEL: func.func @many(
// PIPELINE:         memplan.strips = 256
func.func @many(%x: memref<16x4096xf32>, %w: memref<4096x4xf32>, %zero: f32) -> memref<16x4xf32> {
  %a = memref.alloc() : memref<16x4096xf32>
  linalg.exp ins(%x : memref<16x4096xf32>) outs(%a : memref<16x4096xf32>)
  %b = memref.alloc() : memref<16x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<16x4xf32>)
  linalg.matmul ins(%a, %w : memref<16x4096xf32>, memref<4096x4xf32>) outs(%b : memref<16x4xf32>)
  return %b : memref<16x4xf32>
}
