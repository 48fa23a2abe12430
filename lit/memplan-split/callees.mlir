// Private functions are split as others, and what a caller knows of them stays right.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain max-strips=1 strip-cost=none})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain max-strips=1 strip-cost=none},\
// RUN:   memplan-verify,memplan-merge-alloc{scope=module verify},memplan-verify)' | FileCheck %s --check-prefix=PLAN

// 1. A callee that writes the memory of its caller.
// CHECK-LABEL: func.func private @layer(
// CHECK:         memref.alloc() {{.*}} : memref<1x64xf32>
// CHECK:         memplan.strips = 64
// PLAN-LABEL:  func.func private @layer(
// PLAN-SAME:     memref<16640xi8> {memplan.arena
func.func private @layer(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x64xf32>)
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  linalg.tanh ins(%b : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}

// 2. A callee with a result.
// CHECK-LABEL: func.func private @made(
// CHECK:         memplan.strips = 64
// PLAN-LABEL:  func.func private @made(
// PLAN-SAME:     memref<256xi8> {memplan.arena
func.func private @made(%x: memref<64x64xf32>, %w: memref<64x64xf32>) -> memref<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x64xf32>)
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  return %b : memref<64x64xf32>
}

// 3. The caller holds what its callees need: a buffer of its own stays until the second call has read it.
// PLAN-LABEL:  func.func @caller(
// PLAN:          %[[OWN:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// PLAN:          %[[FIRST:.*]] = memref.alloc() {{.*}} : memref<16640xi8>
// PLAN:          call @layer(
// PLAN:          memref.dealloc %[[FIRST]]
// PLAN:          %[[SECOND:.*]] = memref.alloc() {{.*}} : memref<256xi8>
// PLAN:          call @made(
// PLAN:          memref.dealloc %[[SECOND]]
func.func @caller(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %v: memref<64x8xf32>) -> memref<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64x64xf32>
  call @layer(%x, %w, %a) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  %b = call @made(%a, %w) : (memref<64x64xf32>, memref<64x64xf32>) -> memref<64x64xf32>
  %c = memref.alloc() : memref<64x64xf32>
  linalg.tanh ins(%b : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  %r = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<64x8xf32>)
  linalg.matmul ins(%c, %v : memref<64x64xf32>, memref<64x8xf32>) outs(%r : memref<64x8xf32>)
  return %r : memref<64x8xf32>
}
