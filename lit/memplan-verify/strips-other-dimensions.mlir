// Strips of two buffers in one memory, split along different dimensions.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{strip-cost=none verify})' | FileCheck %s
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none},memplan-verify,memplan-merge-alloc{verify})'

// CHECK-LABEL: func.func @swapped(
// CHECK:         memplan.strips = -1
func.func @swapped(%x: memref<1xf32>, %z: memref<1xf32>, %n: index, %k: index) -> memref<?x1x?x1xf32> {
  %a = memref.alloc(%n, %k) : memref<1x?x?x1xf32>
  linalg.broadcast ins(%x : memref<1xf32>) outs(%a : memref<1x?x?x1xf32>) dimensions = [1, 2, 3]
  %b = memref.alloc(%n, %k) : memref<1x?x?x1xf32>
  linalg.broadcast ins(%z : memref<1xf32>) outs(%b : memref<1x?x?x1xf32>) dimensions = [1, 2, 3]
  %c = memref.alloc(%n, %k) : memref<1x?x?x1xf32>
  linalg.add ins(%a, %b : memref<1x?x?x1xf32>, memref<1x?x?x1xf32>) outs(%c : memref<1x?x?x1xf32>)
  %d = memref.alloc(%n, %k) : memref<?x1x?x1xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d0, d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : memref<1x?x?x1xf32>) outs(%d : memref<?x1x?x1xf32>) {
  ^bb0(%e: f32, %o: f32):
    %s = math.exp %e : f32
    linalg.yield %s : f32
  }
  %e = memref.alloc(%n, %k) : memref<?x1x?x1xf32>
  linalg.abs ins(%d : memref<?x1x?x1xf32>) outs(%e : memref<?x1x?x1xf32>)
  return %e : memref<?x1x?x1xf32>
}
