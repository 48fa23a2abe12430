// Executed on a heap that counts: each case prints its result, the allocations that it executed, the peak of the
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

// 1. A chain of four: never more than two at a time.
func.func private @chain(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  call @add(%x, %a, %b) : (f32, memref<16xf32>, memref<16xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  call @add(%x, %b, %c) : (f32, memref<16xf32>, memref<16xf32>) -> ()
  %d = memref.alloc() : memref<16xf32>
  call @add(%x, %c, %d) : (f32, memref<16xf32>, memref<16xf32>) -> ()
  %r = call @first(%d) : (memref<16xf32>) -> f32
  return %r : f32
}

// 2. Results of branches that forward what is outside, or make something new.
func.func private @maybe(%x: f32, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    func.call @add(%x, %a, %b) : (f32, memref<16xf32>, memref<16xf32>) -> ()
    scf.yield %b : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  return %r : memref<16xf32>
}

func.func private @maybe_first(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %r = call @maybe(%x, %c) : (f32, i1) -> memref<16xf32>
  %s = call @first(%r) : (memref<16xf32>) -> f32
  memref.dealloc %r : memref<16xf32>
  return %s : f32
}

// 3. A select of two, of which one is needed longer.
func.func private @selected(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  call @add(%x, %a, %b) : (f32, memref<16xf32>, memref<16xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<16xf32>
  %t = call @first(%s) : (memref<16xf32>) -> f32
  %u = call @first(%a) : (memref<16xf32>) -> f32
  %v = arith.addf %t, %u : f32
  return %v : f32
}

// 4. Three results of a call, of which the last is either of the others.
func.func private @three(%x: f32, %c: i1) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  call @add(%x, %a, %b) : (f32, memref<16xf32>, memref<16xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<16xf32>
  return %a, %b, %s : memref<16xf32>, memref<16xf32>, memref<16xf32>
}
func.func private @either(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %r:3 = call @three(%x, %c) : (f32, i1) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>)
  %s = call @first(%r#2) : (memref<16xf32>) -> f32
  return %s : f32
}

// EARLY:      4, 4, 128, 0
// EARLY-NEXT: 2, 2, 128, 0
// EARLY-NEXT: 1, 1, 64, 0
// EARLY-NEXT: 2, 2, 128, 0
// EARLY-NEXT: 3, 2, 128, 0
// EARLY-NEXT: 1, {{[0-9]+}}, {{[0-9]+}}, 0
// EARLY-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0
// ENDS:      4, 4, 256, 0
// ENDS-NEXT: 2, 2, 128, 0
// ENDS-NEXT: 1, 1, 64, 0
// ENDS-NEXT: 2, 2, 128, 0
// ENDS-NEXT: 3, 2, 128, 0
// ENDS-NEXT: 1, 2, 128, 0
// ENDS-NEXT: 2, 2, 128, 0
// CHECK:      4, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 1, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 3, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 1, {{[0-9]+}}, {{[0-9]+}}, 0
// CHECK-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %1 = call @chain(%x) : (f32) -> f32
  call @show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %7 = call @maybe_first(%x, %true) : (f32, i1) -> f32
  call @show(%7) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %8 = call @maybe_first(%x, %false) : (f32, i1) -> f32
  call @show(%8) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %9 = call @selected(%x, %true) : (f32, i1) -> f32
  call @show(%9) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %10 = call @selected(%x, %false) : (f32, i1) -> f32
  call @show(%10) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %12 = call @either(%x, %true) : (f32, i1) -> f32
  call @show(%12) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %13 = call @either(%x, %false) : (f32, i1) -> f32
  call @show(%13) : (f32) -> ()
  return
}
}
