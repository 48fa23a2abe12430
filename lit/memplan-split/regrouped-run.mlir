// Executed: rows that views group, and group otherwise.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-linalg-to-loops,expand-strided-metadata,lower-affine,\
// RUN:   %to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s < %t.expected
// RUN: for options in forms=plain 'forms=plain max-strips=1' 'forms=none' \
// RUN:   'forms=plain,none max-recompute=100'; do \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-split{strip-cost=none max-code-growth=100 $options},\
// RUN:     memplan-verify,canonicalize,cse,memplan-merge-alloc{verify},convert-linalg-to-loops,\
// RUN:     expand-strided-metadata,lower-affine,%to-llvm)" | %runner | diff %t.expected - || exit 1; \
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

// CHECK-COUNT-1: {{[0-9]}}
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

// 1. Rows that a view groups, and another one ungroups.
// SPLIT-LABEL: @regrouped
// SPLIT:         memplan.strips
func.func private @regrouped(%x: memref<12x24xf32>) -> memref<14x24xf32> {
  %c = arith.constant 0.5 : f32
  %a = memref.alloc() : memref<12x24xf32>
  linalg.add ins(%x, %x : memref<12x24xf32>, memref<12x24xf32>) outs(%a : memref<12x24xf32>)
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [3, 4, 24] : memref<12x24xf32> into memref<3x4x24xf32>
  %b = memref.collapse_shape %e [[0, 1], [2]] : memref<3x4x24xf32> into memref<12x24xf32>
  %r = memref.alloc() : memref<14x24xf32>
  linalg.fill ins(%c : f32) outs(%r : memref<14x24xf32>)
  %v = memref.subview %r[1, 0] [12, 24] [1, 1] : memref<14x24xf32> to memref<12x24xf32, strided<[24, 1], offset: 24>>
  linalg.exp ins(%b : memref<12x24xf32>) outs(%v : memref<12x24xf32, strided<[24, 1], offset: 24>>)
  %g = memref.expand_shape %r [[0, 1], [2]] output_shape [7, 2, 24] : memref<14x24xf32> into memref<7x2x24xf32>
  %h = memref.collapse_shape %g [[0, 1], [2]] : memref<7x2x24xf32> into memref<14x24xf32>
  linalg.abs ins(%h : memref<14x24xf32>) outs(%h : memref<14x24xf32>)
  return %r : memref<14x24xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : i32
  %x = memref.alloc() : memref<12x24xf32>
  %xf = memref.collapse_shape %x [[0, 1]] : memref<12x24xf32> into memref<288xf32>
  %xd = memref.cast %xf : memref<288xf32> to memref<?xf32>
  call @fill(%xd, %c1) : (memref<?xf32>, i32) -> ()
  %r = call @regrouped(%x) : (memref<12x24xf32>) -> memref<14x24xf32>
  %f = memref.collapse_shape %r [[0, 1]] : memref<14x24xf32> into memref<336xf32>
  %d = memref.cast %f : memref<336xf32> to memref<?xf32>
  call @show(%d) : (memref<?xf32>) -> ()
  return
}
