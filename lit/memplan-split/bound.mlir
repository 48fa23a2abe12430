// What remarks say of the fewest bytes that strips of one row take.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-split{remarks})'
// With fewer steps, the bound may be lower.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-split{remarks effort=100})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STEPS
// STEPS: at least 255 bytes, as far as the steps of `effort` show, the plan less than 1% more [memplan-R413]

// 1. One row is what the plan takes.
func.func @row(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  // expected-remark @+1 {{instead of 16384; strips of one row take at least 256 bytes, as the plan does [memplan-R413]}}
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}

// -----

// 2. A window of 3 rows and 3 columns, and two columns at the border in all 30 rows: 276 bytes; each is rounded in the plan.
func.func @window(%x: memref<1x1x32x32xf32>, %w: memref<1x1x3x3xf32>, %v: memref<1x1x3x3xf32>, %zero: f32)
    -> memref<1x1x28x28xf32> {
  %a = memref.alloc() : memref<1x1x30x30xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x1x30x30xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x1x32x32xf32>, memref<1x1x3x3xf32>) outs(%a : memref<1x1x30x30xf32>)
  %c = memref.alloc() : memref<1x1x28x28xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<1x1x28x28xf32>)
  // expected-remark @+1 {{strips of one row take at least 276 bytes, the plan 30% more [memplan-R413]}}
  linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x1x30x30xf32>, memref<1x1x3x3xf32>) outs(%c : memref<1x1x28x28xf32>)
  return %c : memref<1x1x28x28xf32>
}

// -----

// 3. No strips take less: the last operation reads backwards.
func.func @whole(%x: memref<4096xf32>) -> memref<4096xf32> {
  %a = memref.alloc() : memref<4096xf32>
  // expected-remark @+1 {{not split: the plan of the function takes 16384 bytes; strips of one row take at least 16384 bytes, as the plan does; 16384 bytes are held at linalg.exp}}
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  %b = memref.alloc() : memref<4096xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (4095 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : memref<4096xf32>) outs(%b : memref<4096xf32>) {
  ^bb0(%one: f32, %out: f32):
    linalg.yield %one : f32
  }
  return %b : memref<4096xf32>
}

// -----

// 4. A buffer around a loop that the loop needs counts beside what its body takes.
func.func @around(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %v: memref<8xf32>, %zero: f32) -> memref<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %around = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%around : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<64x64xf32>
    linalg.abs ins(%around : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    // expected-remark @+1 {{strips of one row take at least 16640 bytes, as the plan does}}
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  }
  linalg.matmul ins(%around, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}
