// Copies of arguments, after inlining; executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- inlined.mlir
// 1. A public function returns its argument, which is copied. After inlining, the caller frees the argument before it
// reads the copy.
// CHECK: 10, 6, {{32|48}}, 0, 0
// PASSES: memplan-dealloc-pipeline,inline,canonicalize
// PASSES: memplan-dealloc-pipeline{placement=block-end},inline,canonicalize
// UPSTREAM-PASSES: buffer-deallocation-pipeline,inline,canonicalize
// UPSTREAM: 10, {{[0-9]+}}, {{[0-9]+}}, 0, 0
func.func @same(%q: memref<4xf32>) -> memref<4xf32> {
  return %q : memref<4xf32>
}
func.func @f(%n: index, %b: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f1 = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %d = func.call @same(%q) : (memref<4xf32>) -> memref<4xf32>
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

//--- consumed.mlir
// 2. A clone of an argument that a loop replaces, after inlining: the memory of the caller is not freed with it.
// CHECK: 5, 3, 32, 0, 0
// PASSES: memplan-dealloc-pipeline,inline,canonicalize
// UPSTREAM-PASSES: buffer-deallocation-pipeline,inline,canonicalize
// UPSTREAM: 5, {{[0-9]+}}, {{[0-9]+}}, 0, 0
func.func private @p(%q: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %f3 = arith.constant 3.0 : f32
  %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
  %z = scf.while (%x = %d) : (memref<4xf32>) -> f32 {
    %v = memref.load %x[%c0] : memref<4xf32>
    %k = arith.cmpf olt, %v, %f3 : f32
    scf.condition(%k) %v : f32
  } do {
  ^bb0(%v: f32):
    %w = arith.addf %v, %f1 : f32
    %y = memref.alloc() : memref<4xf32>
    memref.store %w, %y[%c0] : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  return %z : f32
}
func.func @f() -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f2 = arith.constant 2.0 : f32
  %f3 = arith.constant 3.0 : f32
  %q = memref.alloc() : memref<4xf32>
  memref.store %f2, %q[%c0] : memref<4xf32>
  %z = call @p(%q) : (memref<4xf32>) -> f32
  %v = memref.load %q[%c0] : memref<4xf32>
  %s = arith.addf %v, %z : f32
  return %s : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %r = call @f() : () -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- unranked.mlir
// 3. As 1, without a rank.
// CHECK: 5, 6, {{32|48}}, 0, 0
// PASSES: memplan-dealloc-pipeline,inline,canonicalize
// PASSES: memplan-dealloc-pipeline{placement=block-end},inline,canonicalize
// UPSTREAM: 5, {{[0-9]+}}, {{[0-9]+}}, 0, 0
func.func @same(%q: memref<*xf32>) -> memref<*xf32> {
  return %q : memref<*xf32>
}
func.func @g(%b: memref<4xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %b) -> (memref<4xf32>) {
    %u = memref.cast %x : memref<4xf32> to memref<*xf32>
    %e = func.call @same(%u) : (memref<*xf32>) -> memref<*xf32>
    %dd = memref.cast %e : memref<*xf32> to memref<4xf32>
    %v = memref.load %dd[%c0] : memref<4xf32>
    %w = arith.addf %v, %f1 : f32
    %y = memref.alloc() : memref<4xf32>
    linalg.fill ins(%w : f32) outs(%y : memref<4xf32>)
    scf.yield %y : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}
func.func @main() {
  %f2 = arith.constant 2.0 : f32
  %b = memref.alloca() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%b : memref<4xf32>)
  llvm.call @heap_start() : () -> ()
  %r = call @g(%b) : (memref<4xf32>) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}
