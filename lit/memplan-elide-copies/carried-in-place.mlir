// Loops whose iterations compute a new buffer from the one of the last iteration: the buffer that the loop starts with is
// updated in place, if nothing needs the old contents any more.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s

// 1. Element by element; the buffer has another shape in the iteration.
// CHECK-LABEL: func @elements
// CHECK:         %[[R:.*]] = memref.alloc() : memref<2x4xf32>
// CHECK:         scf.for
// CHECK-NOT:       iter_args
// CHECK:           %[[A:.*]] = memref.collapse_shape %[[R]]
// CHECK:           %[[B:.*]] = memref.collapse_shape %[[R]]
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp ins(%[[B]] : memref<8xf32>) outs(%[[A]] : memref<8xf32>)
// CHECK:         return %[[R]]
func.func @elements(%n: index, %z: f32) -> memref<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<2x4xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<2x4xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %v = memref.collapse_shape %a [[0, 1]] : memref<2x4xf32> into memref<8xf32>
    linalg.exp ins(%v : memref<8xf32>) outs(%b : memref<8xf32>)
    %e = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
    scf.yield %e : memref<2x4xf32>
  }
  return %s : memref<2x4xf32>
}

// -----

// 2. A cache: each iteration computes both halves anew from the old ones, uses them, and puts them together. Nothing is
// copied.
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (j)>
// CHECK-LABEL: func @cache
// CHECK:         %[[R:.*]] = memref.alloc() : memref<2x4x8xf32>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       memref.copy
// CHECK:         memref.copy %[[R]], %{{.*}}
// CHECK-NEXT:    return
func.func @cache(%x: memref<8xf32>, %w: memref<8x4xf32>, %n: index, %z: f32, %out: memref<2x4x8xf32>, %sums: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<2x4x8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<2x4x8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<2x4x8xf32>) {
    %o0 = memref.subview %a[0, 0, 0] [1, 4, 8] [1, 1, 1] : memref<2x4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
    %n0 = memref.alloc() : memref<4x8xf32>
    linalg.generic {indexing_maps = [#one, #row, #row], iterator_types = ["parallel", "parallel"]}
        ins(%x, %o0 : memref<8xf32>, memref<4x8xf32, strided<[8, 1]>>) outs(%n0 : memref<4x8xf32>) {
    ^bb0(%p: f32, %q: f32, %_: f32):
      %sum = arith.addf %p, %q : f32
      linalg.yield %sum : f32
    }
    linalg.matmul ins(%n0, %w : memref<4x8xf32>, memref<8x4xf32>) outs(%sums : memref<4x4xf32>)
    %o1 = memref.subview %a[1, 0, 0] [1, 4, 8] [1, 1, 1] : memref<2x4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
    %n1 = memref.alloc() : memref<4x8xf32>
    linalg.generic {indexing_maps = [#one, #row, #row], iterator_types = ["parallel", "parallel"]}
        ins(%x, %o1 : memref<8xf32>, memref<4x8xf32, strided<[8, 1], offset: 32>>) outs(%n1 : memref<4x8xf32>) {
    ^bb0(%p: f32, %q: f32, %_: f32):
      %sum = arith.mulf %p, %q : f32
      linalg.yield %sum : f32
    }
    linalg.matmul ins(%n1, %w : memref<4x8xf32>, memref<8x4xf32>) outs(%sums : memref<4x4xf32>)
    %b = memref.alloc() : memref<8x8xf32>
    %p0 = memref.subview %b[0, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1]>>
    memref.copy %n0, %p0 : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
    %p1 = memref.subview %b[4, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
    memref.copy %n1, %p1 : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
    %e = memref.expand_shape %b [[0, 1], [2]] output_shape [2, 4, 8] : memref<8x8xf32> into memref<2x4x8xf32>
    scf.yield %e : memref<2x4x8xf32>
  }
  memref.copy %s, %out : memref<2x4x8xf32> to memref<2x4x8xf32>
  return
}

// -----

// 3. Another part may still be read; the same one may not: two buffers.
// CHECK-LABEL: func @parts
// CHECK:         scf.for %{{.*}} {
// CHECK-NEXT:      memref.subview
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
func.func @parts(%n: index, %z: f32, %x: memref<4xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %low = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %high = memref.subview %b[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.exp ins(%x : memref<4xf32>) outs(%low : memref<4xf32, strided<[1]>>)
    %old = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.exp ins(%old : memref<4xf32, strided<[1], offset: 4>>) outs(%high : memref<4xf32, strided<[1], offset: 4>>)
    scf.yield %b : memref<8xf32>
  }
  %q = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%q : memref<8xf32>)
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %low = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %high = memref.subview %b[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.exp ins(%x : memref<4xf32>) outs(%low : memref<4xf32, strided<[1]>>)
    %old = memref.subview %a[3] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 3>>
    linalg.exp ins(%old : memref<4xf32, strided<[1], offset: 3>>) outs(%high : memref<4xf32, strided<[1], offset: 4>>)
    scf.yield %b : memref<8xf32>
  }
  return %s, %t : memref<8xf32>, memref<8xf32>
}

// -----

// 4. Other elements are read; a loop of the iteration writes before it reads again; buffers are exchanged.
// CHECK-LABEL: func @needed
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
func.func @needed(%n: index, %z: f32, %y: memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<4x4xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<4x4xf32>) {
    %b = memref.alloc() : memref<4x4xf32>
    linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
    linalg.exp ins(%b : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
    scf.yield %b : memref<4x4xf32>
  }
  %q = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%q : memref<4x4xf32>)
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (memref<4x4xf32>) {
    %b = memref.alloc() : memref<4x4xf32>
    scf.for %j = %c0 to %i step %c1 {
      linalg.exp ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
    }
    linalg.exp ins(%b : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
    scf.yield %b : memref<4x4xf32>
  }
  %u = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%u : memref<4x4xf32>)
  %v = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%v : memref<4x4xf32>)
  %w:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %d = %v) -> (memref<4x4xf32>, memref<4x4xf32>) {
    %b = memref.alloc() : memref<4x4xf32>
    linalg.exp ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
    scf.yield %d, %b : memref<4x4xf32>, memref<4x4xf32>
  }
  return %s, %t, %w#0, %w#1 : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
}

// -----

// 5. The program says that they are different memory, or where one of them is.
// CHECK-LABEL: func @said
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
// CHECK:         scf.for {{.*}} iter_args
// CHECK:           memref.alloc
func.func @said(%n: index, %z: f32) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %two:2 = memref.distinct_objects %a, %b : memref<8xf32>, memref<8xf32>
    linalg.exp ins(%two#0 : memref<8xf32>) outs(%two#1 : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  %q = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%q : memref<8xf32>)
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %d = memref.assume_alignment %b, 128 : memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%d : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  return %s, %t : memref<8xf32>, memref<8xf32>
}

// -----

// 6. Loops of affine.
// CHECK-LABEL: func @affine
// CHECK:         affine.for %{{.*}} = 0 to %{{.*}} iter_args(%[[K:.*]] = %{{.*}}) -> (f32) {
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp
// CHECK:           affine.yield %{{.*}} : f32
// CHECK:         return %{{.*}}, %{{.*}} : f32, memref<8xf32>
func.func @affine(%n: index, %z: f32) -> (f32, memref<8xf32>) {
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  %s:2 = affine.for %i = 0 to %n iter_args(%a = %r, %k = %z) -> (memref<8xf32>, f32) {
    %b = memref.alloc() : memref<8xf32>
    linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
    %l = arith.addf %k, %z : f32
    affine.yield %b, %l : memref<8xf32>, f32
  }
  return %s#1, %s#0 : f32, memref<8xf32>
}
