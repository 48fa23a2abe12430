// Chains of operations run strip by strip, in the whole pipeline.
// 1. Unless that is turned off.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{split=none})' | FileCheck %s --check-prefix=WHOLE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' | FileCheck %s
// 2. The forms that are tried are those that the pipeline would give the function, and options reach the pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{max-strips=4 max-copy=7 max-recompute=3 \
// RUN:   max-code-growth=2 strip-cost=none results=off alignment=128})' --dump-pass-pipeline -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{reorder=none})' --dump-pass-pipeline \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDERED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{elide=none})' --dump-pass-pipeline \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=COPIED
// ALL:      memplan-results-to-out-params
// ALL-NEXT: memplan-split{alignment=128 below=forms {{.*}}forms=plain,lower,equal,none,reordered {{.*}}max-code-growth=2 max-copy=7 max-recompute=3 {{.*}}max-strips=4 {{.*}}results=off split-parallel=false {{.*}}strip-cost=none}
// ALL-NEXT: memplan-elide-copies
// ORDERED:      memplan-split{{.*}}forms=plain,lower,equal,none in-place
// ORDERED-NEXT: memplan-elide-copies
// COPIED:      memplan-split{{.*}}forms=plain in-place
// COPIED-NEXT: memplan-merge-workgroup
// COPIED-NEXT: memplan-reorder

// 3. The strips are in the arena.
// WHOLE-LABEL: func.func @chain(
// WHOLE-NOT:     scf.for
// WHOLE:         memref.alloc() {{.*}} : memref<16384xi8>
// CHECK-LABEL: func.func @chain(
// CHECK:         memref.alloc() {{.*}}memplan.arena} : memref<256xi8>
// CHECK:         scf.for
// CHECK:           memref.view %{{.*}} : memref<256xi8> to memref<1x64xf32>
// CHECK:         memplan.strips = 64
func.func @chain(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}

// 4. A copy that goes away is better than strips of it: the function is left to the passes that follow.
// CHECK-LABEL: func.func @copy(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @copy(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x64xf32>
  memref.copy %a, %b : memref<64x64xf32> to memref<64x64xf32>
  return %b : memref<64x64xf32>
}

// 5. Copies of strips are loops: calls of the library would take longer.
// CHECK-LABEL: func.func @pad(
// CHECK:         scf.for
// CHECK-NOT:     memref.copy
// CHECK:         linalg.copy
// CHECK-NOT:     memref.copy
// CHECK:         memplan.strips
func.func @pad(%x: memref<64x64xf32>, %w: memref<66x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x66xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64x66xf32>)
  %inside = memref.subview %a[0, 1] [64, 64] [1, 1] : memref<64x66xf32> to memref<64x64xf32, strided<[66, 1], offset: 1>>
  memref.copy %x, %inside : memref<64x64xf32> to memref<64x64xf32, strided<[66, 1], offset: 1>>
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  linalg.matmul ins(%a, %w : memref<64x66xf32>, memref<66x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}

// 6. Strips of a chain whose operations run in some strips alone: one arena, as each of them runs in some strip.
// CHECK-LABEL: func.func @windows(
// CHECK:         memref.alloc() {{.*}}memplan.arena}
// CHECK-NOT:     memplan.arena
// CHECK:         memplan.strips
// CHECK:         return
func.func @windows(%x: memref<1x3x20x20xf32>, %w: memref<4x3x3x3xf32>, %v: memref<2x4x3x3xf32>) -> memref<1x2x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x4x18x18xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x18x18xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x20x20xf32>, memref<4x3x3x3xf32>) outs(%a : memref<1x4x18x18xf32>)
  %b = memref.alloc() : memref<1x4x20x20xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x20x20xf32>)
  %inside = memref.subview %b[0, 0, 1, 1] [1, 4, 18, 18] [1, 1, 1, 1] : memref<1x4x20x20xf32>
    to memref<1x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>
  memref.copy %a, %inside : memref<1x4x18x18xf32> to memref<1x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>
  %d = memref.alloc() : memref<1x2x9x9xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<1x2x9x9xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%b, %v : memref<1x4x20x20xf32>, memref<2x4x3x3xf32>)
    outs(%d : memref<1x2x9x9xf32>)
  return %d : memref<1x2x9x9xf32>
}
