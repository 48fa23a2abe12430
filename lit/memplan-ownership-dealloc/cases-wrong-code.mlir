// Programs of which upstream's pipeline makes code that is silently wrong, executed.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- if.mlir
// 1. The result of a branch is used in another block.
// CHECK:    1, 1, 64, 0, 0
// UPSTREAM: {{nan|crashes}}
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> (memref<16xf32>) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  cf.cond_br %c, ^next, ^other
^next:
  %y = call @first(%r) : (memref<16xf32>) -> f32
  return %y : f32
^other:
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- for.mlir
// 1. The same of a loop, of which each turn replaces its buffer, in one of two blocks.
// CHECK:    1, 6, 128, 0, 0
// UPSTREAM: {{nan|crashes}}
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
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    memref.copy %p, %q : memref<16xf32> to memref<16xf32>
    scf.yield %q : memref<16xf32>
  }
  %c = arith.cmpi sgt, %n, %c0 : index
  cf.cond_br %c, ^next, ^other
^next:
  %y = call @first(%r) : (memref<16xf32>) -> f32
  return %y : f32
^other:
  return %x : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n5) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- scalar.mlir
// 1. The compiler crashes on, or miscompiles, programs with no memref that matters to the loop, too.
// CHECK:    5, 0, 0, 0, 0
// UPSTREAM: {{.}}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %z) -> (f32) {
    %q = arith.addf %p, %x : f32
    scf.yield %q : f32
  }
  %c = arith.cmpf ogt, %x, %z : f32
  cf.cond_br %c, ^next, ^other
^next:
  return %r : f32
^other:
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n5) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- pointer.mlir
// 7. A buffer is used through a pointer.
// CHECK:    1, 1, 64, 0, 0
// UPSTREAM: {{.}}
func.func private @use(%p: !llvm.ptr) -> f32 attributes {no_inline} {
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %z = arith.constant 0.0 : f32
  %c = arith.cmpf ogt, %x, %z : f32
  cf.cond_br %c, ^next, ^other
^next:
  %y = call @use(%p) : (!llvm.ptr) -> f32
  return %y : f32
^other:
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
