// Programs with operations that upstream's pipeline refuses, or crashes on, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- affine_for.mlir
// 1. affine.for carries a buffer, of which the first is needed after it.
// CHECK: 2, 6, 192, 0, 0
// UPSTREAM: error: 'affine.for' op operand count
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = affine.for %i = 0 to 5 iter_args(%p = %a) -> (memref<16xf32>) {
    %q = memref.alloc() : memref<16xf32>
    memref.copy %p, %q : memref<16xf32> to memref<16xf32>
    affine.yield %q : memref<16xf32>
  }
  %y = call @first(%r) : (memref<16xf32>) -> f32
  %z = call @first(%a) : (memref<16xf32>) -> f32
  %s = arith.addf %y, %z : f32
  return %s : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- llvm_branch.mlir
// 2. A branch of the LLVM dialect.
// CHECK: 1, 1, 64, 0, 0
// CHECK-NEXT: 2, 1, 64, 0, 0
// UPSTREAM: error: BranchOpInterface operations with multiple successors are not supported yet
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  llvm.cond_br %c, ^one, ^other
^one:
  %y = call @first(%a) : (memref<16xf32>) -> f32
  return %y : f32
^other:
  return %two : f32
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

//--- unreachable.mlir
// 3. A path that ends in ub.unreachable.
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: error: ops with unknown memory side effects are not supported
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32, %c: i1) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  cf.cond_br %c, ^one, ^other
^one:
  %y = call @first(%a) : (memref<16xf32>) -> f32
  return %y : f32
^other:
  %z = call @first(%a) : (memref<16xf32>) -> f32
  ub.unreachable
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %true) : (f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- unknown_effects.mlir
// 4. An operation of unknown effects that touches no memref.
// CHECK: 1, 1, 64, 0, 0
// UPSTREAM: error: ops with unknown memory side effects are not supported
func.func private @first(%a: memref<16xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<16xf32>
  return %x : f32
}
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  llvm.fence seq_cst
  %y = call @first(%a) : (memref<16xf32>) -> f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- atomic.mlir
// 5. A region that touches no memref, of an operation without RegionBranchOpInterface.
// CHECK: 3, 1, 16, 0, 0
// UPSTREAM: error: All operations with attached regions need to implement the RegionBranchOpInterface.
func.func private @case(%x: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %a = memref.alloc() : memref<4xi32>
  linalg.fill ins(%two : i32) outs(%a : memref<4xi32>)
  %r = memref.generic_atomic_rmw %a[%c0] : memref<4xi32> {
  ^bb0(%o: i32):
    %n = arith.addi %o, %one : i32
    memref.atomic_yield %n : i32
  }
  %s = memref.load %a[%c0] : memref<4xi32>
  %y = arith.sitofp %s : i32 to f32
  return %y : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x) : (f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- reduction.mlir
// 6. Memrefs that a parallel loop reduces: each iteration adds to the previous result, in place, and into a new one.
// CHECK: 23, 16, 192, 0, 0
// UPSTREAM: {{error|crashes}}
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.reduce(%b : memref<16xf32>) {
    ^bb0(%l: memref<16xf32>, %m: memref<16xf32>):
      linalg.add ins(%l, %m : memref<16xf32>, memref<16xf32>) outs(%l : memref<16xf32>)
      scf.reduce.return %l : memref<16xf32>
    }
  }
  %y = memref.load %r[%c0] : memref<16xf32>
  %q:2 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x, %r) -> (f32, memref<16xf32>) {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    scf.reduce(%x, %b : f32, memref<16xf32>) {
    ^bb0(%l: f32, %m: f32):
      %s = arith.addf %l, %m : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%l: memref<16xf32>, %m: memref<16xf32>):
      %s = memref.alloc() : memref<16xf32>
      linalg.add ins(%l, %m : memref<16xf32>, memref<16xf32>) outs(%s : memref<16xf32>)
      scf.reduce.return %s : memref<16xf32>
    }
  }
  %z = memref.load %q#1[%c0] : memref<16xf32>
  %v = arith.addf %y, %z : f32
  %w = arith.addf %v, %q#0 : f32
  return %w : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
