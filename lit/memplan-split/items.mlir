// Items of a number that is known only at run time.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{forms=plain max-strips=1})' | FileCheck %s
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-split,memplan-verify,memplan-merge-alloc{verify},memplan-verify)'
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-split{forms=plain},memplan-merge-alloc{verify},memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=PLAN

// 1. What is between has the size of one item. In the loop, rows are split.
// CHECK-LABEL: func.func @batch(
// CHECK:         %[[N:.*]] = memref.dim
// CHECK:         %[[TO:.*]] = memref.alloc(%[[N]]) : memref<?x64x8xf32>
// CHECK:         scf.for %[[ITEM:.*]] = %{{.*}} to %[[N]] step
// CHECK:           memref.subview %{{.*}}[%[[ITEM]], 0, 0] [1, 64, 64] [1, 1, 1]
// CHECK:           memref.subview %[[TO]][%[[ITEM]], 0, 0] [1, 64, 8] [1, 1, 1]
// CHECK:           scf.for
// CHECK:             memref.alloc() {{.*}} : memref<1x1x64xf32>
// CHECK:             linalg.exp {{.*}}memplan.item = {{.*}}loops = array<i64: -1, 64, 64>
// CHECK:           memplan.strips = 64
// CHECK:         memplan.items = array<i64: 1, 2, 3>
func.func @batch(%x: memref<?x64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<?x64x8xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64x64xf32>
  %a = memref.alloc(%n) : memref<?x64x64xf32>
  linalg.exp ins(%x : memref<?x64x64xf32>) outs(%a : memref<?x64x64xf32>)
  %b = memref.alloc(%n) : memref<?x64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x64x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (k, j)>,
                                   affine_map<(b, i, j, k) -> (b, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %w : memref<?x64x64xf32>, memref<64x8xf32>) outs(%b : memref<?x64x8xf32>) {
  ^bb0(%one: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %one, %weight : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  return %b : memref<?x64x8xf32>
}

// 2. Two sizes that are not proven to be the same.
// CHECK-LABEL: func.func @sizes(
// CHECK-NOT:     memplan.items
func.func @sizes(%x: memref<?x64xf32>, %n: index) -> memref<?x64xf32> {
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x64xf32>
  %b = memref.alloc(%m) : memref<?x64xf32>
  linalg.exp ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  return %b : memref<?x64xf32>
}

// 3. An item that needs its neighbour, one that is added up, and the number of an item in a sum.
// CHECK-LABEL: func.func @neighbours(
// CHECK-NOT:     memplan.items
func.func @neighbours(%x: memref<?x64xf32>) -> memref<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %less = arith.subi %n, %c1 : index
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%less) : memref<?x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 1, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>) {
  ^bb0(%one: f32, %old: f32):
    linalg.yield %one : f32
  }
  return %b : memref<?x64xf32>
}
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     memplan.items
func.func @sum(%x: memref<?x64xf32>, %zero: f32) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.reduce ins(%a : memref<?x64xf32>) outs(%b : memref<64xf32>) dimensions = [0]
    (%one: f32, %sum: f32) {
      %more = arith.addf %one, %sum : f32
      linalg.yield %more : f32
    }
  return %b : memref<64xf32>
}
// CHECK-LABEL: func.func @number(
// CHECK-NOT:     memplan.items
func.func @number(%x: memref<?x64xf32>) -> memref<?x64xi64> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%n) : memref<?x64xi64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xi64>) {
  ^bb0(%one: f32, %old: i64):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i64
    linalg.yield %number : i64
  }
  return %b : memref<?x64xi64>
}

// 4. Two dynamic dimensions.
// CHECK-LABEL: func.func @both(
// CHECK-NOT:     memplan.items
func.func @both(%x: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  return %b : memref<?x?xf32>
}

// 5. The plan has a copy in place, and erases it: the operations of the loop are others then.
// CHECK-LABEL: func.func @copied(
// CHECK:         memplan.items
// PLAN-LABEL:  func.func @copied(
// PLAN:          scf.for
// PLAN-NOT:        copy
// PLAN-NOT:      memplan.items
// PLAN:          return
func.func @copied(%x: memref<?x5xf32>) -> memref<?x5xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x5xf32>
  %a = memref.alloc(%n) : memref<?x5xf32>
  linalg.exp ins(%x : memref<?x5xf32>) outs(%a : memref<?x5xf32>)
  %b = memref.alloc(%n) : memref<?x5xf32>
  memref.copy %a, %b : memref<?x5xf32> to memref<?x5xf32>
  %r = memref.alloc(%n) : memref<?x5xf32>
  linalg.exp ins(%b : memref<?x5xf32>) outs(%r : memref<?x5xf32>)
  return %r : memref<?x5xf32>
}

// 6. Strips of an item write a part of memory whose items are not beside each other.
// CHECK-LABEL: func.func @apart(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:           memplan.strips
// CHECK:         memplan.items
func.func @apart(%x: memref<3x?x64xf32>) -> memref<3x?x64xf32> {
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c1 : memref<3x?x64xf32>
  %a = memref.alloc(%n) : memref<3x?x64xf32>
  linalg.exp ins(%x : memref<3x?x64xf32>) outs(%a : memref<3x?x64xf32>)
  %b = memref.alloc(%n) : memref<3x?x64xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (2 - i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : memref<3x?x64xf32>) outs(%b : memref<3x?x64xf32>) {
  ^bb0(%one: f32, %unused: f32):
    linalg.yield %one : f32
  }
  return %b : memref<3x?x64xf32>
}

// 7. Numbers of items that are computed alike, each by an operation of its own.
// CHECK-LABEL: func.func @alike(
// CHECK:         memplan.items = array<i64: 1, 2>
func.func @alike(%x: memref<?x3xf32>) -> memref<?x3xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  %one = affine.apply affine_map<()[s0] -> (s0)>()[%n]
  %a = memref.alloc(%one) : memref<?x3xf32>
  linalg.exp ins(%x : memref<?x3xf32>) outs(%a : memref<?x3xf32>)
  %other = affine.apply affine_map<()[s0] -> (s0)>()[%n]
  %b = memref.alloc(%other) : memref<?x3xf32>
  linalg.log ins(%a : memref<?x3xf32>) outs(%b : memref<?x3xf32>)
  return %b : memref<?x3xf32>
}
