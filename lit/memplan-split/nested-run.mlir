// Executed: strips in loops and branches compute the same as whole operations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in '' 'max-strips=1 forms=plain' 'forms=none max-copy=1000' \
// RUN:   'max-recompute=100 strip-cost=none' 'max-recompute=30 forms=plain max-strips=1'; do \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-split{max-code-growth=100 $options},memplan-verify,\
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
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-code-growth=100})' | \
// RUN:   FileCheck %s --check-prefix=SPLIT

// CHECK-COUNT-2: {{[0-9]}}
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

// 1. Iterations write slices of a result, through line buffers.
// SPLIT-LABEL: @images(
// SPLIT:         scf.for
// SPLIT:           memplan.strips
func.func @images(%x: memref<3x1x3x20x20xf32>, %w: memref<4x3x3x3xf32>, %v: memref<2x4x3x3xf32>)
    -> memref<3x1x2x16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<3x1x2x16x16xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %s = memref.subview %x[%i, 0, 0, 0, 0] [1, 1, 3, 20, 20] [1, 1, 1, 1, 1]
      : memref<3x1x3x20x20xf32> to memref<1x3x20x20xf32, strided<[1200, 400, 20, 1], offset: ?>>
    %t = memref.subview %r[%i, 0, 0, 0, 0] [1, 1, 2, 16, 16] [1, 1, 1, 1, 1]
      : memref<3x1x2x16x16xf32> to memref<1x2x16x16xf32, strided<[512, 256, 16, 1], offset: ?>>
    %a = memref.alloc() : memref<1x4x18x18xf32>
    linalg.fill ins(%zero : f32) outs(%a : memref<1x4x18x18xf32>)
    linalg.conv_2d_nchw_fchw ins(%s, %w : memref<1x3x20x20xf32, strided<[1200, 400, 20, 1], offset: ?>>,
      memref<4x3x3x3xf32>) outs(%a : memref<1x4x18x18xf32>)
    linalg.fill ins(%zero : f32) outs(%t : memref<1x2x16x16xf32, strided<[512, 256, 16, 1], offset: ?>>)
    linalg.conv_2d_nchw_fchw ins(%a, %v : memref<1x4x18x18xf32>, memref<2x4x3x3xf32>)
      outs(%t : memref<1x2x16x16xf32, strided<[512, 256, 16, 1], offset: ?>>)
  }
  return %r : memref<3x1x2x16x16xf32>
}

// 2. A loop carries a state, and a branch of it adds to memory from outside.
// SPLIT-LABEL: @carried(
// SPLIT:         scf.for
// SPLIT:           scf.if
// SPLIT:             memplan.strips
func.func @carried(%x: memref<16x16xf32>, %w: memref<16x64xf32>, %v: memref<64x16xf32>) -> memref<16x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<16x16xf32>)
  %first = memref.alloc() : memref<16x16xf32>
  linalg.tanh ins(%x : memref<16x16xf32>) outs(%first : memref<16x16xf32>)
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %first) -> memref<16x16xf32> {
    %flag = arith.cmpi ne, %i, %c1 : index
    scf.if %flag {
      %a = memref.alloc() : memref<16x64xf32>
      linalg.fill ins(%zero : f32) outs(%a : memref<16x64xf32>)
      linalg.matmul ins(%old, %w : memref<16x16xf32>, memref<16x64xf32>) outs(%a : memref<16x64xf32>)
      %b = memref.alloc() : memref<16x64xf32>
      linalg.tanh ins(%a : memref<16x64xf32>) outs(%b : memref<16x64xf32>)
      linalg.matmul ins(%b, %v : memref<16x64xf32>, memref<64x16xf32>) outs(%sum : memref<16x16xf32>)
    }
    %new = memref.alloc() : memref<16x16xf32>
    linalg.add ins(%sum, %old : memref<16x16xf32>, memref<16x16xf32>) outs(%new : memref<16x16xf32>)
    scf.yield %new : memref<16x16xf32>
  }
  linalg.add ins(%sum, %last : memref<16x16xf32>, memref<16x16xf32>) outs(%sum : memref<16x16xf32>)
  return %sum : memref<16x16xf32>
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
  %x1 = memref.alloc() : memref<3x1x3x20x20xf32>
  %x1f = memref.collapse_shape %x1 [[0, 1, 2, 3, 4]] : memref<3x1x3x20x20xf32> into memref<3600xf32>
  %x1d = memref.cast %x1f : memref<3600xf32> to memref<?xf32>
  call @fill(%x1d, %c1) : (memref<?xf32>, i32) -> ()
  %w1 = memref.alloc() : memref<4x3x3x3xf32>
  %w1f = memref.collapse_shape %w1 [[0, 1, 2, 3]] : memref<4x3x3x3xf32> into memref<108xf32>
  %w1d = memref.cast %w1f : memref<108xf32> to memref<?xf32>
  call @fill(%w1d, %c2) : (memref<?xf32>, i32) -> ()
  %v1 = memref.alloc() : memref<2x4x3x3xf32>
  %v1f = memref.collapse_shape %v1 [[0, 1, 2, 3]] : memref<2x4x3x3xf32> into memref<72xf32>
  %v1d = memref.cast %v1f : memref<72xf32> to memref<?xf32>
  call @fill(%v1d, %c3) : (memref<?xf32>, i32) -> ()
  %r1 = call @images(%x1, %w1, %v1)
    : (memref<3x1x3x20x20xf32>, memref<4x3x3x3xf32>, memref<2x4x3x3xf32>) -> memref<3x1x2x16x16xf32>
  %r1f = memref.collapse_shape %r1 [[0, 1, 2, 3, 4]] : memref<3x1x2x16x16xf32> into memref<1536xf32>
  %r1d = memref.cast %r1f : memref<1536xf32> to memref<?xf32>
  call @show(%r1d) : (memref<?xf32>) -> ()
  %x2 = memref.alloc() : memref<16x16xf32>
  %x2f = memref.collapse_shape %x2 [[0, 1]] : memref<16x16xf32> into memref<256xf32>
  %x2d = memref.cast %x2f : memref<256xf32> to memref<?xf32>
  call @fill(%x2d, %c3) : (memref<?xf32>, i32) -> ()
  %w2 = memref.alloc() : memref<16x64xf32>
  %w2f = memref.collapse_shape %w2 [[0, 1]] : memref<16x64xf32> into memref<1024xf32>
  %w2d = memref.cast %w2f : memref<1024xf32> to memref<?xf32>
  call @fill(%w2d, %c1) : (memref<?xf32>, i32) -> ()
  %v2 = memref.alloc() : memref<64x16xf32>
  %v2f = memref.collapse_shape %v2 [[0, 1]] : memref<64x16xf32> into memref<1024xf32>
  %v2d = memref.cast %v2f : memref<1024xf32> to memref<?xf32>
  call @fill(%v2d, %c2) : (memref<?xf32>, i32) -> ()
  %r2 = call @carried(%x2, %w2, %v2)
    : (memref<16x16xf32>, memref<16x64xf32>, memref<64x16xf32>) -> memref<16x16xf32>
  %r2f = memref.collapse_shape %r2 [[0, 1]] : memref<16x16xf32> into memref<256xf32>
  %r2d = memref.cast %r2f : memref<256xf32> to memref<?xf32>
  call @show(%r2d) : (memref<?xf32>) -> ()
  return
}
