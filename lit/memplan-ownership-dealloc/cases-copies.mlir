// Memory that is cloned may be freed before the clone is read, whatever later passes assume; executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- iterations.mlir
// 1. It is known only at run time whether an iteration frees the memory that it has cloned, before it reads the clone.
// CHECK: 10, 6, 32, 0, 0
// UPSTREAM: 10, {{[0-9]+}}, {{[0-9]+}}, 0, 0
func.func @f(%n: index, %b: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
    %v = memref.load %d[%c0] : memref<4xf32>
    %w = arith.addf %v, %f1 : f32
    %p = memref.alloc() : memref<4xf32>
    memref.store %w, %p[%c0] : memref<4xf32>
    scf.yield %p : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 7.0 : f32
  %b = memref.alloca() : memref<4xf32>
  memref.store %f1, %b[%c0] : memref<4xf32>
  llvm.call @heap_start() : () -> ()
  %r = call @f(%c3, %b) : (index, memref<4xf32>) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- select.mlir
// 2. The clone is read through a select.
// CHECK: 10, 6, 32, 0, 0
// UPSTREAM: 10, {{[0-9]+}}, {{[0-9]+}}, 0, 0
func.func @f(%n: index, %b: memref<4xf32>, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
    %s = arith.select %c, %d, %b : memref<4xf32>
    %v = memref.load %s[%c0] : memref<4xf32>
    %w = arith.addf %v, %f1 : f32
    %p = memref.alloc() : memref<4xf32>
    memref.store %w, %p[%c0] : memref<4xf32>
    scf.yield %p : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %t = arith.constant true
  %f1 = arith.constant 7.0 : f32
  %b = memref.alloca() : memref<4xf32>
  memref.store %f1, %b[%c0] : memref<4xf32>
  llvm.call @heap_start() : () -> ()
  %r = call @f(%c3, %b, %t) : (index, memref<4xf32>, i1) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- taken.mlir
// 3. A callee frees what was cloned.
// CHECK: 1, 2, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %q = memref.alloc() : memref<4xf32>
  memref.store %f1, %q[%c0] : memref<4xf32>
  %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
  call @fr(%q) : (memref<4xf32>) -> ()
  %w = memref.load %d[%c0] : memref<4xf32>
  return %w : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- last.mlir
// 4. The clone is read by what ends a block and frees something else.
// CHECK: 2, 3, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%d: memref<4xf32>, %m: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  memref.dealloc %m : memref<4xf32>
  %v = memref.load %d[%c0] : memref<4xf32>
  return %v : f32
}
func.func @f(%c: i1, %b: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f2 = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %f2, %a[%c0] : memref<4xf32>
  %q = arith.select %c, %a, %b : memref<4xf32>
  %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
  %k = memref.alloc() : memref<4xf32>
  %w = call @fr(%d, %k) : (memref<4xf32>, memref<4xf32>) -> f32
  return %w : f32
}
func.func @main() {
  %t = arith.constant true
  %b = memref.alloca() : memref<4xf32>
  llvm.call @heap_start() : () -> ()
  %r = call @f(%t, %b) : (i1, memref<4xf32>) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- before.mlir
// 5. The pipeline writes clones out before all else: a callee frees what is cloned, the program the clone.
// CHECK: 2, 2, 32, 0, 0
// PASSES: memplan-dealloc-pipeline
// PASSES: memplan-dealloc-pipeline{placement=block-end}
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f2 = arith.constant 2.0 : f32
  %f3 = arith.constant 3.0 : f32
  %q = memref.alloc() : memref<4xf32>
  memref.store %f2, %q[%c0] : memref<4xf32>
  %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
  call @fr(%q) : (memref<4xf32>) -> ()
  %v = memref.load %d[%c0] : memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  return %v : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- twice.mlir
// 6. A callee gets the same memory as two arguments, clones the one and frees the other.
// CHECK: 2, 2, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @p(%q: memref<4xf32>, %b: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
  call @fr(%b) : (memref<4xf32>) -> ()
  %v = memref.load %d[%c0] : memref<4xf32>
  return %v : f32
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f2 = arith.constant 2.0 : f32
  %f3 = arith.constant 3.0 : f32
  %q = memref.alloc() : memref<4xf32>
  memref.store %f2, %q[%c0] : memref<4xf32>
  %v = call @p(%q, %q) : (memref<4xf32>, memref<4xf32>) -> f32
  return %v : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- manual.mlir
// 7. Who says that the clone is freed elsewhere frees the memory that it becomes.
// CHECK: 2, 2, 32, 0, 0
// PASSES: func.func(memplan-ownership-dealloc)
// UPSTREAM: 2, 1, 16, 0, 0
func.func private @sink(%d: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %v = memref.load %d[%c0] : memref<4xf32>
  memref.dealloc %d {bufferization.manual_deallocation} : memref<4xf32>
  return %v : f32
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f2 = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<4xf32>
  memref.store %f2, %b[%c0] : memref<4xf32>
  %r = bufferization.clone %b {bufferization.manual_deallocation} : memref<4xf32> to memref<4xf32>
  %v = call @sink(%r) : (memref<4xf32>) -> f32
  return %v : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}
