// What memplan-recompute makes possible: a buffer that is computed again is computed where it would be copied to.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{recompute=cheap split=none reuse=none verify})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{recompute=cheap split=none reuse=none elide=none verify})' \
// RUN:   | FileCheck %s --check-prefix=COPIED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{split=none reuse=none verify})' \
// RUN:   | FileCheck %s --check-prefix=HELD

// 1. Two products need 768 bytes, and what is copied together at the end 640. The buffer is held in between, or it is copied, or
// neither.
// CHECK-LABEL: func.func @concat(
// CHECK:         memref<768xi8>
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%{{.*}} : memref<64xf32, strided<[1]>>)
// CHECK-NOT:     memref.copy
// COPIED-LABEL: func.func @concat(
// COPIED:        memref<896xi8>
// COPIED:        linalg.exp {memplan.recomputed}
// COPIED:        memref.copy
// HELD-LABEL:  func.func @concat(
// HELD:          memref<1024xi8>
// HELD-NOT:      memplan.recomputed
// HELD:          memref.copy
func.func @concat(%x: memref<64xf32>, %x2: memref<96xf32>, %w: memref<96x64xf32>, %v: memref<96x96xf32>, %u: memref<8x160xf32>,
    %zero: f32, %z: memref<64xf32> {memplan.noalias}, %o: memref<8xf32> {memplan.noalias}, %s: memref<8x96xf32>, %q: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%z : memref<64xf32>)
  %c = memref.alloc() : memref<96xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<96xf32>)
  linalg.matvec ins(%w, %x : memref<96x64xf32>, memref<64xf32>) outs(%c : memref<96xf32>)
  %d = memref.alloc() : memref<96xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<96xf32>)
  linalg.matvec ins(%v, %c : memref<96x96xf32>, memref<96xf32>) outs(%d : memref<96xf32>)
  linalg.fill ins(%zero : f32) outs(%o : memref<8xf32>)
  linalg.matvec ins(%s, %d : memref<8x96xf32>, memref<96xf32>) outs(%o : memref<8xf32>)
  %cat = memref.alloc() : memref<160xf32>
  %right = memref.subview %cat[64] [96] [1] : memref<160xf32> to memref<96xf32, strided<[1], offset: 64>>
  linalg.exp ins(%x2 : memref<96xf32>) outs(%right : memref<96xf32, strided<[1], offset: 64>>)
  %left = memref.subview %cat[0] [64] [1] : memref<160xf32> to memref<64xf32, strided<[1]>>
  memref.copy %a, %left : memref<64xf32> to memref<64xf32, strided<[1]>>
  linalg.fill ins(%zero : f32) outs(%q : memref<8xf32>)
  linalg.matvec ins(%u, %cat : memref<8x160xf32>, memref<160xf32>) outs(%q : memref<8xf32>)
  return
}
