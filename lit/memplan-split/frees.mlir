// Programs that free their memory: strips are freed in their loop, and what the chain reads after it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none forms=plain},memplan-verify)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none forms=plain},memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefix=PLAN

// 1. What lies between is freed in each strip. `%x` was freed before the last operation of the chain: now after the loop.
// CHECK-LABEL: func @between
// CHECK:         %[[X:.*]] = memref.alloc() : memref<64x8xf32>
// CHECK:         %[[R:.*]] = memref.alloc() : memref<64x4xf32>
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = memref.alloc() {{.*}} : memref<1x64xf32>
// CHECK:           linalg.matmul
// CHECK:           linalg.matmul
// CHECK:           memref.dealloc %[[A]]
// CHECK-NEXT:    } {memplan.chain
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[R]]
// PLAN-LABEL:  func @between
// PLAN:          %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// PLAN-NOT:      memref.dealloc
// PLAN:          memref.dealloc %[[ARENA]]
// PLAN-NOT:      memref.dealloc
// PLAN:          return
func.func private @use(memref<64x8xf32>)
func.func @between(%w: memref<8x64xf32>, %u: memref<64x4xf32>, %v: f32) -> memref<64x4xf32> {
  %x = memref.alloc() : memref<64x8xf32>
  call @use(%x) : (memref<64x8xf32>) -> ()
  %a = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64x64xf32>)
  linalg.matmul ins(%x, %w : memref<64x8xf32>, memref<8x64xf32>) outs(%a : memref<64x64xf32>)
  memref.dealloc %x : memref<64x8xf32>
  %r = memref.alloc() : memref<64x4xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<64x4xf32>)
  linalg.matmul ins(%a, %u : memref<64x64xf32>, memref<64x4xf32>) outs(%r : memref<64x4xf32>)
  memref.dealloc %a : memref<64x64xf32>
  return %r : memref<64x4xf32>
}

// 2. Line buffers are freed after the loop.
// CHECK-LABEL: func @lines
// CHECK:         %[[L:.*]] = memref.alloc() {{.*}}memplan.line_buffer
// CHECK:         scf.for
// CHECK:         } {memplan.chain
// CHECK-NEXT:    memref.dealloc %[[L]]
// CHECK-NEXT:    return
func.func @lines(%x: memref<1x66x32x1xf32>, %k: memref<3x3x1x4xf32>, %l: memref<3x3x4x1xf32>, %v: f32)
    -> memref<1x62x28x1xf32> {
  %a = memref.alloc() : memref<1x64x30x4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<1x64x30x4xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %k : memref<1x66x32x1xf32>, memref<3x3x1x4xf32>) outs(%a : memref<1x64x30x4xf32>)
  %r = memref.alloc() : memref<1x62x28x1xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<1x62x28x1xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%a, %l : memref<1x64x30x4xf32>, memref<3x3x4x1xf32>) outs(%r : memref<1x62x28x1xf32>)
  memref.dealloc %a : memref<1x64x30x4xf32>
  return %r : memref<1x62x28x1xf32>
}
