// Views that start elsewhere than their memory: their base is passed along, so that upstream's lowering,
// which compares where data starts, is right, too. Passed to blocks and returned, executed.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// Upstream's lowering allocates the lists that it compares by on the heap, too.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- block.mlir
// 1. One of two views goes to a block; one of their possible bases is needed after it.
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

//--- rows.mlir
// 3. A view of bytes in rows, and what comes from where control never gets to.
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
// 4. Views of bytes of dynamic size, and an operand from an unreachable block.
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
