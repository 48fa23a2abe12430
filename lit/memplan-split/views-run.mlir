// Executed: views of what stays whole, views that leave dimensions out, and several blocks.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in forms=plain 'forms=plain max-strips=1' 'forms=none' \
// RUN:   'forms=plain,none max-recompute=100'; do \
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
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-code-growth=100 forms=plain})' | \
// RUN:   FileCheck %s --check-prefix=SPLIT

// CHECK-COUNT-6: {{[0-9]}}
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

// 1. Merged dimensions of an argument: strips need not be multiples of the inner one.
// SPLIT-LABEL: @merged
// SPLIT:         memplan.strips
func.func @merged(%a: memref<4x31x20xf32>, %w: memref<20x16xf32>) -> memref<124x16xf32> {
  %zero = arith.constant 0.0 : f32
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<4x31x20xf32> into memref<124x20xf32>
  %b = memref.alloc() : memref<124x20xf32>
  linalg.exp ins(%x : memref<124x20xf32>) outs(%b : memref<124x20xf32>)
  %c = memref.alloc() : memref<124x16xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<124x16xf32>)
  linalg.matmul ins(%b, %w : memref<124x20xf32>, memref<20x16xf32>) outs(%c : memref<124x16xf32>)
  return %c : memref<124x16xf32>
}

// 2. The same, with two rows for one of the result.
// SPLIT-LABEL: @halves
// SPLIT:         memplan.strips
func.func @halves(%a: memref<7x17x20xf32>) -> memref<59x20xf32> {
  %x = memref.collapse_shape %a [[0, 1], [2]] : memref<7x17x20xf32> into memref<119x20xf32>
  %b = memref.alloc() : memref<119x20xf32>
  linalg.exp ins(%x : memref<119x20xf32>) outs(%b : memref<119x20xf32>)
  %c = memref.alloc() : memref<59x20xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 * i, j)>, affine_map<(i, j) -> (2 * i + 1, j)>,
    affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%b, %b : memref<119x20xf32>, memref<119x20xf32>) outs(%c : memref<59x20xf32>) {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %sum = arith.addf %one, %other : f32
    linalg.yield %sum : f32
  }
  return %c : memref<59x20xf32>
}

// 3. A strip of one row of every second row, of which one dimension is left out.
// SPLIT-LABEL: @dropped
// SPLIT:         memplan.strips
func.func @dropped(%x: memref<3x23x10xf32>) -> memref<16x9x1xf32> {
  %a = memref.alloc() : memref<3x23x10xf32>
  linalg.exp ins(%x : memref<3x23x10xf32>) outs(%a : memref<3x23x10xf32>)
  %v = memref.subview %a[0, 2, 0] [1, 9, 1] [1, 2, 1] : memref<3x23x10xf32>
    to memref<9x1xf32, strided<[20, 1], offset: 20>>
  %b = memref.alloc() : memref<16x9x1xf32>
  linalg.broadcast ins(%v : memref<9x1xf32, strided<[20, 1], offset: 20>>) outs(%b : memref<16x9x1xf32>) dimensions = [0]
  return %b : memref<16x9x1xf32>
}

// 4. What is made in one block, and read in another: it is whole.
// SPLIT-LABEL: @blocks
// SPLIT:         memplan.strips
func.func @blocks(%x: memref<32x32xf32>, %c: i1) -> memref<32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  %b = memref.alloc() : memref<32x32xf32>
  linalg.transpose ins(%a : memref<32x32xf32>) outs(%b : memref<32x32xf32>) permutation = [1, 0]
  %d = memref.alloc() : memref<32x32xf32>
  linalg.tanh ins(%b : memref<32x32xf32>) outs(%d : memref<32x32xf32>)
  %e = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<32xf32>)
  linalg.reduce ins(%d : memref<32x32xf32>) outs(%e : memref<32xf32>) dimensions = [1]
    (%one: f32, %sum: f32) {
      %next = arith.addf %one, %sum : f32
      linalg.yield %next : f32
    }
  %f = memref.alloc() : memref<32x32xf32>
  cf.cond_br %c, ^one, ^other(%e : memref<32xf32>)
^one:
  linalg.add ins(%a, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%f : memref<32x32xf32>)
  return %f : memref<32x32xf32>
^other(%y: memref<32xf32>):
  linalg.broadcast ins(%y : memref<32xf32>) outs(%f : memref<32x32xf32>) dimensions = [0]
  return %f : memref<32x32xf32>
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

// 5. A view that leaves out a dimension of one element and keeps another, with the same stride in a strip.
// SPLIT-LABEL: @ones
// SPLIT:         memplan.strips
func.func private @ones(%x: memref<2x1x16x7xf32>) -> memref<7x1x14xf32> {
  %a = memref.alloc() : memref<2x1x16x7xf32>
  linalg.add ins(%x, %x : memref<2x1x16x7xf32>, memref<2x1x16x7xf32>) outs(%a : memref<2x1x16x7xf32>)
  %b = memref.alloc() : memref<7x1x16x2xf32>
  linalg.transpose ins(%a : memref<2x1x16x7xf32>) outs(%b : memref<7x1x16x2xf32>) permutation = [3, 1, 2, 0]
  %v = memref.subview %b[0, 0, 0, 0] [7, 1, 14, 1] [1, 1, 1, 1]
    : memref<7x1x16x2xf32> to memref<7x1x14xf32, strided<[32, 32, 2]>>
  %c = memref.alloc() : memref<7x1x14xf32>
  memref.copy %v, %c : memref<7x1x14xf32, strided<[32, 32, 2]>> to memref<7x1x14xf32>
  return %c : memref<7x1x14xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %x1 = memref.alloc() : memref<4x31x20xf32>
  %x1f = memref.collapse_shape %x1 [[0, 1, 2]] : memref<4x31x20xf32> into memref<2480xf32>
  %x1d = memref.cast %x1f : memref<2480xf32> to memref<?xf32>
  call @fill(%x1d, %c1) : (memref<?xf32>, i32) -> ()
  %w1 = memref.alloc() : memref<20x16xf32>
  %w1f = memref.collapse_shape %w1 [[0, 1]] : memref<20x16xf32> into memref<320xf32>
  %w1d = memref.cast %w1f : memref<320xf32> to memref<?xf32>
  call @fill(%w1d, %c2) : (memref<?xf32>, i32) -> ()
  %r1 = call @merged(%x1, %w1) : (memref<4x31x20xf32>, memref<20x16xf32>) -> memref<124x16xf32>
  %f1 = memref.collapse_shape %r1 [[0, 1]] : memref<124x16xf32> into memref<1984xf32>
  %d1 = memref.cast %f1 : memref<1984xf32> to memref<?xf32>
  call @show(%d1) : (memref<?xf32>) -> ()
  %x2 = memref.alloc() : memref<7x17x20xf32>
  %x2f = memref.collapse_shape %x2 [[0, 1, 2]] : memref<7x17x20xf32> into memref<2380xf32>
  %x2d = memref.cast %x2f : memref<2380xf32> to memref<?xf32>
  call @fill(%x2d, %c2) : (memref<?xf32>, i32) -> ()
  %r2 = call @halves(%x2) : (memref<7x17x20xf32>) -> memref<59x20xf32>
  %f2 = memref.collapse_shape %r2 [[0, 1]] : memref<59x20xf32> into memref<1180xf32>
  %d2 = memref.cast %f2 : memref<1180xf32> to memref<?xf32>
  call @show(%d2) : (memref<?xf32>) -> ()
  %x3 = memref.alloc() : memref<3x23x10xf32>
  %x3f = memref.collapse_shape %x3 [[0, 1, 2]] : memref<3x23x10xf32> into memref<690xf32>
  %x3d = memref.cast %x3f : memref<690xf32> to memref<?xf32>
  call @fill(%x3d, %c1) : (memref<?xf32>, i32) -> ()
  %r3 = call @dropped(%x3) : (memref<3x23x10xf32>) -> memref<16x9x1xf32>
  %f3 = memref.collapse_shape %r3 [[0, 1, 2]] : memref<16x9x1xf32> into memref<144xf32>
  %d3 = memref.cast %f3 : memref<144xf32> to memref<?xf32>
  call @show(%d3) : (memref<?xf32>) -> ()
  %x5 = memref.alloc() : memref<32x32xf32>
  %x5f = memref.collapse_shape %x5 [[0, 1]] : memref<32x32xf32> into memref<1024xf32>
  %x5d = memref.cast %x5f : memref<1024xf32> to memref<?xf32>
  call @fill(%x5d, %c2) : (memref<?xf32>, i32) -> ()
  %true = arith.constant true
  %r5 = call @blocks(%x5, %true) : (memref<32x32xf32>, i1) -> memref<32x32xf32>
  %f5 = memref.collapse_shape %r5 [[0, 1]] : memref<32x32xf32> into memref<1024xf32>
  %d5 = memref.cast %f5 : memref<1024xf32> to memref<?xf32>
  call @show(%d5) : (memref<?xf32>) -> ()
  %false = arith.constant false
  %r6 = call @blocks(%x5, %false) : (memref<32x32xf32>, i1) -> memref<32x32xf32>
  %f6 = memref.collapse_shape %r6 [[0, 1]] : memref<32x32xf32> into memref<1024xf32>
  %d6 = memref.cast %f6 : memref<1024xf32> to memref<?xf32>
  call @show(%d6) : (memref<?xf32>) -> ()
  %x7 = memref.alloc() : memref<2x1x16x7xf32>
  %x7f = memref.collapse_shape %x7 [[0, 1, 2, 3]] : memref<2x1x16x7xf32> into memref<224xf32>
  %x7d = memref.cast %x7f : memref<224xf32> to memref<?xf32>
  call @fill(%x7d, %c1) : (memref<?xf32>, i32) -> ()
  %r7 = call @ones(%x7) : (memref<2x1x16x7xf32>) -> memref<7x1x14xf32>
  %f7 = memref.collapse_shape %r7 [[0, 1, 2]] : memref<7x1x14xf32> into memref<98xf32>
  %d7 = memref.cast %f7 : memref<98xf32> to memref<?xf32>
  call @show(%d7) : (memref<?xf32>) -> ()
  return
}
