// An operand whose elements nobody uses has its place among the rows of a line buffer, as if they were used.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 forms=plain})' \
// RUN:   | FileCheck %s
// Strips of `%a` are four rows wide, and the unread ones are those of the strip before.
// CHECK-LABEL: func.func @unread(
// CHECK:         %[[LINES:.*]] = memref.alloc() {{.*}} : memref<8x16xf32>
// CHECK:         scf.for
// CHECK:           linalg.exp
// CHECK:           memref.subview %[[LINES]][0, 0] [1, 16] [1, 1]
// CHECK:         memplan.strips = 8
func.func @unread(%x: memref<37x16xf32>, %w: memref<4xf32>) -> memref<7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<37x16xf32>
  linalg.exp ins(%x : memref<37x16xf32>) outs(%a : memref<37x16xf32>)
  %b = memref.alloc() : memref<17x16xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<17x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 * 2 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>,
                                   affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %w : memref<37x16xf32>, memref<4xf32>) outs(%b : memref<17x16xf32>) {
  ^bb0(%one: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %one, %weight : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  %c = memref.alloc() : memref<7x16xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + 2, d1)>, affine_map<(d0, d1) -> (d0 * 4, d1)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%b, %a : memref<17x16xf32>, memref<37x16xf32>) outs(%c : memref<7x16xf32>) {
  ^bb0(%one: f32, %unread: f32, %old: f32):
    %double = arith.addf %one, %one : f32
    linalg.yield %double : f32
  }
  return %c : memref<7x16xf32>
}
