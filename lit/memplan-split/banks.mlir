// Buffers with rules for banks stay whole, and so do the operands of operations that are apart.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split)' | FileCheck %s

// 1. Without rules, the chain is split.
// CHECK-LABEL: func @without
// CHECK:         memplan.strips
func.func @without(%x: memref<64x48xf32>, %zero: f32) -> memref<64xf32> {
  %a = memref.alloc() : memref<64x48xf32>
  linalg.exp ins(%x : memref<64x48xf32>) outs(%a : memref<64x48xf32>)
  %b = memref.alloc() : memref<64x48xf32>
  linalg.tanh ins(%a : memref<64x48xf32>) outs(%b : memref<64x48xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<64x48xf32>) outs(%c : memref<64xf32>) dimensions = [1]
  return %c : memref<64xf32>
}

// 2. The buffer in the bank is whole.
// CHECK-LABEL: func @bank
// CHECK:         memref.alloc() {memplan.bank = 0 : i64} : memref<64x48xf32>
func.func @bank(%x: memref<64x48xf32>, %zero: f32) -> memref<64xf32> {
  %a = memref.alloc() {memplan.bank = 0 : i64} : memref<64x48xf32>
  linalg.exp ins(%x : memref<64x48xf32>) outs(%a : memref<64x48xf32>)
  %b = memref.alloc() : memref<64x48xf32>
  linalg.tanh ins(%a : memref<64x48xf32>) outs(%b : memref<64x48xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<64x48xf32>) outs(%c : memref<64xf32>) dimensions = [1]
  return %c : memref<64xf32>
}

// 3. Operands that are apart are whole buffers.
// CHECK-LABEL: func @operands
// CHECK:         %[[A:.*]] = memref.alloc() : memref<64x48xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<64x48xf32>
// CHECK:         linalg.tanh {memplan.operands_apart} ins(%[[A]] : {{.*}}) outs(%[[B]] :
func.func @operands(%x: memref<64x48xf32>, %zero: f32) -> memref<64xf32> {
  %a = memref.alloc() : memref<64x48xf32>
  linalg.exp ins(%x : memref<64x48xf32>) outs(%a : memref<64x48xf32>)
  %b = memref.alloc() : memref<64x48xf32>
  linalg.tanh {memplan.operands_apart} ins(%a : memref<64x48xf32>) outs(%b : memref<64x48xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<64x48xf32>) outs(%c : memref<64xf32>) dimensions = [1]
  return %c : memref<64xf32>
}
