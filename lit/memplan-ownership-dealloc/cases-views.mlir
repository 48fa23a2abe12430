// Views that start elsewhere than what they are views of, through arguments, results and selects: what they are views
// of goes with them, so that upstream's lowering, which compares where data starts, is right too. Executed.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// Upstream's lowering allocates what it compares by on the heap, too.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- block.mlir
// 1. One of two views goes to a block; one of what they may be views of is needed behind it.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end private-function-dynamic-ownership},memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: lower-affine,convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 2, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// CHECK-NEXT: 3, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{[0-9]+, [0-9]+, [0-9]+, 0, 0}}
func.func private @case(%x: f32, %y: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %w = memref.view %b[%c64][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%w : memref<16xf32>)
  cf.cond_br %c, ^bb1(%v : memref<16xf32>), ^bb1(%w : memref<16xf32>)
^bb1(%p: memref<16xf32>):
  %s = memref.load %p[%c0] : memref<16xf32>
  cf.br ^bb2
^bb2:
  %t = memref.load %v[%c0] : memref<16xf32>
  %u = arith.addf %s, %t : f32
  return %u : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %true) : (f32, f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  %2 = call @case(%x, %y, %false) : (f32, f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- returned.mlir
// 2. Bytes, and memory that is no view of any: one of them is returned.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end private-function-dynamic-ownership},memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: lower-affine,convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 1, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// CHECK-NEXT: 2, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{nan}}
func.func private @make(%x: f32, %y: f32, %c: i1) -> memref<16xf32> attributes {no_inline} {
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<192xi8>
  %b = memref.alloc() : memref<16xf32>
  %v = memref.view %a[%c64][] : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<16xf32>)
  %r = scf.if %c -> memref<16xf32> {
    scf.yield %v : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  %s = arith.select %c, %r, %b : memref<16xf32>
  return %s : memref<16xf32>
}
func.func private @case(%x: f32, %y: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %p = call @make(%x, %y, %c) : (f32, f32, i1) -> memref<16xf32>
  %r = memref.load %p[%c0] : memref<16xf32>
  return %r : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %true) : (f32, f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  %2 = call @case(%x, %y, %false) : (f32, f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- loop.mlir
// 3. A loop that replaces a view by one of new memory where a condition holds; the first one is needed behind it.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end private-function-dynamic-ownership},memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: lower-affine,convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 6, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: 6, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @case(%x: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %v) -> (memref<16xf32>) {
    %odd = arith.remui %i, %c2 : index
    %c = arith.cmpi eq, %odd, %c1 : index
    %q = scf.if %c -> memref<16xf32> {
      %b = memref.alloc() : memref<128xi8>
      %w = memref.view %b[%c64][] : memref<128xi8> to memref<16xf32>
      %o = memref.load %p[%c0] : memref<16xf32>
      %s = arith.addf %o, %x : f32
      linalg.fill ins(%s : f32) outs(%w : memref<16xf32>)
      scf.yield %w : memref<16xf32>
    } else {
      scf.yield %p : memref<16xf32>
    }
    scf.yield %q : memref<16xf32>
  }
  %s = memref.load %r[%c0] : memref<16xf32>
  %t = memref.load %v[%c0] : memref<16xf32>
  %u = arith.addf %s, %t : f32
  %w = arith.addf %u, %u : f32
  %h = arith.constant 2.0 : f32
  %z = arith.subf %w, %h : f32
  return %z : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %n) : (f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- while.mlir
// 4. Two views that a loop swaps, of different elements, and one of them behind it.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end private-function-dynamic-ownership},memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: lower-affine,convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 1, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: 1, {{[0-9]+, [0-9]+}}, 0, 0
func.func private @case(%x: f32, %y: f32, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<192xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %w = memref.view %b[%c64][] : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%w : memref<16xf32>)
  %r:3 = scf.while (%p = %v, %q = %w, %i = %c0) : (memref<16xf32>, memref<16xf32>, index) -> (memref<16xf32>, memref<16xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %p, %q, %i : memref<16xf32>, memref<16xf32>, index
  } do {
  ^bb0(%p: memref<16xf32>, %q: memref<16xf32>, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %q, %p, %next : memref<16xf32>, memref<16xf32>, index
  }
  cf.br ^bb1
^bb1:
  %s = memref.load %r#0[%c0] : memref<16xf32>
  cf.br ^bb2
^bb2:
  %t = memref.load %v[%c0] : memref<16xf32>
  %u = arith.subf %s, %t : f32
  return %u : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %n = arith.constant 3 : index
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %n) : (f32, f32, index) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- switch.mlir
// 5. One of three by a switch between regions, in a branch of a loop over affine bounds.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end private-function-dynamic-ownership},memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: lower-affine,convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 11, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{error: 'affine.for' op operand count}}
func.func private @case(%x: f32, %y: f32) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<128xi8>
  %b = memref.alloc() : memref<128xi8>
  %d = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c64][] : memref<128xi8> to memref<16xf32>
  %w = memref.view %b[%c64][] : memref<128xi8> to memref<16xf32>
  %z = memref.view %d[%c0][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%w : memref<16xf32>)
  linalg.fill ins(%y : f32) outs(%z : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 4 iter_args(%p = %v, %sum = %x) -> (memref<16xf32>, f32) {
    %e = memref.load %p[%c0] : memref<16xf32>
    %f = arith.addf %e, %sum : f32
    %q = scf.index_switch %i -> memref<16xf32>
    case 0 {
      scf.yield %w : memref<16xf32>
    }
    case 1 {
      scf.yield %p : memref<16xf32>
    }
    default {
      %g = scf.execute_region -> memref<16xf32> {
        scf.yield %z : memref<16xf32>
      }
      scf.yield %g : memref<16xf32>
    }
    affine.yield %q, %f : memref<16xf32>, f32
  }
  %s = memref.load %r#0[%c0] : memref<16xf32>
  %t = memref.load %w[%c0] : memref<16xf32>
  %u = arith.addf %s, %t : f32
  %o = arith.subf %u, %x : f32
  %h = arith.addf %o, %r#1 : f32
  return %h : f32
}
func.func @main() {
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y) : (f32, f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}

//--- rows.mlir
// 6. A view of bytes in rows, and what comes from where control never gets to.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 2, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// CHECK: 3, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @case(%x: f32, %y: f32, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<4x16xi8>
  %row = memref.collapse_shape %a [[0, 1]] : memref<4x16xi8> into memref<64xi8>
  %v = memref.view %row[%c16][] : memref<64xi8> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<4xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<4xf32>)
  cf.cond_br %c, ^join(%v : memref<4xf32>), ^join(%b : memref<4xf32>)
^never:
  %n = memref.alloc() : memref<8xf64>
  %m = memref.view %row[%c16][] : memref<64xi8> to memref<4xf32>
  %s = arith.select %c, %t, %m : memref<4xf32>
  %t = arith.select %c, %s, %v : memref<4xf32>
  cf.br ^join(%t : memref<4xf32>)
^join(%j: memref<4xf32>):
  %w = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %j) -> memref<4xf32> {
    scf.yield %p : memref<4xf32>
  }
  %r = memref.load %w[%c0] : memref<4xf32>
  return %r : f32
}
func.func @main() {
  %x = arith.constant 2.0 : f32
  %y = arith.constant 3.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %t) : (f32, f32, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %y, %f) : (f32, f32, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}

//--- never.mlir
// 7. Views of bytes of sizes that only the run knows, and what comes from where control never gets to.
// PASSES: memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-ownership-dealloc{placement=block-end},buffer-deallocation-simplification,bufferization-lower-deallocations,cse
// PASSES: memplan-dealloc-pipeline
// CHECK: 2, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// CHECK: 3, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}
func.func private @case(%x: f32, %y: f32, %n: index, %c: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc(%n) : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  %v = memref.view %a[%c16][] : memref<?xi8> to memref<4xf32>
  %w = memref.view %b[%c16][] : memref<?xi8> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<4xf32>)
  linalg.fill ins(%y : f32) outs(%w : memref<4xf32>)
  cf.cond_br %c, ^join(%v : memref<4xf32>), ^join(%w : memref<4xf32>)
^never:
  cf.br ^join(%v : memref<4xf32>)
^join(%j: memref<4xf32>):
  %r = memref.load %j[%c0] : memref<4xf32>
  return %r : f32
}
func.func @main() {
  %x = arith.constant 2.0 : f32
  %y = arith.constant 3.0 : f32
  %n = arith.constant 64 : index
  %t = arith.constant true
  %f = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y, %n, %t) : (f32, f32, index, i1) -> f32
  call @heap_show(%1) : (f32) -> ()
  llvm.call @heap_start() : () -> ()
  %2 = call @case(%x, %y, %n, %f) : (f32, f32, index, i1) -> f32
  call @heap_show(%2) : (f32) -> ()
  return
}
