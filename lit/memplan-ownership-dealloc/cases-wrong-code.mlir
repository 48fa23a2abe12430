// Results of regions and pointers for which upstream's pipeline silently makes wrong code, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- if.mlir
// 1. The result of a branch is used in another block.
// CHECK: 1, 1, 64, 0, 0
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
// 2. The same of a loop, of which each iteration replaces its buffer, in one of two blocks.
// CHECK: 1, 6, 128, 0, 0
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
// 3. Upstream goes wrong on programs with no memref at all, too.
// CHECK: 5, 0, 0, 0, 0
// UPSTREAM: {{crashes|error}}
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
// 4. A buffer is used through a pointer, in another block.
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: nan
func.func private @use(%p: !llvm.ptr) -> f32 attributes {no_inline} {
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}

func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
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

//--- pointer_inside.mlir
// 5. The same inside of a branch, where no memref is.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 0, 1, 64, 0, 0
// UPSTREAM: {{.}}
func.func private @use(%p: !llvm.ptr) -> f32 attributes {no_inline} {
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}

func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %j = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = scf.if %c -> (f32) {
    %y = func.call @use(%p) : (!llvm.ptr) -> f32
    scf.yield %y : f32
  } else {
    scf.yield %z : f32
  }
  return %r : f32
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

//--- pointer_carried.mlir
// 6. A loop carries a buffer and its address, and replaces both.
// CHECK: 1, 6, 128, 0, 0
// CHECK-NEXT: 1, 1, 64, 0, 0
// UPSTREAM: {{nan|error|crashes}}
func.func private @use(%p: !llvm.ptr) -> f32 attributes {no_inline} {
  %x = llvm.load %p : !llvm.ptr -> f32
  return %x : f32
}

func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %i = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%m = %a, %s = %i) -> (memref<16xf32>, index) {
    %b = memref.alloc() : memref<16xf32>
    %j = arith.index_cast %s : index to i64
    %p = llvm.inttoptr %j : i64 to !llvm.ptr
    %y = func.call @use(%p) : (!llvm.ptr) -> f32
    linalg.fill ins(%y : f32) outs(%b : memref<16xf32>)
    %t = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
    scf.yield %b, %t : memref<16xf32>, index
  }
  %j = arith.index_cast %r#1 : index to i64
  %p = llvm.inttoptr %j : i64 to !llvm.ptr
  %y = call @use(%p) : (!llvm.ptr) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n5 = arith.constant 5 : index
  %n0 = arith.constant 0 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n5) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %n0) : (f32, index) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}
