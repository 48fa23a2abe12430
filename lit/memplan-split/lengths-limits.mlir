// Lengths along which nothing runs in strips.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-split,memplan-verify)' | \
// RUN:   FileCheck %s --implicit-check-not=memplan.lengths

// 1. Sizes that are not known from what the function gets.
// CHECK-LABEL: func.func @loaded(
func.func @loaded(%x: memref<?x16xf32>, %sizes: memref<2xindex>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<2xindex>
  %part = memref.subview %x[0, 0] [%n, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1]>>
  %a = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%part : memref<?x16xf32, strided<[16, 1]>>) outs(%a : memref<?x16xf32>)
  %last = arith.divui %n, %n : index
  %b = memref.alloc(%last) : memref<?x16xf32>
  %own = memref.subview %a[0, 0] [%last, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1]>>
  linalg.log ins(%own : memref<?x16xf32, strided<[16, 1]>>) outs(%b : memref<?x16xf32>)
  return %b : memref<?x16xf32>
}

// 2. A division towards zero of what may be negative.
// CHECK-LABEL: func.func @towards_zero(
func.func @towards_zero(%x: memref<?x16xf32>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  %less = arith.subi %n, %c1 : index
  %half = arith.divsi %less, %c2 : index
  %part = memref.subview %a[0, 0] [%half, 16] [2, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[32, 1]>>
  %b = memref.alloc(%half) : memref<?x16xf32>
  linalg.log ins(%part : memref<?x16xf32, strided<[32, 1]>>) outs(%b : memref<?x16xf32>)
  return %b : memref<?x16xf32>
}

// 3. A window of a size that is not known.
// CHECK-LABEL: func.func @window(
func.func @window(%x: memref<?xf32>, %w: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %k = memref.dim %w, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %less = arith.subi %n, %k : index
  %rows = arith.addi %less, %c1 : index
  %b = memref.alloc(%rows) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  linalg.conv_1d ins(%a, %w : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  return %b : memref<?xf32>
}

// 4. Rows of a size that is not known are the inner part of a dimension.
// CHECK-LABEL: func.func @grouped(
func.func @grouped(%x: memref<4x?xf32>) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c1 : memref<4x?xf32>
  %a = memref.alloc(%n) : memref<4x?xf32>
  linalg.exp ins(%x : memref<4x?xf32>) outs(%a : memref<4x?xf32>)
  %all = memref.collapse_shape %a [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  %count = arith.muli %n, %c4 : index
  %b = memref.alloc(%count) : memref<?xf32>
  linalg.log ins(%all : memref<?xf32>) outs(%b : memref<?xf32>)
  %c = memref.alloc(%count) : memref<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  return %c : memref<?xf32>
}

// 5. Each row needs all of them: a sum along the length.
// CHECK-LABEL: func.func @all(
func.func @all(%x: memref<?x16xf32>, %sum: memref<16xf32>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<?x16xf32>) outs(%sum : memref<16xf32>) {
  ^bb0(%one: f32, %all: f32):
    %more = arith.addf %one, %all : f32
    linalg.yield %more : f32
  }
  %b = memref.alloc(%n) : memref<?x16xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %sum : memref<?x16xf32>, memref<16xf32>) outs(%b : memref<?x16xf32>) {
  ^bb0(%one: f32, %all: f32, %unused: f32):
    %part = arith.divf %one, %all : f32
    linalg.yield %part : f32
  }
  return %b : memref<?x16xf32>
}

// 6. An operation that is not known may use the rows between.
// CHECK-LABEL: func.func @unknown(
func.func @unknown(%x: memref<?x16xf32>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  "test.op"(%a) : (memref<?x16xf32>) -> ()
  %half = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%n]
  %part = memref.subview %a[0, 0] [%half, 16] [2, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[32, 1]>>
  %b = memref.alloc(%half) : memref<?x16xf32>
  linalg.log ins(%part : memref<?x16xf32, strided<[32, 1]>>) outs(%b : memref<?x16xf32>)
  return %b : memref<?x16xf32>
}

// 7. A size whose computation may overflow, so that it is another one.
// CHECK-LABEL: func.func @overflow(
func.func @overflow(%x: memref<?x16xf32>) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %factor = arith.constant 115292150460684 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %big = arith.muli %n, %factor : index
  %m = arith.divui %big, %factor : index
  %part = memref.subview %x[0, 0] [%m, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1]>>
  %a = memref.alloc(%m) : memref<?x16xf32>
  linalg.exp ins(%part : memref<?x16xf32, strided<[16, 1]>>) outs(%a : memref<?x16xf32>)
  %half = affine.apply affine_map<()[s0] -> (s0 ceildiv 2)>()[%m]
  %rows = memref.subview %a[0, 0] [%half, 16] [2, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[32, 1]>>
  %b = memref.alloc(%half) : memref<?x16xf32>
  linalg.log ins(%rows : memref<?x16xf32, strided<[32, 1]>>) outs(%b : memref<?x16xf32>)
  return %b : memref<?x16xf32>
}

// 8. A part with as many columns as other memory: it is inside for some numbers only.
// CHECK-LABEL: func.func @crop(
func.func @crop(%x: memref<?x?xf32>, %y: memref<?x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %less = memref.dim %y, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  %part = memref.subview %a[0, 1] [%n, %less] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: 1>>
  %b = memref.alloc(%n, %less) : memref<?x?xf32>
  linalg.log ins(%part : memref<?x?xf32, strided<[?, 1], offset: 1>>) outs(%b : memref<?x?xf32>)
  return %b : memref<?x?xf32>
}

// 9. Rows that do not grow in step: one has twice as many, but strips of one row.
// CHECK-LABEL: func.func @out_of_step(
func.func @out_of_step(%x: memref<?x16xf32>, %zero: f32) -> memref<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %more = arith.addi %n, %c2 : index
  %twice = arith.muli %n, %c2 : index
  %a = memref.alloc(%more) : memref<?x16xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x16xf32>)
  %inside = memref.subview %a[2, 0] [%n, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: 32>>
  memref.copy %x, %inside : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: 32>>
  %b = memref.alloc(%twice) : memref<?x16xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x16xf32>)
  %part = memref.subview %b[0, 0] [%more, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1]>>
  linalg.exp ins(%a : memref<?x16xf32>) outs(%part : memref<?x16xf32, strided<[16, 1]>>)
  return %b : memref<?x16xf32>
}
