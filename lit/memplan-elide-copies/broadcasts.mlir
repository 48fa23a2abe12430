// Broadcasts become views with stride 0, and what is copied from them is broadcast there.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies))' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops),memplan-elide-copies)' \
// RUN:   | FileCheck %s --check-prefix=GENERIC
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{split=none},memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=PLANNED

// 1. Read by several operations: no bytes.
// CHECK-LABEL: func @kept(
// CHECK-SAME:    %[[B:[a-z0-9]+]]: memref<8xf32>
// CHECK:         %[[V:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [8, 8], strides: [0, 1]
// CHECK-NOT:     linalg.broadcast
// CHECK:         linalg.add ins(%{{.*}}, %[[V]]
// CHECK:         linalg.add ins(%{{.*}}, %[[V]]
// GENERIC-LABEL: func @kept(
// GENERIC:         memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [8, 8], strides: [0, 1]
// PLANNED-LABEL: func @kept(
// PLANNED:         memref.alloc() : memref<8x8xf32>
// PLANNED:         memref.alloc() {{.*}} : memref<256xi8>
func.func @kept(%b: memref<8xf32>, %x: memref<8x8xf32>, %w: memref<8x8xf32>) -> memref<8x8xf32> {
  %z = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%b : memref<8xf32>) outs(%t : memref<8x8xf32>) dimensions = [0]
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.add ins(%a, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %c = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<8x8xf32>)
  linalg.matmul ins(%a, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  linalg.add ins(%c, %t : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%c : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}

// 2. Copied to what several products start from: each copy is a broadcast, and there is no view.
// CHECK-LABEL: func @copied(
// CHECK-NOT:     memref.reinterpret_cast
// CHECK-COUNT-3: linalg.broadcast
// CHECK-NOT:     memref.copy
// CHECK:         return
// GENERIC-LABEL: func @copied(
// GENERIC-NOT:     memref.copy
// GENERIC:         return
// PLANNED-LABEL: func @copied(
// PLANNED-COUNT-2: memref.alloc() {{.*}} : memref<256xi8>
func.func @copied(%b: memref<8xf32>, %x: memref<8x8xf32>, %w: memref<8x8xf32>) -> memref<8x8xf32> {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%b : memref<8xf32>) outs(%t : memref<8x8xf32>) dimensions = [1]
  %a = memref.alloc() : memref<8x8xf32>
  memref.copy %t, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%x, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %c = memref.alloc() : memref<8x8xf32>
  memref.copy %t, %c : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%a, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  %d = memref.alloc() : memref<8x8xf32>
  memref.copy %t, %d : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%c, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%d : memref<8x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%d : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}

// 3. Strided, transposed and unit dimensions of the source, and a source with one element.
// CHECK-LABEL: func @shapes(
// CHECK-DAG:     memref.reinterpret_cast %{{.*}} to offset: [3], sizes: [8, 4, 2], strides: [1, 0, 16]
// CHECK-DAG:     memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [8, 4, 2], strides: [0, 0, 0]
// CHECK-COUNT-1: memref.alloc() : memref<8x4x2xf32>
// CHECK-NOT:     memref.alloc() : memref<8x4x2xf32>
// CHECK:         return
func.func @shapes(%x: memref<2x1x8xf32, strided<[16, 8, 1], offset: 3>>, %s: memref<f32>)
    -> memref<2x4x8xf32> {
  %t = memref.alloc() : memref<8x4x2xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, 0, i)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<2x1x8xf32, strided<[16, 8, 1], offset: 3>>) outs(%t : memref<8x4x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  %u = memref.alloc() : memref<8x4x2xf32>
  linalg.broadcast ins(%s : memref<f32>) outs(%u : memref<8x4x2xf32>) dimensions = [0, 1, 2]
  %q = memref.alloc() : memref<8x4x2xf32>
  linalg.add ins(%t, %u : memref<8x4x2xf32>, memref<8x4x2xf32>) outs(%q : memref<8x4x2xf32>)
  linalg.mul ins(%t, %q : memref<8x4x2xf32>, memref<8x4x2xf32>) outs(%q : memref<8x4x2xf32>)
  %r = memref.alloc() : memref<2x4x8xf32>
  linalg.transpose ins(%q : memref<8x4x2xf32>) outs(%r : memref<2x4x8xf32>) permutation = [2, 1, 0]
  return %r : memref<2x4x8xf32>
}

// 4. It stays if it is written, if its source is written, and if a size is dynamic.
// CHECK-LABEL: func @written(
// CHECK-COUNT-2: linalg.broadcast
// CHECK-LABEL: func @dynamic(
// CHECK-COUNT-2: linalg.broadcast
func.func @written(%b: memref<8xf32>, %y: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%b : memref<8xf32>) outs(%t : memref<8x8xf32>) dimensions = [0]
  linalg.mul ins(%t, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%t : memref<8x8xf32>)
  linalg.add ins(%t, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  %u = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%b : memref<8xf32>) outs(%u : memref<8x8xf32>) dimensions = [0]
  linalg.exp ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%u, %y : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return
}
func.func @dynamic(%b: memref<?xf32>, %n: index) -> memref<8x8xf32> {
  %t = memref.alloc(%n) : memref<8x?xf32>
  linalg.broadcast ins(%b : memref<?xf32>) outs(%t : memref<8x?xf32>) dimensions = [0]
  %d = memref.cast %t : memref<8x?xf32> to memref<8x8xf32>
  %u = memref.alloc(%n) : memref<?x8xf32>
  linalg.broadcast ins(%b : memref<?xf32>) outs(%u : memref<?x8xf32>) dimensions = [1]
  %e = memref.cast %u : memref<?x8xf32> to memref<8x8xf32>
  %y = memref.alloc() : memref<8x8xf32>
  linalg.add ins(%d, %e : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  return %y : memref<8x8xf32>
}

// 5. A row of an argument: its offset and strides are those of the source.
// CHECK-LABEL: func @row(
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDES:.*]] = memref.extract_strided_metadata
// CHECK:         memref.reinterpret_cast %{{.*}} to offset: [%[[OFFSET]]], sizes: [8, 8], strides: [%[[STRIDES]], 0]
// CHECK-NOT:     linalg.broadcast
// CHECK:         return
func.func @row(%x: memref<4x8xf32, strided<[64, ?]>>, %i: index) -> memref<8x8xf32> {
  %s = memref.subview %x[%i, 0] [1, 8] [1, 1]
      : memref<4x8xf32, strided<[64, ?]>> to memref<8xf32, strided<[?], offset: ?>>
  %t = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%s : memref<8xf32, strided<[?], offset: ?>>) outs(%t : memref<8x8xf32>) dimensions = [1]
  %q = memref.alloc() : memref<8x8xf32>
  linalg.exp ins(%t : memref<8x8xf32>) outs(%q : memref<8x8xf32>)
  linalg.mul ins(%t, %q : memref<8x8xf32>, memref<8x8xf32>) outs(%q : memref<8x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%q : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}
