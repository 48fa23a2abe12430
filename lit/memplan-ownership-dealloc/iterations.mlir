// Loops that run once or never: the values that the body
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

// 1. One iteration yields new memory, or its argument.
func.func @one(%given: memref<4xf32>, %c: i1, %x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 1 iter_args(%q = %given) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.store %x, %v[%c0] : memref<4xf32>
    %s = arith.select %c, %v, %q : memref<4xf32>
    affine.yield %s : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 2. One iteration, whose step spans the whole range, in a loop that replaces its buffer.
func.func @inside(%given: memref<4xf32>, %n: index, %x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%p = %given) -> memref<4xf32> {
    %r2 = affine.for %i = 0 to 8 step 8 iter_args(%q = %p) -> (memref<4xf32>) {
      %l = memref.load %q[%c0] : memref<4xf32>
      %s = arith.addf %l, %x : f32
      %v = memref.alloc() : memref<4xf32>
      memref.store %s, %v[%c0] : memref<4xf32>
      affine.yield %v : memref<4xf32>
    }
    scf.yield %r2 : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 3. A view of new memory that starts elsewhere.
func.func @view(%given: memref<4xf32>, %x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %r = affine.for %i = 0 to 1 iter_args(%q = %given) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<64xi8>
    %v = memref.view %b[%c16][] : memref<64xi8> to memref<4xf32>
    memref.store %x, %v[%c0] : memref<4xf32>
    affine.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 4. No iteration.
func.func @none(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  %r = affine.for %i = 5 to 5 iter_args(%q = %b) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    affine.yield %v : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 5. A private function that returns the result of one iteration.
func.func private @gives(%given: memref<4xf32>, %c: i1, %x: f32) -> memref<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 1 iter_args(%q = %given) -> (memref<4xf32>) {
    %s = scf.if %c -> (memref<4xf32>) {
      %v = memref.alloc() : memref<4xf32>
      memref.store %x, %v[%c0] : memref<4xf32>
      scf.yield %v : memref<4xf32>
    } else {
      scf.yield %q : memref<4xf32>
    }
    affine.yield %s : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @given(%given: memref<4xf32>, %c: i1, %x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %r = call @gives(%given, %c, %x) : (memref<4xf32>, i1, f32) -> memref<4xf32>
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// CHECK:      3, 1, 0
// CHECK-NEXT: 2, {{[01]}}, 0
// CHECK-NEXT: 17, 5, 0
// CHECK-NEXT: 3, 1, 0
// CHECK-NEXT: 3, {{[01]}}, 0
// CHECK-NEXT: 3, {{[01]}}, 0
// CHECK-NEXT: 2, {{[01]}}, 0
func.func @main() {
  %c0 = arith.constant 0 : index
  %n5 = arith.constant 5 : index
  %two = arith.constant 2.0 : f32
  %x = arith.constant 3.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %g = memref.alloca() : memref<4xf32>
  memref.store %two, %g[%c0] : memref<4xf32>
  %1 = call @one(%g, %true, %x) : (memref<4xf32>, i1, f32) -> f32
  call @show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @one(%g, %false, %x) : (memref<4xf32>, i1, f32) -> f32
  call @show(%2) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %3 = call @inside(%g, %n5, %x) : (memref<4xf32>, index, f32) -> f32
  call @show(%3) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %4 = call @view(%g, %x) : (memref<4xf32>, f32) -> f32
  call @show(%4) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %5 = call @none(%x) : (f32) -> f32
  call @show(%5) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %6 = call @given(%g, %true, %x) : (memref<4xf32>, i1, f32) -> f32
  call @show(%6) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %7 = call @given(%g, %false, %x) : (memref<4xf32>, i1, f32) -> f32
  call @show(%7) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
