// Executed: strips compute the same as whole operations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in '' max-strips=1 'max-strips=4' 'forms=plain' 'forms=none max-copy=1000' 'max-copy=0' \
// RUN:   max-recompute=100 'max-recompute=30 forms=plain max-strips=1'; do \
// RUN:   echo "$options"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-split{strip-cost=none max-code-growth=100 $options},\
// RUN:     canonicalize,cse,memplan-merge-alloc{verify},convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:     %to-llvm)" | %runner | diff %t.expected - || exit 1; \
// RUN: done
// The same, once operations are loops.
// RUN: for loops in loops affine-loops parallel-loops; do \
// RUN:   echo "$loops"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(func.func(convert-linalg-to-$loops),\
// RUN:     memplan-split{strip-cost=none max-code-growth=100 split-parallel},cse,\
// RUN:     memplan-merge-alloc{verify},expand-strided-metadata,lower-affine,%to-llvm)" | %runner | \
// RUN:     diff %t.expected - || exit 1; \
// RUN: done
// All are split.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100})' | \
// RUN:   FileCheck %s --check-prefix=SPLIT

// CHECK-COUNT-4: {{[0-9]}}
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

// 1. Windows that overlap, and a pad between: line buffers and, with columns, borders.
// SPLIT-LABEL: @windows
// SPLIT:         memplan.strips
func.func @windows(%x: memref<1x3x20x20xf32>, %w: memref<4x3x3x3xf32>, %v: memref<2x4x3x3xf32>) -> memref<1x2x9x9xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x4x18x18xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x4x18x18xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<1x3x20x20xf32>, memref<4x3x3x3xf32>) outs(%a : memref<1x4x18x18xf32>)
  %b = memref.alloc() : memref<1x4x20x20xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x4x20x20xf32>)
  %inside = memref.subview %b[0, 0, 1, 1] [1, 4, 18, 18] [1, 1, 1, 1] : memref<1x4x20x20xf32>
    to memref<1x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>
  memref.copy %a, %inside : memref<1x4x18x18xf32> to memref<1x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>
  %c = memref.alloc() : memref<1x4x20x20xf32>
  linalg.exp ins(%b : memref<1x4x20x20xf32>) outs(%c : memref<1x4x20x20xf32>)
  %d = memref.alloc() : memref<1x2x9x9xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<1x2x9x9xf32>)
  linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%c, %v : memref<1x4x20x20xf32>, memref<2x4x3x3xf32>)
    outs(%d : memref<1x2x9x9xf32>)
  return %d : memref<1x2x9x9xf32>
}

// 2. A residual: a value used inside and late, dilated windows, and a pooling.
// SPLIT-LABEL: @residual
// SPLIT:         memplan.strips
func.func @residual(%x: memref<1x2x24x24xf32>, %w: memref<2x2x3x3xf32>) -> memref<1x2x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e+30 : f32
  %window = memref.alloc() : memref<2x2xf32>
  %a = memref.alloc() : memref<1x2x24x24xf32>
  linalg.exp ins(%x : memref<1x2x24x24xf32>) outs(%a : memref<1x2x24x24xf32>)
  %b = memref.alloc() : memref<1x2x20x20xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x2x20x20xf32>)
  linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>} ins(%a, %w : memref<1x2x24x24xf32>, memref<2x2x3x3xf32>)
    outs(%b : memref<1x2x20x20xf32>)
  %center = memref.subview %a[0, 0, 2, 2] [1, 2, 20, 20] [1, 1, 1, 1] : memref<1x2x24x24xf32>
    to memref<1x2x20x20xf32, strided<[1152, 576, 24, 1], offset: 50>>
  %c = memref.alloc() : memref<1x2x20x20xf32>
  linalg.add ins(%b, %center : memref<1x2x20x20xf32>, memref<1x2x20x20xf32, strided<[1152, 576, 24, 1], offset: 50>>)
    outs(%c : memref<1x2x20x20xf32>)
  %d = memref.alloc() : memref<1x2x10x10xf32>
  linalg.fill ins(%low : f32) outs(%d : memref<1x2x10x10xf32>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%c, %window : memref<1x2x20x20xf32>, memref<2x2xf32>)
    outs(%d : memref<1x2x10x10xf32>)
  return %d : memref<1x2x10x10xf32>
}

// 3. Rows of matrices, transposed, divided into heads and merged again; the last one adds up over strips.
// SPLIT-LABEL: @tokens
// SPLIT:         memplan.strips
func.func @tokens(%x: memref<16x12xf32>, %w: memref<12x24xf32>, %v: memref<24x8xf32>) -> memref<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x24xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16x24xf32>)
  linalg.matmul ins(%x, %w : memref<16x12xf32>, memref<12x24xf32>) outs(%a : memref<16x24xf32>)
  %heads = memref.expand_shape %a [[0], [1, 2]] output_shape [16, 4, 6] : memref<16x24xf32> into memref<16x4x6xf32>
  %b = memref.alloc() : memref<4x16x6xf32>
  linalg.transpose ins(%heads : memref<16x4x6xf32>) outs(%b : memref<4x16x6xf32>) permutation = [1, 0, 2]
  %c = memref.alloc() : memref<4x16x6xf32>
  linalg.exp ins(%b : memref<4x16x6xf32>) outs(%c : memref<4x16x6xf32>)
  %d = memref.alloc() : memref<16x4x6xf32>
  linalg.transpose ins(%c : memref<4x16x6xf32>) outs(%d : memref<16x4x6xf32>) permutation = [1, 0, 2]
  %merged = memref.collapse_shape %d [[0], [1, 2]] : memref<16x4x6xf32> into memref<16x24xf32>
  %e = memref.alloc() : memref<16x8xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<16x8xf32>)
  linalg.matmul ins(%merged, %v : memref<16x24xf32>, memref<24x8xf32>) outs(%e : memref<16x8xf32>)
  return %e : memref<16x8xf32>
}

// 4. Numbers of iterations, and a gather from memory that is whole.
// SPLIT-LABEL: @numbers
// SPLIT:         memplan.strips
func.func @numbers(%x: memref<30x10xf32>) -> memref<15x10xf32> {
  %a = memref.alloc() : memref<30x10xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    outs(%a : memref<30x10xf32>) {
  ^bb0(%out: f32):
    %last = arith.constant 29 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %back = arith.subi %last, %i : index
    %e = memref.load %x[%back, %j] : memref<30x10xf32>
    %number = arith.index_cast %i : index to i32
    %factor = arith.sitofp %number : i32 to f32
    %product = arith.mulf %e, %factor : f32
    linalg.yield %product : f32
  }
  %b = memref.alloc() : memref<15x10xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i + 1, j)>, affine_map<(i, j) -> (2 * i, j)>,
    affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %a : memref<30x10xf32>, memref<30x10xf32>) outs(%b : memref<15x10xf32>) {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i32
    %factor = arith.sitofp %number : i32 to f32
    %difference = arith.subf %one, %other : f32
    %product = arith.mulf %difference, %factor : f32
    linalg.yield %product : f32
  }
  return %b : memref<15x10xf32>
}

func.func @fill(%x: memref<?xf32>, %seed: i32) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%out: f32):
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

func.func @main() {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %bytes = memref.alloc() : memref<1200xf32>
  %all = memref.cast %bytes : memref<1200xf32> to memref<?xf32>
  call @fill(%all, %c1) : (memref<?xf32>, i32) -> ()
  %image = memref.reinterpret_cast %bytes to offset: [0], sizes: [1, 3, 20, 20], strides: [1200, 400, 20, 1]
    : memref<1200xf32> to memref<1x3x20x20xf32, strided<[1200, 400, 20, 1]>>
  %x1 = memref.cast %image : memref<1x3x20x20xf32, strided<[1200, 400, 20, 1]>> to memref<1x3x20x20xf32>
  %w1 = memref.alloc() : memref<4x3x3x3xf32>
  %w1f = memref.collapse_shape %w1 [[0, 1, 2, 3]] : memref<4x3x3x3xf32> into memref<108xf32>
  %w1d = memref.cast %w1f : memref<108xf32> to memref<?xf32>
  call @fill(%w1d, %c2) : (memref<?xf32>, i32) -> ()
  %v1 = memref.alloc() : memref<2x4x3x3xf32>
  %v1f = memref.collapse_shape %v1 [[0, 1, 2, 3]] : memref<2x4x3x3xf32> into memref<72xf32>
  %v1d = memref.cast %v1f : memref<72xf32> to memref<?xf32>
  call @fill(%v1d, %c3) : (memref<?xf32>, i32) -> ()
  %r1 = call @windows(%x1, %w1, %v1)
    : (memref<1x3x20x20xf32>, memref<4x3x3x3xf32>, memref<2x4x3x3xf32>) -> memref<1x2x9x9xf32>
  %f1 = memref.collapse_shape %r1 [[0, 1, 2, 3]] : memref<1x2x9x9xf32> into memref<162xf32>
  %d1 = memref.cast %f1 : memref<162xf32> to memref<?xf32>
  call @show(%d1) : (memref<?xf32>) -> ()

  %x2 = memref.alloc() : memref<1x2x24x24xf32>
  %x2f = memref.collapse_shape %x2 [[0, 1, 2, 3]] : memref<1x2x24x24xf32> into memref<1152xf32>
  %x2d = memref.cast %x2f : memref<1152xf32> to memref<?xf32>
  call @fill(%x2d, %c2) : (memref<?xf32>, i32) -> ()
  %w2 = memref.alloc() : memref<2x2x3x3xf32>
  %w2f = memref.collapse_shape %w2 [[0, 1, 2, 3]] : memref<2x2x3x3xf32> into memref<36xf32>
  %w2d = memref.cast %w2f : memref<36xf32> to memref<?xf32>
  call @fill(%w2d, %c1) : (memref<?xf32>, i32) -> ()
  %r2 = call @residual(%x2, %w2) : (memref<1x2x24x24xf32>, memref<2x2x3x3xf32>) -> memref<1x2x10x10xf32>
  %f2 = memref.collapse_shape %r2 [[0, 1, 2, 3]] : memref<1x2x10x10xf32> into memref<200xf32>
  %d2 = memref.cast %f2 : memref<200xf32> to memref<?xf32>
  call @show(%d2) : (memref<?xf32>) -> ()

  %x3 = memref.alloc() : memref<16x12xf32>
  %x3f = memref.collapse_shape %x3 [[0, 1]] : memref<16x12xf32> into memref<192xf32>
  %x3d = memref.cast %x3f : memref<192xf32> to memref<?xf32>
  call @fill(%x3d, %c3) : (memref<?xf32>, i32) -> ()
  %w3 = memref.alloc() : memref<12x24xf32>
  %w3f = memref.collapse_shape %w3 [[0, 1]] : memref<12x24xf32> into memref<288xf32>
  %w3d = memref.cast %w3f : memref<288xf32> to memref<?xf32>
  call @fill(%w3d, %c1) : (memref<?xf32>, i32) -> ()
  %v3 = memref.alloc() : memref<24x8xf32>
  %v3f = memref.collapse_shape %v3 [[0, 1]] : memref<24x8xf32> into memref<192xf32>
  %v3d = memref.cast %v3f : memref<192xf32> to memref<?xf32>
  call @fill(%v3d, %c2) : (memref<?xf32>, i32) -> ()
  %r3 = call @tokens(%x3, %w3, %v3) : (memref<16x12xf32>, memref<12x24xf32>, memref<24x8xf32>) -> memref<16x8xf32>
  %f3 = memref.collapse_shape %r3 [[0, 1]] : memref<16x8xf32> into memref<128xf32>
  %d3 = memref.cast %f3 : memref<128xf32> to memref<?xf32>
  call @show(%d3) : (memref<?xf32>) -> ()

  %x4 = memref.alloc() : memref<30x10xf32>
  %x4f = memref.collapse_shape %x4 [[0, 1]] : memref<30x10xf32> into memref<300xf32>
  %x4d = memref.cast %x4f : memref<300xf32> to memref<?xf32>
  call @fill(%x4d, %c1) : (memref<?xf32>, i32) -> ()
  %r4 = call @numbers(%x4) : (memref<30x10xf32>) -> memref<15x10xf32>
  %f4 = memref.collapse_shape %r4 [[0, 1]] : memref<15x10xf32> into memref<150xf32>
  %d4 = memref.cast %f4 : memref<150xf32> to memref<?xf32>
  call @show(%d4) : (memref<?xf32>) -> ()
  return
}
