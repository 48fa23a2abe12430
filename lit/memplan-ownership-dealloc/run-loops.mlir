// Loops, executed on a heap that counts: each case prints its result, the allocations that it executed, the peak of the
// bytes that it asked for (each asks for its alignment, too), and the bytes that are left, which are none.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc,%upstream-lower-dealloc,cse,\
// RUN:   canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s --check-prefix=EARLY
// Lowered to blocks before.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-ownership-dealloc,\
// RUN:   %upstream-lower-dealloc,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s --check-prefix=EARLY
// Merged before.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},memplan-ownership-dealloc,\
// RUN:   %upstream-lower-dealloc,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// At the ends of blocks, which holds more at a time; lowered by our passes, and in the pipeline.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s --check-prefix=ENDS
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,\
// RUN:   memplan-ownership-dealloc{placement=block-end},memplan-simplify-dealloc,memplan-lower-dealloc,cse,\
// RUN:   canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s --check-prefix=ENDS
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline{placement=block-end},cse,\
// RUN:   canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s --check-prefix=ENDS
// Lowered by upstream's, which allocate memory of their own for many comparisons.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   %upstream-lower-dealloc,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s

module {
func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func @show(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  %a = llvm.call @heap_allocations() : () -> i64
  call @printI64(%a) : (i64) -> ()
  call @printComma() : () -> ()
  %p = llvm.call @heap_most() : () -> i64
  call @printI64(%p) : (i64) -> ()
  call @printComma() : () -> ()
  %l = llvm.call @heap_left() : () -> i64
  call @printI64(%l) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}

func.func private @add(%x: f32, %a: memref<16xf32>, %b: memref<16xf32>) attributes {no_inline} {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%e: f32, %f: f32):
    %g = arith.addf %e, %x : f32
    linalg.yield %g : f32
  }
  return
}

// 1. A loop that replaces its buffer, five times.
func.func private @replace(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    func.call @add(%x, %p, %q) : (f32, memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %q : memref<16xf32>
  }
  %s = call @first(%r) : (memref<16xf32>) -> f32
  return %s : f32
}

// 2. The same, where what it starts with is needed after it.
func.func private @needed_later(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    func.call @add(%x, %p, %q) : (f32, memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %q : memref<16xf32>
  }
  %s = call @first(%r) : (memref<16xf32>) -> f32
  %t = call @first(%a) : (memref<16xf32>) -> f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}

// 3. Buffers that a loop swaps, with one that only some iterations replace.
func.func private @swap(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<16xf32>, memref<16xf32>) {
    %k = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %k, %c1 : index
    %s = scf.if %odd -> (memref<16xf32>) {
      %t = memref.alloc() : memref<16xf32>
      func.call @add(%x, %p, %t) : (f32, memref<16xf32>, memref<16xf32>) -> ()
      scf.yield %t : memref<16xf32>
    } else {
      scf.yield %p : memref<16xf32>
    }
    scf.yield %q, %s : memref<16xf32>, memref<16xf32>
  }
  %s = call @first(%r#0) : (memref<16xf32>) -> f32
  %t = call @first(%r#1) : (memref<16xf32>) -> f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}

// 4. A while loop that hands its buffer to its body.
func.func private @while(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r:2 = scf.while (%i = %c0, %p = %a) : (index, memref<16xf32>) -> (index, memref<16xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %p : index, memref<16xf32>
  } do {
  ^bb0(%i: index, %p: memref<16xf32>):
    %q = memref.alloc() : memref<16xf32>
    func.call @add(%x, %p, %q) : (f32, memref<16xf32>, memref<16xf32>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %q : index, memref<16xf32>
  }
  %s = call @first(%r#1) : (memref<16xf32>) -> f32
  return %s : f32
}

// EARLY:      6, 6, 128, 0
// EARLY-NEXT: 1, 1, 64, 0
// EARLY-NEXT: 7, 6, 192, 0
// EARLY-NEXT: 2, 1, 64, 0
// EARLY-NEXT: 4, 4, 192, 0
// EARLY-NEXT: 6, 6, 128, 0
// ENDS:      6, 6, {{192|128}}, 0
// ENDS-NEXT: 1, 1, 64, 0
// ENDS-NEXT: 7, 6, 192, 0
// ENDS-NEXT: 2, 1, 64, 0
// ENDS-NEXT: 4, 4, {{256|192}}, 0
// ENDS-NEXT: 6, 6, {{192|128}}, 0
// CHECK:      6, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 1, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 7, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 4, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 6, {{[0-9]+}}, {{[0-9]+}}, 0
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n0 = arith.constant 0 : index
  %n5 = arith.constant 5 : index
  %2 = call @replace(%x, %n5) : (f32, index) -> f32
  call @show(%2) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %3 = call @replace(%x, %n0) : (f32, index) -> f32
  call @show(%3) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %4 = call @needed_later(%x, %n5) : (f32, index) -> f32
  call @show(%4) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %5 = call @needed_later(%x, %n0) : (f32, index) -> f32
  call @show(%5) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %6 = call @swap(%x, %n5) : (f32, index) -> f32
  call @show(%6) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %11 = call @while(%x, %n5) : (f32, index) -> f32
  call @show(%11) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
