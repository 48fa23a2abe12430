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
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{remarks max-code-growth=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LONG
// FORMS: memplan-split: forms=best is none of plain, lower, equal, none, reordered
// GROWTH: memplan-split: max-code-growth=0.5 is no number from 1 on
// NAN: memplan-split: max-code-growth=nan is no number from 1 on
// STRIPS: memplan-split: option 'max-strips'
// EFFORT: memplan-split: option 'effort' takes one of quick, normal, thorough, or an integer, not 'much'

// LONG: remark: not split: the plan of the function takes 16384 bytes; strips of one row take at least 256 bytes, the plan 64.0 times as much; with chains, it would have more operations than `max-code-growth` allows [memplan-R414]

// 1. A chain.
// CHECK-LABEL: @split
// CHECK:         memplan.strips
func.func @split(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  // expected-remark @+1 {{split: 3 operations along loop 0 of linalg.matmul, 64 strips of 1 rows with 3.0 operations each, 0 bytes in 0 line buffers, 0 bytes copied in a call, 1.02 of the time by the model; they hold 256 bytes instead of 16384, and the plan of the function takes 256 bytes instead of 16384; strips of one row take at least 256 bytes, as the plan does [memplan-R413]}}
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}

// -----

// 2. The last operation reads the first result backwards: the remark is at the operation with the peak.
// CHECK-LABEL: @whole
// CHECK-NOT:     scf.for
func.func @whole(%x: memref<4096xf32>) -> memref<4096xf32> {
  %a = memref.alloc() : memref<4096xf32>
  // expected-remark @+1 {{not split: the plan of the function takes 16384 bytes; strips of one row take at least 16384 bytes, as the plan does; 16384 bytes are held at linalg.exp, and a buffer of 16384 bytes (memref<4096xf32>) stays whole: an index falls where its loop rises [memplan-R414]}}
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

// 3. What is left of the peak is at a call.
// CHECK-LABEL: @further
// CHECK:         memplan.strips
func.func @further(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  // expected-remark @+1 {{split: 3 operations along loop 0 of linalg.matmul}}
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  %c = memref.alloc() : memref<1024xf32>
  // expected-remark @+1 {{not split further: the plan of the function takes 4096 bytes; strips of one row take at least 4096 bytes, as the plan does; 4096 bytes are held at func.call, and a buffer of 4096 bytes (memref<1024xf32>) stays whole: it is not known which elements an operation touches}}
  call @opaque(%c) : (memref<1024xf32>) -> ()
  return %b : memref<64x8xf32>
}
func.func private @opaque(memref<1024xf32>)

// -----

// 4. Nothing is split where iterations run at the same time.
func.func @nested(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %y: memref<64x8xf32>, %zero: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<64x64xf32>
    // expected-remark @+1 {{not split: the plan of the function takes 16384 bytes; 16384 bytes are held at linalg.exp, and nothing is split in the body of scf.parallel}}
    linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%y : memref<64x8xf32>)
  }
  return
}

// -----

// 5. Functions without memory get no remark.
func.func private @declared(memref<4xf32>)
func.func @empty() {
  return
}
func.func @arguments(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  linalg.exp ins(%x : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
