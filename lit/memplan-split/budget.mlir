// Within limits of memory spaces, forms are compared by what they cost.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none})' \
// RUN:   | FileCheck %s --check-prefix=LEAST
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none budget=8192})' \
// RUN:   | FileCheck %s --check-prefix=ENOUGH
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none budget=128KiB remarks})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FITS

// Without limits, strips are as small as they can be. The weights are read in each strip, so that within a limit they are as
// large as it allows, beside the result. What fits is not split.
// LEAST-LABEL:  func.func @chain
// LEAST:          memref.alloc() {{.*}}: memref<1x64xf32>
// ENOUGH-LABEL: func.func @chain
// ENOUGH:         memref.alloc() {{.*}}: memref<{{[12][0-9]}}x64xf32>
// FITS:         not split: the plan of the function takes 16384 bytes{{.*}}; the limits of memory spaces cost nothing
// FITS:         func.func @chain{{.*}} attributes {memplan.keep_form}
// FITS-NOT:     scf.for
// FITS:         return
func.func @chain(%x: memref<64x64xf32>, %w: memref<64x8xf32>) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %c = memref.alloc() : memref<64x64xf32>
  linalg.add ins(%a, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.matmul ins(%c, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}
