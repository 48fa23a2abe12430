// Along a length, operations run several rows in a strip: how many strips have rows is known only at run time, too.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100},\
// RUN:   memplan-verify)' | FileCheck %s

// 1. A pad of which a strip has three rows, and one of which it has one. The number that stands for the size of the first
// one is a multiple of three.
// CHECK-LABEL: @pad(
// CHECK-NOT:     arith.constant 21841
// CHECK:         scf.for
// CHECK:         memplan.lengths
func.func @pad(%x: memref<1x4x?x9xf32>) -> memref<1x4x?x9xf32> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %h = memref.dim %x, %c2 : memref<1x4x?x9xf32>
  %padded = arith.addi %h, %c2 : index
  %pad = memref.alloc(%padded) : memref<1x4x?x11xf32>
  linalg.fill ins(%one : f32) outs(%pad : memref<1x4x?x11xf32>)
  %inside = memref.subview %pad[0, 0, 1, 1] [1, 4, %h, 9] [1, 1, 1, 1]
    : memref<1x4x?x11xf32> to memref<1x4x?x9xf32, strided<[?, ?, 11, 1], offset: 12>>
  memref.copy %x, %inside : memref<1x4x?x9xf32> to memref<1x4x?x9xf32, strided<[?, ?, 11, 1], offset: 12>>
  %rows = affine.apply affine_map<()[s0] -> ((s0 - 2) ceildiv 3)>()[%padded]
  %a = memref.alloc(%rows) : memref<1x4x?x9xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x?x9xf32>)
  %window = memref.alloc() : memref<3x3xf32>
  linalg.pooling_nchw_max {strides = dense<[3, 1]> : vector<2xi64>}
    ins(%pad, %window : memref<1x4x?x11xf32>, memref<3x3xf32>) outs(%a : memref<1x4x?x9xf32>)
  %more = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%rows]
  %pad2 = memref.alloc(%more) : memref<1x4x?x9xf32>
  linalg.fill ins(%one : f32) outs(%pad2 : memref<1x4x?x9xf32>)
  %inside2 = memref.subview %pad2[0, 0, 1, 0] [1, 4, %rows, 9] [1, 1, 1, 1]
    : memref<1x4x?x9xf32> to memref<1x4x?x9xf32, strided<[?, ?, 9, 1], offset: 9>>
  memref.copy %a, %inside2 : memref<1x4x?x9xf32> to memref<1x4x?x9xf32, strided<[?, ?, 9, 1], offset: 9>>
  %window2 = memref.alloc() : memref<3x1xf32>
  %b = memref.alloc(%rows) : memref<1x4x?x9xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x?x9xf32>)
  linalg.pooling_nchw_max ins(%pad2, %window2 : memref<1x4x?x9xf32>, memref<3x1xf32>) outs(%b : memref<1x4x?x9xf32>)
  return %b : memref<1x4x?x9xf32>
}
