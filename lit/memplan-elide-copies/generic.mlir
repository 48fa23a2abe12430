// Copies, transpositions and fills that are written as linalg.generic or linalg.map are what they are by name.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{split=none verify})' | FileCheck %s --check-prefix=PLAN

#id = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#none = affine_map<(i, j) -> ()>

// 1. Copies of a buffer that a generic operation fills become fills of their own.
// CHECK-LABEL: func @filled
// CHECK-NOT:     memref.copy
// CHECK:         linalg.generic
// CHECK:           linalg.yield %{{.*}} : f32
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:           linalg.yield
// CHECK:         linalg.matmul
// PLAN-LABEL: func @filled
// PLAN:         memref<32768xi8>
func.func @filled(%x: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %z = arith.constant 0.0 : f32
  %zero = memref.alloc() : memref<64x64xf32>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%zero : memref<64x64xf32>) {
  ^bb0(%o: f32):
    linalg.yield %z : f32
  }
  %a = memref.alloc() : memref<64x64xf32>
  memref.copy %zero, %a : memref<64x64xf32> to memref<64x64xf32>
  linalg.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x64xf32>
  memref.copy %zero, %b : memref<64x64xf32> to memref<64x64xf32>
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  linalg.transpose ins(%b : memref<64x64xf32>) outs(%y : memref<64x64xf32>) permutation = [1, 0]
  return
}

// 2. The value is an input; and linalg.map.
// CHECK-LABEL: func @filled_by_input
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func @filled_by_map
// CHECK-NOT:     memref.copy
// CHECK:         linalg.map
func.func @filled_by_input(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: f32) {
  %zero = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z : f32) outs(%zero : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  %a = memref.alloc() : memref<8x8xf32>
  memref.copy %zero, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%zero : memref<8x8xf32>)
  linalg.transpose ins(%zero : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  return
}
func.func @filled_by_map(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: f32) {
  %zero = memref.alloc() : memref<8x8xf32>
  linalg.map outs(%zero : memref<8x8xf32>)
    (%o: f32) {
      linalg.yield %z : f32
    }
  %a = memref.alloc() : memref<8x8xf32>
  memref.copy %zero, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%zero : memref<8x8xf32>)
  linalg.transpose ins(%zero : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  return
}

// 3. The copy has another shape, which the maps of a generic operation do not fit: it stays.
// CHECK-LABEL: func @another_shape
// CHECK:         memref.copy
func.func @another_shape(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: f32) {
  %zero = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%zero : memref<64xf32>) {
  ^bb0(%o: f32):
    linalg.yield %z : f32
  }
  %v = memref.expand_shape %zero [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %a = memref.alloc() : memref<8x8xf32>
  memref.copy %v, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%v : memref<8x8xf32>)
  memref.copy %v, %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// 4. A transposition becomes a view: by the map of the input, and by that of the output.
// CHECK-LABEL: func @transposed
// CHECK:         memref.alloc() : memref<1x100xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.transpose %{{.*}} (d0, d1) -> (d1, d0)
// CHECK:         linalg.matmul
// CHECK:         memref.transpose %{{.*}} (d0, d1) -> (d1, d0)
// CHECK:         linalg.matmul
func.func @transposed(%w: memref<100x64xf32>, %x: memref<1x64xf32>) -> memref<1x100xf32> {
  %y = memref.alloc() : memref<1x100xf32>
  %t = memref.alloc() : memref<64x100xf32>
  linalg.generic {indexing_maps = [#ji, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w : memref<100x64xf32>) outs(%t : memref<64x100xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.matmul ins(%x, %t : memref<1x64xf32>, memref<64x100xf32>) outs(%y : memref<1x100xf32>)
  %u = memref.alloc() : memref<64x100xf32>
  linalg.generic {indexing_maps = [#id, #ji], iterator_types = ["parallel", "parallel"]}
      ins(%w : memref<100x64xf32>) outs(%u : memref<64x100xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.matmul ins(%x, %u : memref<1x64xf32>, memref<64x100xf32>) outs(%y : memref<1x100xf32>)
  return %y : memref<1x100xf32>
}

// 5. In three dimensions, the order is that of the maps together.
// CHECK-LABEL: func @three
// CHECK:         memref.transpose %{{.*}} (d0, d1, d2) -> (d1, d2, d0) : memref<2x3x4xf32> to memref<3x4x2xf32
func.func @three(%x: memref<2x3x4xf32>) -> memref<3x2x4xf32> {
  %y = memref.alloc() : memref<3x2x4xf32>
  %t = memref.alloc() : memref<3x4x2xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<2x3x4xf32>) outs(%t : memref<3x4x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.transpose ins(%t : memref<3x4x2xf32>) outs(%y : memref<3x2x4xf32>) permutation = [0, 2, 1]
  return %y : memref<3x2x4xf32>
}

// 6. A copy by linalg.map becomes a view.
// CHECK-LABEL: func @mapped
// CHECK-NOT:     linalg.map
// CHECK:         linalg.transpose ins(%arg0
func.func @mapped(%x: memref<8x8xf32>) -> memref<8x8xf32> {
  %y = memref.alloc() : memref<8x8xf32>
  %t = memref.alloc() : memref<8x8xf32>
  linalg.map ins(%x : memref<8x8xf32>) outs(%t : memref<8x8xf32>)
    (%a: f32, %o: f32) {
      linalg.yield %a : f32
    }
  linalg.transpose ins(%t : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  return %y : memref<8x8xf32>
}

// 7. None of these copies: a broadcast, a diagonal, a computation, a reduction, the old contents, two inputs.
// CHECK-LABEL: func @none
// CHECK-COUNT-7: memref.alloc
func.func @none(%x: memref<8x8xf32>, %r: memref<8xf32>) -> memref<8x8xf32> {
  %y = memref.alloc() : memref<8x8xf32>
  %a = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : memref<8xf32>) outs(%a : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<8x8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  %c = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#ji, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%c : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  }
  linalg.matmul ins(%c, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x8xf32>) outs(%d : memref<8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.vecmat ins(%b, %x : memref<8xf32>, memref<8x8xf32>) outs(%d : memref<8xf32>)
  linalg.matvec ins(%x, %d : memref<8x8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %e = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#ji, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x8xf32>) outs(%e : memref<8x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %o : f32
  }
  linalg.matmul ins(%e, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %f = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#ji, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%f : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    linalg.yield %p : f32
  }
  linalg.matmul ins(%f, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return %y : memref<8x8xf32>
}

// 8. The target of a transposition is reshaped, and read in that shape alone.
// CHECK-LABEL: func @reshaped
// CHECK:         memref.alloc() : memref<1x100xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.transpose
func.func @reshaped(%w: memref<100x8xf32>, %x: memref<1x8x1xf32>) -> memref<1x100xf32> {
  %y = memref.alloc() : memref<1x100xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%y : memref<1x100xf32>)
  %t = memref.alloc() : memref<8x100xf32>
  %we = memref.expand_shape %w [[0], [1, 2]] output_shape [100, 8, 1] : memref<100x8xf32> into memref<100x8x1xf32>
  %te = memref.expand_shape %t [[0, 1], [2]] output_shape [8, 1, 100] : memref<8x100xf32> into memref<8x1x100xf32>
  linalg.transpose ins(%we : memref<100x8x1xf32>) outs(%te : memref<8x1x100xf32>) permutation = [1, 2, 0]
  linalg.generic {indexing_maps = [affine_map<(b, n, k, i) -> (b, k, i)>, affine_map<(b, n, k, i) -> (k, i, n)>,
                                   affine_map<(b, n, k, i) -> (b, n)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %te : memref<1x8x1xf32>, memref<8x1x100xf32>) outs(%y : memref<1x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  }
  return %y : memref<1x100xf32>
}

// 9. The buffer is also read in its own shape: it keeps that.
// CHECK-LABEL: func @both_shapes
// CHECK:         memref.alloc() : memref<8x100xf32>
// CHECK:         memref.expand_shape
func.func @both_shapes(%w: memref<100x8xf32>, %x: memref<1x8xf32>) -> memref<1x100xf32> {
  %y = memref.alloc() : memref<1x100xf32>
  %t = memref.alloc() : memref<8x100xf32>
  %we = memref.expand_shape %w [[0], [1, 2]] output_shape [100, 8, 1] : memref<100x8xf32> into memref<100x8x1xf32>
  %te = memref.expand_shape %t [[0, 1], [2]] output_shape [8, 1, 100] : memref<8x100xf32> into memref<8x1x100xf32>
  linalg.transpose ins(%we : memref<100x8x1xf32>) outs(%te : memref<8x1x100xf32>) permutation = [1, 2, 0]
  linalg.matmul ins(%x, %t : memref<1x8xf32>, memref<8x100xf32>) outs(%y : memref<1x100xf32>)
  return %y : memref<1x100xf32>
}
