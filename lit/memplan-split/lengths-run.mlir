// Executed: chains along a length that is known only at run time compute the same as whole operations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in '' 'strip-cost=none' 'forms=plain' 'forms=none,reordered strip-cost=none'; do \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-split{max-code-growth=100 $options},memplan-verify,\
// RUN:     canonicalize,cse,memplan-merge-alloc{verify},convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:     %to-llvm)" | %runner | diff %t.expected - || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-code-growth=100})' | \
// RUN:   FileCheck %s --check-prefix=SPLIT

// Lengths of 1, 2, 3, 7, 16 and 37.
// CHECK-COUNT-18: {{[0-9]}}
func.func private @printF32(f32)
func.func private @printNewline()

func.func private @show(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> f32 {
    %e = memref.load %x[%i] : memref<?xf32>
    %number = arith.index_cast %i : index to i32
    %factor = arith.sitofp %number : i32 to f32
    %sine = math.sin %factor : f32
    %part = arith.mulf %e, %sine : f32
    %next = arith.addf %sum, %part : f32
    scf.yield %next : f32
  }
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// 1. A pad, a convolution with a stride, another pad and convolution, what is added to that, and a pool.
// SPLIT-LABEL: @image(
// SPLIT:         scf.for
// SPLIT:         memplan.lengths = {inputs = [array<i64: 0, 2>]
func.func @image(%x: memref<1x3x?x20xf32>, %w: memref<4x3x3x3xf32>, %v: memref<4x4x3x3xf32>) -> memref<1x4x?x9xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %h = memref.dim %x, %c2 : memref<1x3x?x20xf32>
  %h2 = arith.addi %h, %c2 : index
  %pad = memref.alloc(%h2) : memref<1x3x?x22xf32>
  linalg.fill ins(%zero : f32) outs(%pad : memref<1x3x?x22xf32>)
  %inside = memref.subview %pad[0, 0, 1, 1] [1, 3, %h, 20] [1, 1, 1, 1]
    : memref<1x3x?x22xf32> to memref<1x3x?x20xf32, strided<[?, ?, 22, 1], offset: 23>>
  memref.copy %x, %inside : memref<1x3x?x20xf32> to memref<1x3x?x20xf32, strided<[?, ?, 22, 1], offset: 23>>
  %less = arith.subi %h, %c1 : index
  %half = arith.floordivsi %less, %c2 : index
  %rows = arith.addi %half, %c1 : index
  %a = memref.alloc(%rows) : memref<1x4x?x10xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x?x10xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>}
    ins(%pad, %w : memref<1x3x?x22xf32>, memref<4x3x3x3xf32>) outs(%a : memref<1x4x?x10xf32>)
  %rows2 = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%rows]
  %pad2 = memref.alloc(%rows2) : memref<1x4x?x12xf32>
  linalg.fill ins(%zero : f32) outs(%pad2 : memref<1x4x?x12xf32>)
  %inside2 = memref.subview %pad2[0, 0, 1, 1] [1, 4, %rows, 10] [1, 1, 1, 1]
    : memref<1x4x?x12xf32> to memref<1x4x?x10xf32, strided<[?, ?, 12, 1], offset: 13>>
  memref.copy %a, %inside2 : memref<1x4x?x10xf32> to memref<1x4x?x10xf32, strided<[?, ?, 12, 1], offset: 13>>
  %b = memref.alloc(%rows) : memref<1x4x?x10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x?x10xf32>)
  linalg.conv_2d_nchw_fchw ins(%pad2, %v : memref<1x4x?x12xf32>, memref<4x4x3x3xf32>) outs(%b : memref<1x4x?x10xf32>)
  %c = memref.alloc(%rows) : memref<1x4x?x10xf32>
  linalg.add ins(%a, %b : memref<1x4x?x10xf32>, memref<1x4x?x10xf32>) outs(%c : memref<1x4x?x10xf32>)
  %rows3 = affine.apply affine_map<(d0) -> (d0 + 2)>(%rows)
  %pad3 = memref.alloc(%rows3) : memref<1x4x?x10xf32>
  linalg.fill ins(%zero : f32) outs(%pad3 : memref<1x4x?x10xf32>)
  %inside3 = memref.subview %pad3[0, 0, 1, 0] [1, 4, %rows, 10] [1, 1, 1, 1]
    : memref<1x4x?x10xf32> to memref<1x4x?x10xf32, strided<[?, ?, 10, 1], offset: 10>>
  memref.copy %c, %inside3 : memref<1x4x?x10xf32> to memref<1x4x?x10xf32, strided<[?, ?, 10, 1], offset: 10>>
  %rows4 = affine.apply affine_map<(d0) -> ((d0 - 1) ceildiv 2 + 1)>(%rows)
  %window = memref.alloc() : memref<2x2xf32>
  %d = memref.alloc(%rows4) : memref<1x4x?x9xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<1x4x?x9xf32>)
  linalg.pooling_nchw_max {strides = dense<[2, 1]> : vector<2xi64>}
    ins(%pad3, %window : memref<1x4x?x10xf32>, memref<2x2xf32>) outs(%d : memref<1x4x?x9xf32>)
  return %d : memref<1x4x?x9xf32>
}

// 2. Both sizes of an image: what strips hold has rows of a length that is known only at run time.
// SPLIT-LABEL: @both(
// SPLIT:         scf.for
// SPLIT:         memplan.lengths = {inputs = [array<i64: 0, 1>, array<i64: 0, 2>]
func.func @both(%x: memref<2x?x?xf32>, %w: memref<2x2x3x3xf32>) -> memref<2x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %h = memref.dim %x, %c1 : memref<2x?x?xf32>
  %k = memref.dim %x, %c2 : memref<2x?x?xf32>
  %h2 = arith.addi %h, %c2 : index
  %k2 = arith.addi %k, %c2 : index
  %pad = memref.alloc(%h2, %k2) : memref<2x?x?xf32>
  linalg.fill ins(%zero : f32) outs(%pad : memref<2x?x?xf32>)
  %inside = memref.subview %pad[0, 1, 1] [2, %h, %k] [1, 1, 1]
    : memref<2x?x?xf32> to memref<2x?x?xf32, strided<[?, ?, 1], offset: ?>>
  memref.copy %x, %inside : memref<2x?x?xf32> to memref<2x?x?xf32, strided<[?, ?, 1], offset: ?>>
  %a = memref.alloc(%h, %k) : memref<2x?x?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<2x?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(f, i, j, c, k, l) -> (c, i + k, j + l)>, affine_map<(f, i, j, c, k, l) -> (f, c, k, l)>,
                                   affine_map<(f, i, j, c, k, l) -> (f, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%pad, %w : memref<2x?x?xf32>, memref<2x2x3x3xf32>) outs(%a : memref<2x?x?xf32>) {
  ^bb0(%one: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %one, %weight : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  %b = memref.alloc(%h, %k) : memref<2x?x?xf32>
  linalg.exp ins(%a : memref<2x?x?xf32>) outs(%b : memref<2x?x?xf32>)
  %c = memref.alloc(%h, %k) : memref<2x?x?xf32>
  linalg.mul ins(%a, %b : memref<2x?x?xf32>, memref<2x?x?xf32>) outs(%c : memref<2x?x?xf32>)
  return %c : memref<2x?x?xf32>
}

// 3. Attention of a number of tokens to all of them.
// SPLIT-LABEL: @attention(
// SPLIT:         scf.for
// SPLIT:         memplan.lengths
func.func @attention(%q: memref<2x?x4xf32>, %k: memref<2x?x4xf32>) -> memref<2x?x4xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %q, %c1 : memref<2x?x4xf32>
  %m = memref.dim %k, %c1 : memref<2x?x4xf32>
  %scores = memref.alloc(%n, %m) : memref<2x?x?xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<2x?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(h, i, j, k) -> (h, i, k)>, affine_map<(h, i, j, k) -> (h, j, k)>,
                                   affine_map<(h, i, j, k) -> (h, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<2x?x4xf32>, memref<2x?x4xf32>) outs(%scores : memref<2x?x?xf32>) {
  ^bb0(%one: f32, %other: f32, %sum: f32):
    %product = arith.mulf %one, %other : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  }
  %most = memref.alloc(%n) : memref<2x?xf32>
  linalg.fill ins(%zero : f32) outs(%most : memref<2x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%scores : memref<2x?x?xf32>) outs(%most : memref<2x?xf32>) {
  ^bb0(%one: f32, %all: f32):
    %more = arith.maximumf %one, %all : f32
    linalg.yield %more : f32
  }
  %parts = memref.alloc(%n, %m) : memref<2x?x?xf32>
  linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i)>,
                                   affine_map<(h, i, j) -> (h, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %most : memref<2x?x?xf32>, memref<2x?xf32>) outs(%parts : memref<2x?x?xf32>) {
  ^bb0(%one: f32, %all: f32, %unused: f32):
    %less = arith.subf %one, %all : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  }
  %out = memref.alloc(%n) : memref<2x?x4xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<2x?x4xf32>)
  linalg.batch_matmul ins(%parts, %k : memref<2x?x?xf32>, memref<2x?x4xf32>) outs(%out : memref<2x?x4xf32>)
  return %out : memref<2x?x4xf32>
}

func.func private @fill(%x: memref<?xf32>, %seed: i32) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%unused: f32):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i32
    %c37 = arith.constant 37 : i32
    %c101 = arith.constant 101 : i32
    %many = arith.muli %number, %c37 : i32
    %sum = arith.addi %many, %seed : i32
    %rest = arith.remsi %sum, %c101 : i32
    %float = arith.sitofp %rest : i32 to f32
    %scale = arith.constant 0.01 : f32
    %scaled = arith.mulf %float, %scale : f32
    linalg.yield %scaled : f32
  }
  return
}

func.func private @length(%n: index) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %three = arith.constant 3 : index
  %m = arith.addi %n, %three : index
  %x1 = memref.alloc(%n) : memref<1x3x?x20xf32>
  %x1f = memref.collapse_shape %x1 [[0, 1, 2, 3]] : memref<1x3x?x20xf32> into memref<?xf32>
  call @fill(%x1f, %c1) : (memref<?xf32>, i32) -> ()
  %w1 = memref.alloc() : memref<4x3x3x3xf32>
  %w1f = memref.collapse_shape %w1 [[0, 1, 2, 3]] : memref<4x3x3x3xf32> into memref<108xf32>
  %w1d = memref.cast %w1f : memref<108xf32> to memref<?xf32>
  call @fill(%w1d, %c2) : (memref<?xf32>, i32) -> ()
  %v1 = memref.alloc() : memref<4x4x3x3xf32>
  %v1f = memref.collapse_shape %v1 [[0, 1, 2, 3]] : memref<4x4x3x3xf32> into memref<144xf32>
  %v1d = memref.cast %v1f : memref<144xf32> to memref<?xf32>
  call @fill(%v1d, %c3) : (memref<?xf32>, i32) -> ()
  %r1 = call @image(%x1, %w1, %v1)
    : (memref<1x3x?x20xf32>, memref<4x3x3x3xf32>, memref<4x4x3x3xf32>) -> memref<1x4x?x9xf32>
  %f1 = memref.collapse_shape %r1 [[0, 1, 2, 3]] : memref<1x4x?x9xf32> into memref<?xf32>
  call @show(%f1) : (memref<?xf32>) -> ()
  %x2 = memref.alloc(%n, %m) : memref<2x?x?xf32>
  %x2f = memref.collapse_shape %x2 [[0, 1, 2]] : memref<2x?x?xf32> into memref<?xf32>
  call @fill(%x2f, %c3) : (memref<?xf32>, i32) -> ()
  %w2 = memref.alloc() : memref<2x2x3x3xf32>
  %w2f = memref.collapse_shape %w2 [[0, 1, 2, 3]] : memref<2x2x3x3xf32> into memref<36xf32>
  %w2d = memref.cast %w2f : memref<36xf32> to memref<?xf32>
  call @fill(%w2d, %c1) : (memref<?xf32>, i32) -> ()
  %r2 = call @both(%x2, %w2) : (memref<2x?x?xf32>, memref<2x2x3x3xf32>) -> memref<2x?x?xf32>
  %f2 = memref.collapse_shape %r2 [[0, 1, 2]] : memref<2x?x?xf32> into memref<?xf32>
  call @show(%f2) : (memref<?xf32>) -> ()
  %q3 = memref.alloc(%n) : memref<2x?x4xf32>
  %q3f = memref.collapse_shape %q3 [[0, 1, 2]] : memref<2x?x4xf32> into memref<?xf32>
  call @fill(%q3f, %c1) : (memref<?xf32>, i32) -> ()
  %k3 = memref.alloc(%m) : memref<2x?x4xf32>
  %k3f = memref.collapse_shape %k3 [[0, 1, 2]] : memref<2x?x4xf32> into memref<?xf32>
  call @fill(%k3f, %c2) : (memref<?xf32>, i32) -> ()
  %r3 = call @attention(%q3, %k3) : (memref<2x?x4xf32>, memref<2x?x4xf32>) -> memref<2x?x4xf32>
  %f3 = memref.collapse_shape %r3 [[0, 1, 2]] : memref<2x?x4xf32> into memref<?xf32>
  call @show(%f3) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  %n1 = arith.constant 1 : index
  %n2 = arith.constant 2 : index
  %n3 = arith.constant 3 : index
  %n7 = arith.constant 7 : index
  %n16 = arith.constant 16 : index
  %n37 = arith.constant 37 : index
  call @length(%n1) : (index) -> ()
  call @length(%n2) : (index) -> ()
  call @length(%n3) : (index) -> ()
  call @length(%n7) : (index) -> ()
  call @length(%n16) : (index) -> ()
  call @length(%n37) : (index) -> ()
  return
}
