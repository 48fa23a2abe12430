// Remarks, and values of options.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-split{remarks})'
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-split))' | FileCheck %s
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=lower,best})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORMS
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-code-growth=0.5})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GROWTH
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-code-growth=nan})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAN
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-strips=0})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRIPS
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{effort=much})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EFFORT
// FORMS: memplan-split: forms=best is none of plain, lower, equal, none, reordered
// GROWTH: memplan-split: max-code-growth=0.5 is no number from 1 on
// NAN: memplan-split: max-code-growth=nan is no number from 1 on
// STRIPS: memplan-split: option 'max-strips'
// EFFORT: memplan-split: option 'effort' takes one of quick, normal, thorough, or an integer, not 'much'

// 1. A chain.
// CHECK-LABEL: @split
// CHECK:         memplan.strips
func.func @split(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  // expected-remark @+1 {{split: 3 operations, 64 strips of 1 rows, 0 bytes copied in a call; the plan of the function takes 256 bytes instead of 16384 [memplan-R413]}}
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}

// -----

// 2. The last operation reads all of the first result for each element.
// CHECK-LABEL: @whole
// CHECK-NOT:     scf.for
// expected-remark @+1 {{not split: no chain lowers the plan of 16384 bytes; mostly, an index falls where its loop rises [memplan-R414]}}
func.func @whole(%x: memref<4096xf32>) -> memref<4096xf32> {
  %a = memref.alloc() : memref<4096xf32>
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

// 3. Functions without memory get no remark.
func.func private @declared(memref<4xf32>)
func.func @empty() {
  return
}
func.func @arguments(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  linalg.exp ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
