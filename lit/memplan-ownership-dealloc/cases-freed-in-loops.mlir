// Memory that a callee frees in a loop is not freed again, and all other memory is; executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// Upstream's pass refuses functions that free memory.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- iterations.mlir
// 1. A callee frees in each iteration the buffer of the iteration before, and first that of the enclosing function,
// which does not free it.
// CHECK: 4, 4, 16, 0, 0
// CHECK-NEXT: 4, 4, 16, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @new(%x: f32) -> memref<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<4xf32>
  memref.store %x, %n[%c0] : memref<4xf32>
  return %n : memref<4xf32>
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %k = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %k) -> memref<4xf32> {
    %x = memref.load %p[%c0] : memref<4xf32>
    %y = arith.addf %x, %f1 : f32
    func.call @fr(%p) : (memref<4xf32>) -> ()
    %n = func.call @new(%y) : (f32) -> memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  %x = memref.load %r[%c0] : memref<4xf32>
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

//--- tests.mlir
// 2. The same where a test stands between iterations; other memory is needed after the loop.
// CHECK: 5, 5, 32, 0, 0
// CHECK-NEXT: 5, 5, 32, 0, 0
// UPSTREAM: memory free side-effect on MemRef value not supported
func.func private @fr(%m: memref<4xf32>) attributes {no_inline} {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func private @new(%x: f32) -> memref<4xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<4xf32>
  memref.store %x, %n[%c0] : memref<4xf32>
  return %n : memref<4xf32>
}
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %k = memref.alloc() : memref<4xf32>
  memref.store %f1, %k[%c0] : memref<4xf32>
  %q = memref.alloc() : memref<4xf32>
  memref.store %f1, %q[%c0] : memref<4xf32>
  %r:2 = scf.while (%p = %k, %i = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %t = arith.cmpi slt, %i, %c3 : index
    scf.condition(%t) %p, %i : memref<4xf32>, index
  } do {
  ^bb0(%p: memref<4xf32>, %i: index):
    %x = memref.load %p[%c0] : memref<4xf32>
    %y = arith.addf %x, %f1 : f32
    func.call @fr(%p) : (memref<4xf32>) -> ()
    %n = func.call @new(%y) : (f32) -> memref<4xf32>
    %i1 = arith.addi %i, %c1 : index
    scf.yield %n, %i1 : memref<4xf32>, index
  }
  %x = memref.load %r#0[%c0] : memref<4xf32>
  %z = memref.load %q[%c0] : memref<4xf32>
  %h = arith.addf %z, %x : f32
  return %h : f32
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

//--- nested.mlir
// 3. The program replaces in each iteration the memref that a memref of memrefs holds, and frees the old one: it owns
// all memory that goes there.
// CHECK: 4, 5, 152, 0, 0
// CHECK-NEXT: 4, 5, 152, 0, 0
// UPSTREAM: error:
func.func @f(%c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f1 = arith.constant 1.0 : f32
  %bx = memref.alloc() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %f1, %a[%c0] : memref<4xf32>
  memref.store %a, %bx[%c0] : memref<2xmemref<4xf32>>
  scf.for %i = %c0 to %c3 step %c1 {
    %o = memref.load %bx[%c0] : memref<2xmemref<4xf32>>
    %x = memref.load %o[%c0] : memref<4xf32>
    %y = arith.addf %x, %f1 : f32
    %n = memref.alloc() : memref<4xf32>
    memref.store %y, %n[%c0] : memref<4xf32>
    memref.dealloc %o : memref<4xf32>
    memref.store %n, %bx[%c0] : memref<2xmemref<4xf32>>
  }
  %l = memref.load %bx[%c0] : memref<2xmemref<4xf32>>
  %x = memref.load %l[%c0] : memref<4xf32>
  memref.dealloc %l : memref<4xf32>
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
