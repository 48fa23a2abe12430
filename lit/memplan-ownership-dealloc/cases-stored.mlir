// Stored memrefs for which upstream's pipeline silently makes wrong code, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- stored.mlir
// 1. A buffer is stored in memory, and used by what is loaded from there.
// CHECK: 1, 2, {{[0-9]+}}, 0, 0
// UPSTREAM: {{nan|crashes}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = memref.alloc() : memref<2xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  memref.store %a, %c[%c0] : memref<2xmemref<16xf32>>
  %k = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %k, ^next, ^other
^other:
  return %x : f32
^next:
  %l = memref.load %c[%c0] : memref<2xmemref<16xf32>>
  %y = call @first(%l) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- stored_swapped.mlir
// 2. A loop swaps stored memrefs; its result is passed to the caller.
// CHECK: 1, 3, {{[0-9]+}}, 0, 0
// UPSTREAM: 1, 3, 248, 0, 0
func.func private @swapped(%x: f32, %n: index) -> memref<16xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<2xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  memref.store %a, %c[%c0] : memref<2xmemref<16xf32>>
  memref.store %b, %c[%c1] : memref<2xmemref<16xf32>>
  scf.for %i = %c0 to %n step %c1 {
    %o = memref.load %c[%c0] : memref<2xmemref<16xf32>>
    %p = memref.load %c[%c1] : memref<2xmemref<16xf32>>
    memref.store %o, %c[%c1] : memref<2xmemref<16xf32>>
    memref.store %p, %c[%c0] : memref<2xmemref<16xf32>>
  }
  %l = memref.load %c[%c0] : memref<2xmemref<16xf32>>
  return %l : memref<16xf32>
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %m = call @swapped(%x, %n) : (f32, index) -> memref<16xf32>
  %y = memref.load %m[%c0] : memref<16xf32>
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- stored_carried.mlir
// 3. A loop carries the memory that a buffer is stored in, and allocates both again: a memref that one iteration
// stores is loaded in the next one,
//    and not followed there.
// CHECK: 1, 12, {{[0-9]+}}, 320, 0
// UPSTREAM: {{nan|crashes}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = memref.alloc() : memref<1xmemref<16xf32>>
  %a0 = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a0 : memref<16xf32>)
  memref.store %a0, %k0[%c0] : memref<1xmemref<16xf32>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %k0, %f = %x) -> (memref<1xmemref<16xf32>>, f32) {
    %v = memref.load %p[%c0] : memref<1xmemref<16xf32>>
    %k = memref.alloc() : memref<1xmemref<16xf32>>
    %a = memref.alloc() : memref<16xf32>
    memref.copy %v, %a : memref<16xf32> to memref<16xf32>
    %g = func.call @first(%v) : (memref<16xf32>) -> f32
    memref.store %a, %k[%c0] : memref<1xmemref<16xf32>>
    scf.yield %k, %g : memref<1xmemref<16xf32>>, f32
  }
  return %r#1 : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- stored_moved.mlir
// 4. A memref that is stored in one of two is moved to the other one: it is not followed, and not freed.
// CHECK: 2, 4, {{[0-9]+}}, 128, 0
// UPSTREAM: {{.*}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi sgt, %n, %c0 : index
  %y = arith.addf %x, %x : f32
  %k = memref.alloc() : memref<1xmemref<16xf32>>
  %l = memref.alloc() : memref<1xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<16xf32>)
  memref.store %a, %k[%c0] : memref<1xmemref<16xf32>>
  memref.store %a, %l[%c0] : memref<1xmemref<16xf32>>
  memref.store %b, %k[%c0] : memref<1xmemref<16xf32>>
  %s = arith.select %c, %k, %l : memref<1xmemref<16xf32>>
  %t = arith.select %c, %l, %k : memref<1xmemref<16xf32>>
  scf.if %c {
    %v = memref.load %s[%c0] : memref<1xmemref<16xf32>>
    memref.store %v, %t[%c0] : memref<1xmemref<16xf32>>
  }
  %w = memref.load %l[%c0] : memref<1xmemref<16xf32>>
  %r = call @first(%w) : (memref<16xf32>) -> f32
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- stored_by_callee.mlir
// 5. A callee may store what it is given in memory that it is given.
// CHECK: 1, 2, {{[0-9]+}}, 64, 0
// UPSTREAM: {{.*}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @put(%k: memref<1xmemref<16xf32>>, %a: memref<16xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  memref.store %a, %k[%c0] : memref<1xmemref<16xf32>>
  return
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %k = memref.alloc() : memref<1xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  call @put(%k, %a) : (memref<1xmemref<16xf32>>, memref<16xf32>) -> ()
  %w = memref.load %k[%c0] : memref<1xmemref<16xf32>>
  %r = call @first(%w) : (memref<16xf32>) -> f32
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
