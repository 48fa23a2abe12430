// Callees that free an argument or return the same memory twice, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- indirect.mlir
// 1. The callee is chosen at run time, and frees its argument.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 1, 1, 64, 0, 0
// UPSTREAM: {{error}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @frees(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %y = call @first(%a) : (memref<16xf32>) -> f32
  memref.dealloc %a : memref<16xf32>
  return %y : f32
}
func.func private @frees2(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %y = call @first(%a) : (memref<16xf32>) -> f32
  memref.dealloc %a : memref<16xf32>
  return %y : f32
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %f = func.constant @frees : (memref<16xf32>) -> f32
  %g = func.constant @frees2 : (memref<16xf32>) -> f32
  %h = arith.select %c, %f, %g : (memref<16xf32>) -> f32
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  %y = func.call_indirect %h(%a) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- own-nested.mlir
// 2. A callee frees its argument through memory of its own.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 1, 1, 64, 0, 0
// UPSTREAM: {{error}}
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @frees(%a: memref<16xf32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1xmemref<16xf32>>
  memref.store %a, %m[%c0] : memref<1xmemref<16xf32>>
  %b = memref.load %m[%c0] : memref<1xmemref<16xf32>>
  memref.dealloc %b : memref<16xf32>
  return
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  call @frees(%a) : (memref<16xf32>) -> ()
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- some-paths.mlir
// 3. A callee frees its argument on some paths, and memory of its own on others.
// CHECK: 1, 2, 128, 64, 0
// CHECK-NEXT: 1, 1, 64, 0, 0
// UPSTREAM: {{error}}
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func private @maybe(%c: i1, %a: memref<16xf32>, %x: f32) attributes {no_inline} {
  cf.cond_br %c, ^own, ^exit(%a : memref<16xf32>)
^own:
  %b = memref.alloc() : memref<16xf32>
  call @fill(%b, %x) : (memref<16xf32>, f32) -> ()
  cf.br ^exit(%b : memref<16xf32>)
^exit(%p: memref<16xf32>):
  memref.dealloc %p : memref<16xf32>
  return
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  call @maybe(%c, %a, %x) : (i1, memref<16xf32>, f32) -> ()
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- returned.mlir
// 4. Two results that may be the same memory, of which the function owns all: no copy.
// CHECK: 9, 2, 128, 0, 0
// CHECK-NEXT: 1, 2, 128, 0, 0
// UPSTREAM: 9, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @fill(%a: memref<16xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func @two(%x: f32, %c: i1) -> (memref<16xf32>, memref<16xf32>) attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  call @fill(%a, %x) : (memref<16xf32>, f32) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @fill(%b, %x) : (memref<16xf32>, f32) -> ()
  %s = arith.select %c, %a, %b : memref<16xf32>
  return %a, %s : memref<16xf32>, memref<16xf32>
}
func.func private @case(%x: f32, %c: i1, %n: index) -> f32 attributes {no_inline} {
  %r:2 = call @two(%x, %c) : (f32, i1) -> (memref<16xf32>, memref<16xf32>)
  %nine = arith.constant 9.0 : f32
  call @fill(%r#0, %nine) : (memref<16xf32>, f32) -> ()
  %z = call @first(%r#1) : (memref<16xf32>) -> f32
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %t, %n5) : (f32, i1, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %f, %n0) : (f32, i1, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}
