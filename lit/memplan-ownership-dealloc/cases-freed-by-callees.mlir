// Memory that a callee frees is not freed again, and all other memory is; executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// Upstream's pass refuses functions that free memory.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- select.mlir
// 1. The callee frees one of two buffers of the function: the other is freed before the call.
// CHECK: 1, 2, 32, 0, 0
// CHECK-NEXT: 2, 2, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %k = memref.alloc() : memref<4xf32>
  %j = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  memref.store %f2, %j[%c0] : memref<4xf32>
  %s = arith.select %c, %k, %j : memref<4xf32>
  %x = memref.load %s[%c0] : memref<4xf32>
  call @fr(%s) : (memref<4xf32>) -> ()
  return %x : f32
}
func.func @main() {
  %t = arith.constant true
  %fa = arith.constant false
  llvm.call @heap_start() : () -> ()
  %r0 = call @f(%t) : (i1) -> f32
  call @heap_show(%r0) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %r1 = call @f(%fa) : (i1) -> f32
  call @heap_show(%r1) : (f32) -> ()
  return
}

//--- argument.mlir
// 2. The same by an argument of a block.
// CHECK: 1, 2, 32, 0, 0
// CHECK-NEXT: 2, 2, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %k = memref.alloc() : memref<4xf32>
  %j = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  memref.store %f2, %j[%c0] : memref<4xf32>
  cf.cond_br %c, ^a(%k : memref<4xf32>), ^a(%j : memref<4xf32>)
^a(%s: memref<4xf32>):
  %x = memref.load %s[%c0] : memref<4xf32>
  call @fr(%s) : (memref<4xf32>) -> ()
  return %x : f32
}
func.func @main() {
  %t = arith.constant true
  %fa = arith.constant false
  llvm.call @heap_start() : () -> ()
  %r0 = call @f(%t) : (i1) -> f32
  call @heap_show(%r0) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %r1 = call @f(%fa) : (i1) -> f32
  call @heap_show(%r1) : (f32) -> ()
  return
}

//--- loop.mlir
// 3. A buffer that a loop uses is freed by a callee after the loop.
// CHECK: 4, 1, 16, 0, 0
// CHECK-NEXT: 4, 1, 16, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %k = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %k[%c0] : memref<4xf32>
    %y = arith.addf %x, %f1 : f32
    memref.store %y, %k[%c0] : memref<4xf32>
  }
  %x = memref.load %k[%c0] : memref<4xf32>
  call @fr(%k) : (memref<4xf32>) -> ()
  return %x : f32
}
func.func @main() {
  %t = arith.constant true
  %fa = arith.constant false
  llvm.call @heap_start() : () -> ()
  %r0 = call @f(%t) : (i1) -> f32
  call @heap_show(%r0) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %r1 = call @f(%fa) : (i1) -> f32
  call @heap_show(%r1) : (f32) -> ()
  return
}

//--- some.mlir
// 4. The callee frees it on one of two paths: it is freed on the other.
// CHECK: 1, 1, 16, 0, 0
// CHECK-NEXT: 1, 1, 16, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %k = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  %x = memref.load %k[%c0] : memref<4xf32>
  cf.cond_br %c, ^a, ^b
^a:
  call @fr(%k) : (memref<4xf32>) -> ()
  cf.br ^d
^b:
  %z = memref.load %k[%c0] : memref<4xf32>
  cf.br ^d
^d:
  return %x : f32
}
func.func @main() {
  %t = arith.constant true
  %fa = arith.constant false
  llvm.call @heap_start() : () -> ()
  %r0 = call @f(%t) : (i1) -> f32
  call @heap_show(%r0) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %r1 = call @f(%fa) : (i1) -> f32
  call @heap_show(%r1) : (f32) -> ()
  return
}

//--- place.mlir
// 5. Where frees find no place after last uses, they stand at the ends of blocks, whatever else a callee frees.
// PASSES: memplan-dealloc-pipeline
// CHECK: 8, 5, 64, 0, 0
// CHECK-NEXT: 8, 5, 64, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @new(%m: memref<4xf32>) -> memref<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %f1 = arith.constant 1.0 : f32
  %n = memref.alloc() : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  %y = arith.addf %x, %f1 : f32
  memref.store %y, %n[%c0] : memref<4xf32>
  return %n : memref<4xf32>
}
func.func private @two() -> index attributes {no_inline} {
  %c2 = arith.constant 2 : index
  return %c2 : index
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = call @two() : () -> index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %f3 = arith.constant 3.0 : f32
  %arg0 = memref.alloc() : memref<4xf32>
  memref.store %f3, %arg0[%c0] : memref<4xf32>
  %g = memref.alloc() : memref<4xf32>
  memref.store %f2, %g[%c0] : memref<4xf32>
  %h = arith.select %c, %g, %arg0 : memref<4xf32>
  %k = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  call @fr(%k) : (memref<4xf32>) -> ()
  %w:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %g, %q = %h, %r = %arg0) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %n = func.call @new(%q) : (memref<4xf32>) -> memref<4xf32>
    scf.yield %n, %r, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  %a = memref.load %w#2[%c0] : memref<4xf32>
  %b = memref.load %w#0[%c0] : memref<4xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}
func.func @main() {
  %t = arith.constant true
  %fa = arith.constant false
  llvm.call @heap_start() : () -> ()
  %r0 = call @f(%t) : (i1) -> f32
  call @heap_show(%r0) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %r1 = call @f(%fa) : (i1) -> f32
  call @heap_show(%r1) : (f32) -> ()
  return
}
