// Executed on a heap that counts, with private functions that say what they give away: what each case computes, how
// many allocations it executed, and what is left, which is nothing. Writes through a result that is an argument are
// seen there.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership},\
// RUN:   %upstream-lower-dealloc,convert-bufferization-to-memref,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// Lowered to blocks before.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,\
// RUN:   memplan-ownership-dealloc{private-function-dynamic-ownership},%upstream-lower-dealloc,\
// RUN:   convert-bufferization-to-memref,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// At the ends of blocks.
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership \
// RUN:   placement=block-end},memplan-simplify-dealloc,memplan-lower-dealloc,convert-bufferization-to-memref,cse,\
// RUN:   canonicalize,%to-llvm-counted)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,\
// RUN:   memplan-ownership-dealloc{private-function-dynamic-ownership \
// RUN:   placement=block-end},memplan-simplify-dealloc,memplan-lower-dealloc,convert-bufferization-to-memref,cse,\
// RUN:   canonicalize,%to-llvm-counted)' \
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

func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}

func.func private @put(%x: f32, %a: memref<16xf32>) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}

// 1. Returns its argument: what is written to the result is seen there, and nothing is allocated for it.
func.func private @same(%a: memref<16xf32>) -> memref<16xf32> attributes {no_inline} {
  return %a : memref<16xf32>
}
func.func private @seen(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  %r = call @same(%a) : (memref<16xf32>) -> memref<16xf32>
  %s = call @same(%r) : (memref<16xf32>) -> memref<16xf32>
  call @put(%x, %s) : (f32, memref<16xf32>) -> ()
  %v = call @first(%a) : (memref<16xf32>) -> f32
  return %v : f32
}

// 2. Returns its argument, or new memory.
func.func private @either(%x: f32, %a: memref<16xf32>, %c: i1) -> (i64, memref<16xf32>) attributes {no_inline} {
  %n = memref.alloc() : memref<16xf32>
  call @put(%x, %n) : (f32, memref<16xf32>) -> ()
  %s = arith.select %c, %a, %n : memref<16xf32>
  %z = arith.constant 0 : i64
  return %z, %s : i64, memref<16xf32>
}
func.func private @either_used(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  %z = arith.constant 0.0 : f32
  call @put(%z, %a) : (f32, memref<16xf32>) -> ()
  %r:2 = call @either(%x, %a, %c) : (f32, memref<16xf32>, i1) -> (i64, memref<16xf32>)
  %v = call @first(%r#1) : (memref<16xf32>) -> f32
  %w = call @first(%a) : (memref<16xf32>) -> f32
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// 3. Two results, which may be one buffer.
func.func private @two(%x: f32, %c: i1) -> (memref<16xf32>, memref<16xf32>) attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @put(%x, %a) : (f32, memref<16xf32>) -> ()
  call @put(%x, %b) : (f32, memref<16xf32>) -> ()
  %s = arith.select %c, %a, %b : memref<16xf32>
  return %s, %a : memref<16xf32>, memref<16xf32>
}
func.func private @two_used(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %r:2 = call @two(%x, %c) : (f32, i1) -> (memref<16xf32>, memref<16xf32>)
  %v = call @first(%r#0) : (memref<16xf32>) -> f32
  %w = call @first(%r#1) : (memref<16xf32>) -> f32
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// 4. Functions that call each other; what comes back is the argument where they end at once, else the last copy.
func.func private @even(%a: memref<16xf32>, %n: index) -> memref<16xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %q = func.call @odd(%a, %m) : (memref<16xf32>, index) -> memref<16xf32>
    scf.yield %q : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @odd(%a: memref<16xf32>, %n: index) -> memref<16xf32> attributes {no_inline} {
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %q = call @even(%b, %n) : (memref<16xf32>, index) -> memref<16xf32>
  return %q : memref<16xf32>
}
func.func private @circle(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @put(%x, %a) : (f32, memref<16xf32>) -> ()
  %r = call @even(%a, %n) : (memref<16xf32>, index) -> memref<16xf32>
  %y = arith.addf %x, %x : f32
  call @put(%y, %r) : (f32, memref<16xf32>) -> ()
  %v = call @first(%a) : (memref<16xf32>) -> f32
  return %v : f32
}

// 5. Called in a loop, and carried from iteration to iteration: some iterations replace it.
func.func private @iterations(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<16xf32>
  call @put(%x, %a) : (f32, memref<16xf32>) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %y = %x) -> (memref<16xf32>, f32) {
    %k = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %k, %c0 : index
    %z = arith.addf %y, %x : f32
    %q:2 = func.call @either(%z, %p, %even) : (f32, memref<16xf32>, i1) -> (i64, memref<16xf32>)
    scf.yield %q#1, %z : memref<16xf32>, f32
  }
  %v = call @first(%r#0) : (memref<16xf32>) -> f32
  %w = call @first(%a) : (memref<16xf32>) -> f32
  %s = arith.addf %v, %w : f32
  return %s : f32
}

// 6. Public functions copy the result of a private one that is an argument, and pass on a new one.
func.func @outer(%x: f32, %a: memref<16xf32>, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %r:2 = call @either(%x, %a, %c) : (f32, memref<16xf32>, i1) -> (i64, memref<16xf32>)
  return %r#1 : memref<16xf32>
}
func.func private @outer_used(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @put(%x, %a) : (f32, memref<16xf32>) -> ()
  %y = arith.addf %x, %x : f32
  %r = call @outer(%y, %a, %c) : (f32, memref<16xf32>, i1) -> memref<16xf32>
  %z = arith.addf %y, %y : f32
  call @put(%z, %a) : (f32, memref<16xf32>) -> ()
  %v = call @first(%r) : (memref<16xf32>) -> f32
  return %v : f32
}

// CHECK:      1, 1, 0
// CHECK-NEXT: 0, 2, 0
// CHECK-NEXT: 1, 2, 0
// CHECK-NEXT: 2, 2, 0
// CHECK-NEXT: 2, 2, 0
// CHECK-NEXT: 2, 1, 0
// CHECK-NEXT: 1, 6, 0
// CHECK-NEXT: 2, 1, 0
// CHECK-NEXT: 6, 6, 0
// CHECK-NEXT: 1, 3, 0
// CHECK-NEXT: 2, 2, 0
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n0 = arith.constant 0 : index
  %n5 = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @seen(%x) : (f32) -> f32
  call @show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @either_used(%x, %true) : (f32, i1) -> f32
  call @show(%2) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %3 = call @either_used(%x, %false) : (f32, i1) -> f32
  call @show(%3) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %4 = call @two_used(%x, %true) : (f32, i1) -> f32
  call @show(%4) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %5 = call @two_used(%x, %false) : (f32, i1) -> f32
  call @show(%5) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %6 = call @circle(%x, %n0) : (f32, index) -> f32
  call @show(%6) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %7 = call @circle(%x, %n5) : (f32, index) -> f32
  call @show(%7) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %8 = call @iterations(%x, %n0) : (f32, index) -> f32
  call @show(%8) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %9 = call @iterations(%x, %n5) : (f32, index) -> f32
  call @show(%9) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %10 = call @outer_used(%x, %true) : (f32, i1) -> f32
  call @show(%10) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %11 = call @outer_used(%x, %false) : (f32, i1) -> f32
  call @show(%11) : (f32) -> ()
  return
}
}
