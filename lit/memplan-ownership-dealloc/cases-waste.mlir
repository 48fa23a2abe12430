// Programs for which upstream's pipeline makes more allocations, or holds more at once, executed.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- forwarded_if.mlir
// 1. The result of a branch forwards an outer buffer: no copy is made of what is returned.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 1, 2, 128, 0, 0
// UPSTREAM: 1, 7, 157, 0, 0
// UPSTREAM-NEXT: 1, 7, 157, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @make(%x: f32, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %r = call @make(%x, %c) : (f32, i1) -> memref<16xf32>
  %y = call @first(%r) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %false) : (f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- forwarded_for.mlir
// 2. The same of a loop.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 1, 4, 128, 0, 0
// UPSTREAM: 1, 7, 157, 0, 0
// UPSTREAM-NEXT: 1, 9, 192, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @make(%x: f32, %n: index) -> memref<16xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    memref.copy %p, %q : memref<16xf32> to memref<16xf32>
    scf.yield %q : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %r = call @make(%x, %n) : (f32, index) -> memref<16xf32>
  %y = call @first(%r) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n0 = arith.constant 0 : index
  %n3 = arith.constant 3 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n0) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %n3) : (f32, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- swap.mlir
// 3. Buffers that a loop swaps: no clone, whatever the number of iterations.
// CHECK: 2, 2, 128, 0, 0
// UPSTREAM: 2, 507, 168, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<16xf32>, memref<16xf32>) {
    memref.copy %p, %q : memref<16xf32> to memref<16xf32>
    scf.yield %q, %p : memref<16xf32>, memref<16xf32>
  }
  %y = call @first(%r#0) : (memref<16xf32>) -> f32
  %z = call @first(%r#1) : (memref<16xf32>) -> f32
  %s = arith.addf %y, %z : f32
  return %s : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n100 = arith.constant 100 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n100) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- chain.mlir
// 4. A chain of buffers: two at a time, and not all at the end.
// CHECK: 1, 4, 128, 0, 0
// UPSTREAM: 1, 4, 256, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  memref.copy %c, %d : memref<16xf32> to memref<16xf32>
  %y = call @first(%d) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- before_loop.mlir
// 5. A buffer with its last use before a loop is freed there; one that only an iteration uses is freed in the
// iteration.
// CHECK: 4, 5, 128, 0, 0
// UPSTREAM: 4, 5, 192, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (f32) {
    %q = memref.alloc() : memref<16xf32>
    memref.copy %b, %q : memref<16xf32> to memref<16xf32>
    %y = func.call @first(%q) : (memref<16xf32>) -> f32
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  %y = call @first(%b) : (memref<16xf32>) -> f32
  %t = arith.addf %r, %y : f32
  return %t : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n3 = arith.constant 3 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n3) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
