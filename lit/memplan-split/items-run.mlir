// Executed: chains on items of a number that is known only at run time compute the same as whole operations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in '' 'max-strips=1 forms=plain' 'forms=none max-copy=1000' \
// RUN:   'max-recompute=100 strip-cost=none' 'max-recompute=30 forms=plain max-strips=1'; do \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-split{max-code-growth=100 $options},memplan-verify,\
// RUN:     canonicalize,cse,memplan-merge-alloc{verify},convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:     %to-llvm)" | %runner | diff %t.expected - || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{max-code-growth=100})' | \
// RUN:   FileCheck %s --check-prefix=SPLIT

// Batches of 3, 1 and 0 items each.
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

// 1. A pad, convolutions, a residual, and a view with other dimensions.
// SPLIT-LABEL: @images(
// SPLIT:         scf.for
// SPLIT:           memplan.strips
// SPLIT:         memplan.items
func.func @images(%x: memref<?x3x20x20xf32>, %w: memref<4x3x3x3xf32>, %v: memref<4x4x3x3xf32>) -> memref<?x1296xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x3x20x20xf32>
  %a = memref.alloc(%n) : memref<?x4x18x18xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x4x18x18xf32>)
  linalg.conv_2d_nchw_fchw ins(%x, %w : memref<?x3x20x20xf32>, memref<4x3x3x3xf32>) outs(%a : memref<?x4x18x18xf32>)
  %b = memref.alloc(%n) : memref<?x4x20x20xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?x4x20x20xf32>)
  %inside = memref.subview %b[0, 0, 1, 1] [%n, 4, 18, 18] [1, 1, 1, 1] : memref<?x4x20x20xf32>
    to memref<?x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>
  linalg.tanh ins(%a : memref<?x4x18x18xf32>)
    outs(%inside : memref<?x4x18x18xf32, strided<[1600, 400, 20, 1], offset: 21>>)
  %c = memref.alloc(%n) : memref<?x4x18x18xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?x4x18x18xf32>)
  linalg.conv_2d_nchw_fchw ins(%b, %v : memref<?x4x20x20xf32>, memref<4x4x3x3xf32>) outs(%c : memref<?x4x18x18xf32>)
  %d = memref.alloc(%n) : memref<?x4x18x18xf32>
  linalg.add ins(%c, %a : memref<?x4x18x18xf32>, memref<?x4x18x18xf32>) outs(%d : memref<?x4x18x18xf32>)
  %e = memref.collapse_shape %d [[0], [1, 2, 3]] : memref<?x4x18x18xf32> into memref<?x1296xf32>
  %r = memref.alloc(%n) : memref<?x1296xf32>
  linalg.exp ins(%e : memref<?x1296xf32>) outs(%r : memref<?x1296xf32>)
  return %r : memref<?x1296xf32>
}

// 2. Items are columns.
// SPLIT-LABEL: @columns(
// SPLIT:         memplan.items
func.func @columns(%x: memref<24x?xf32>, %w: memref<24xf32>) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c1 : memref<24x?xf32>
  %a = memref.alloc(%n) : memref<24x?xf32>
  linalg.tanh ins(%x : memref<24x?xf32>) outs(%a : memref<24x?xf32>)
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?xf32>)
  linalg.vecmat ins(%w, %a : memref<24xf32>, memref<24x?xf32>) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
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

func.func private @batch(%n: index) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %x1 = memref.alloc() : memref<3600xf32>
  %x1d = memref.cast %x1 : memref<3600xf32> to memref<?xf32>
  call @fill(%x1d, %c1) : (memref<?xf32>, i32) -> ()
  %s1 = memref.reinterpret_cast %x1 to offset: [0], sizes: [%n, 3, 20, 20], strides: [1200, 400, 20, 1]
    : memref<3600xf32> to memref<?x3x20x20xf32, strided<[1200, 400, 20, 1]>>
  %i1 = memref.cast %s1 : memref<?x3x20x20xf32, strided<[1200, 400, 20, 1]>> to memref<?x3x20x20xf32>
  %w1 = memref.alloc() : memref<4x3x3x3xf32>
  %w1f = memref.collapse_shape %w1 [[0, 1, 2, 3]] : memref<4x3x3x3xf32> into memref<108xf32>
  %w1d = memref.cast %w1f : memref<108xf32> to memref<?xf32>
  call @fill(%w1d, %c2) : (memref<?xf32>, i32) -> ()
  %v1 = memref.alloc() : memref<4x4x3x3xf32>
  %v1f = memref.collapse_shape %v1 [[0, 1, 2, 3]] : memref<4x4x3x3xf32> into memref<144xf32>
  %v1d = memref.cast %v1f : memref<144xf32> to memref<?xf32>
  call @fill(%v1d, %c3) : (memref<?xf32>, i32) -> ()
  %r1 = call @images(%i1, %w1, %v1)
    : (memref<?x3x20x20xf32>, memref<4x3x3x3xf32>, memref<4x4x3x3xf32>) -> memref<?x1296xf32>
  %f1 = memref.collapse_shape %r1 [[0, 1]] : memref<?x1296xf32> into memref<?xf32>
  call @show(%f1) : (memref<?xf32>) -> ()
  %x2 = memref.alloc() : memref<24x3xf32>
  %x2f = memref.collapse_shape %x2 [[0, 1]] : memref<24x3xf32> into memref<72xf32>
  %x2d = memref.cast %x2f : memref<72xf32> to memref<?xf32>
  call @fill(%x2d, %c3) : (memref<?xf32>, i32) -> ()
  %s2 = memref.alloc(%n) : memref<24x?xf32>
  %p2 = memref.subview %x2[0, 0] [24, %n] [1, 1] : memref<24x3xf32> to memref<24x?xf32, strided<[3, 1]>>
  memref.copy %p2, %s2 : memref<24x?xf32, strided<[3, 1]>> to memref<24x?xf32>
  %w2 = memref.alloc() : memref<24xf32>
  %w2d = memref.cast %w2 : memref<24xf32> to memref<?xf32>
  call @fill(%w2d, %c1) : (memref<?xf32>, i32) -> ()
  %r2 = call @columns(%s2, %w2) : (memref<24x?xf32>, memref<24xf32>) -> memref<?xf32>
  call @show(%r2) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  %n3 = arith.constant 3 : index
  %n1 = arith.constant 1 : index
  %n0 = arith.constant 0 : index
  call @batch(%n3) : (index) -> ()
  call @batch(%n1) : (index) -> ()
  call @batch(%n0) : (index) -> ()
  return
}
