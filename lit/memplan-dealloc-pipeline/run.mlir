// Executed on a heap that counts: what each case computes, how many allocations it executed, and what is left.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s
// On functions alone, from blocks.
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(convert-scf-to-cf,func.func(memplan-dealloc-pipeline),%to-llvm-counted)' \
// RUN:   | %runner -O3 | FileCheck %s
// Upstream decides who owns what, and may copy more; what it leaves open, as the operation means it, is ours: also of
// views that start elsewhere.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(ownership-based-buffer-deallocation,canonicalize,\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s --check-prefix=MIXED
// Not simplified.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(ownership-based-buffer-deallocation,memplan-lower-dealloc,\
// RUN:   cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s --check-prefix=MIXED
// Simplified by ours, lowered by upstream: what is a view of what can be seen here.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc,canonicalize,\
// RUN:   memplan-simplify-dealloc,bufferization-lower-deallocations,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s --check-prefix=UPSTREAM

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

// 1. Buffers that a loop swaps, with one that only some iterations replace.
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
      linalg.fill ins(%x : f32) outs(%t : memref<16xf32>)
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

// 2. One of two views that start elsewhere goes to a block, and the memory that it may be a view of is needed after
// it.
func.func private @shifted(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %w = memref.view %b[%c64][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%w : memref<16xf32>)
  cf.cond_br %c, ^bb1(%v : memref<16xf32>), ^bb1(%w : memref<16xf32>)
^bb1(%p: memref<16xf32>):
  %s = call @first(%p) : (memref<16xf32>) -> f32
  cf.br ^bb2
^bb2:
  %t = call @first(%v) : (memref<16xf32>) -> f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}

// 3. The result is new, or an earlier branch allocated it.
func.func private @maybe(%x: f32, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  return %r : memref<16xf32>
}

func.func private @of_maybe(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = call @maybe(%x, %c) : (f32, i1) -> memref<16xf32>
  %s = call @first(%a) : (memref<16xf32>) -> f32
  return %s : f32
}

// 4. A select of three, and one of them is needed longer.
func.func private @selected(%x: f32, %c: i1, %d: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %e = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%e : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  %t = arith.select %d, %s, %e : memref<16xf32>
  cf.cond_br %c, ^bb1(%t : memref<16xf32>), ^bb1(%e : memref<16xf32>)
^bb1(%p: memref<16xf32>):
  %u = call @first(%p) : (memref<16xf32>) -> f32
  %v = call @first(%b) : (memref<16xf32>) -> f32
  %w = arith.addf %u, %v : f32
  return %w : f32
}

// CHECK: 2, 4, 0
// CHECK-NEXT: 2, 2, 0
// CHECK-NEXT: 2, 2, 0
// CHECK-NEXT: 1, 2, 0
// CHECK-NEXT: 1, 1, 0
// CHECK-NEXT: 2, 3, 0
// CHECK-NEXT: 2, 3, 0
// MIXED: 2, {{[0-9]+}}, 0
// MIXED-NEXT: 2, 2, 0
// MIXED-NEXT: 2, 2, 0
// MIXED-NEXT: 1, {{[0-9]+}}, 0
// MIXED-NEXT: 1, {{[0-9]+}}, 0
// MIXED-NEXT: 2, 3, 0
// MIXED-NEXT: 2, 3, 0
// UPSTREAM: 2, 4, 0
// UPSTREAM-NEXT: 2, 2, 0
// UPSTREAM-NEXT: 2, 2, 0
// UPSTREAM-NEXT: 1, 2, 0
// UPSTREAM-NEXT: 1, 1, 0
// UPSTREAM-NEXT: 2, 3, 0
// UPSTREAM-NEXT: 2, 3, 0
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @swap(%x, %n5) : (f32, index) -> f32
  call @show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @shifted(%x, %true) : (f32, i1) -> f32
  call @show(%2) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %3 = call @shifted(%x, %false) : (f32, i1) -> f32
  call @show(%3) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %4 = call @of_maybe(%x, %true) : (f32, i1) -> f32
  call @show(%4) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %5 = call @of_maybe(%x, %false) : (f32, i1) -> f32
  call @show(%5) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %6 = call @selected(%x, %true, %true) : (f32, i1, i1) -> f32
  call @show(%6) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %7 = call @selected(%x, %false, %true) : (f32, i1, i1) -> f32
  call @show(%7) : (f32) -> ()
  return
}
}
