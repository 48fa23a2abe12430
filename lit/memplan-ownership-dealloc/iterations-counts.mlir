// Loops with a constant trip count of 0, 1 or more: the values that the body
// forwards fit its arguments and the results. Executed on a heap that counts: each case prints its result, the
// allocations that it executed, the peak of the bytes that it asked for, and the bytes that are left, which are none.
// Without frees, 1 to 3 allocations are left.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// Without the canonicalization that removes loops without iterations, and with flags of private functions.
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// At the ends of blocks, by our lowering and by upstream's.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   buffer-deallocation-simplification,bufferization-lower-deallocations,%to-llvm-counted)' \
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
  %l = llvm.call @heap_left() : () -> i64
  call @printI64(%l) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// 1. Each iteration replaces the buffer of the one before, or of before the loop.
func.func @scf_never(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @scf_once(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @scf_many(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @affine_never(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = affine.for %i = 0 to 0 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    affine.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @affine_once(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = affine.for %i = 0 to 1 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    affine.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @affine_many(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = affine.for %i = 0 to 3 iter_args(%q = %b) -> (memref<4xf32>) {
    %l = memref.load %q[%c0] : memref<4xf32>
    %s = arith.addf %l, %two : f32
    %v = memref.alloc() : memref<4xf32>
    memref.store %s, %v[%c0] : memref<4xf32>
    affine.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// CHECK:      3, {{[0-9]}}, 0
// CHECK-NEXT: 5, {{[0-9]}}, 0
// CHECK-NEXT: 9, {{[0-9]}}, 0
// CHECK-NEXT: 3, {{[0-9]}}, 0
// CHECK-NEXT: 5, {{[0-9]}}, 0
// CHECK-NEXT: 9, {{[0-9]}}, 0
func.func @main() {
  %x = arith.constant 3.0 : f32
  %8 = call @scf_never(%x) : (f32) -> f32
  call @show(%8) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %9 = call @scf_once(%x) : (f32) -> f32
  call @show(%9) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %10 = call @scf_many(%x) : (f32) -> f32
  call @show(%10) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %11 = call @affine_never(%x) : (f32) -> f32
  call @show(%11) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %12 = call @affine_once(%x) : (f32) -> f32
  call @show(%12) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %13 = call @affine_many(%x) : (f32) -> f32
  call @show(%13) : (f32) -> ()
  return
}
}
