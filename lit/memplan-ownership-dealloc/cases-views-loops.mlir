// Views that start elsewhere than their memory: their base is passed along, so that upstream's lowering,
// which compares where data starts, is right, too. Passed around loops, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// Upstream's lowering allocates the lists that it compares by on the heap, too.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- loop.mlir
// 1. A loop that replaces a view by one of new memory where a condition holds; the first one is needed after it.
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
// 2. Two views that a loop swaps, of different elements, and one of them is used after it.
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
// 3. One of three by a switch between regions, in a branch of a loop over affine bounds.
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
