// Views that start after the start of their memory, executed: the memory is freed, through whatever values it passes.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- distinct.mlir
// 1. memref.distinct_objects returns its operands: by upstream's lowering, too, which compares where views start.
// CHECK: 8, 2, 80, 0, 0
// PASSES: convert-scf-to-cf,func.func(memplan-ownership-dealloc{placement=block-end}),canonicalize,memplan-simplify-dealloc,bufferization-lower-deallocations
// PASSES: memplan-dealloc-pipeline{placement=block-end}
// UPSTREAM: 8, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func @f(%c: i1, %n: index) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<64xi8>
    %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
    scf.yield %v : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<64xi8>
    %v = memref.view %b[%c32][] : memref<64xi8> to memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  linalg.fill ins(%f2 : f32) outs(%r : memref<4xf32>)
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f0 : f32) outs(%e : memref<4xf32>)
  %o, %d = memref.distinct_objects %e, %r : memref<4xf32>, memref<4xf32>
  %s, %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f0, %p = %r, %q = %d) -> (f32, memref<4xf32>, memref<4xf32>) {
    %v = memref.load %p[%c0] : memref<4xf32>
    %u = arith.addf %t, %v : f32
    scf.yield %u, %q, %q : f32, memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %x[%c0] : memref<4xf32>
  %w = memref.load %o[%c0] : memref<4xf32>
  %k = arith.addf %s, %v : f32
  %l = arith.addf %k, %w : f32
  return %l : f32
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %r = call @f(%true, %c3) : (i1, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- casts.mlir
// 2. A private function says whose memory it returns; a view of it that starts elsewhere is that memory, by upstream's
// lowering, too.
// CHECK: 14, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// PASSES: memplan-ownership-dealloc{private-function-dynamic-ownership},canonicalize,bufferization-lower-deallocations
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc{private-function-dynamic-ownership placement=block-end},buffer-deallocation-simplification,bufferization-lower-deallocations
// PASSES: memplan-dealloc-pipeline{private-function-dynamic-ownership}
// UPSTREAM: 2, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func private @pick(%a: memref<64xi8>, %b: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %c16 = arith.constant 16 : index
  %v = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  %r = arith.select %c, %v, %b : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @f(%c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%b : memref<4xf32>)
  %r = func.call @pick(%a, %b, %c) : (memref<64xi8>, memref<4xf32>, i1) -> memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%r : memref<4xf32>)
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%e : memref<4xf32>)
  %s, %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f0, %p = %r, %q = %e) -> (f32, memref<4xf32>, memref<4xf32>) {
    %v = memref.load %p[%c0] : memref<4xf32>
    %u = arith.addf %t, %v : f32
    %w = func.call @pick(%a, %q, %c) : (memref<64xi8>, memref<4xf32>, i1) -> memref<4xf32>
    %l = memref.load %w[%c0] : memref<4xf32>
    %m = arith.addf %u, %l : f32
    scf.yield %m, %w, %q : f32, memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %x[%c0] : memref<4xf32>
  %k = arith.addf %s, %v : f32
  return %k : f32
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %r = call @f(%true, %c3) : (i1, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- loaded.mlir
// 3. A loaded memref may be a view that starts elsewhere than the memory that has to be freed.
// CHECK: 8, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// PASSES: memplan-ownership-dealloc,canonicalize,bufferization-lower-deallocations
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-dealloc-pipeline
// UPSTREAM: 8, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func @f(%c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<64xi8>
  %g = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%g : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%b : memref<4xf32>)
  %nested = memref.alloca() : memref<memref<4xf32>>
  memref.store %b, %nested[] : memref<memref<4xf32>>
  scf.if %c {
    memref.store %g, %nested[] : memref<memref<4xf32>>
  }
  %r = memref.load %nested[] : memref<memref<4xf32>>
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%e : memref<4xf32>)
  %s, %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f0, %p = %r, %q = %e) -> (f32, memref<4xf32>, memref<4xf32>) {
    %v = memref.load %p[%c0] : memref<4xf32>
    %u = arith.addf %t, %v : f32
    %w = memref.alloc() : memref<4xf32>
    memref.copy %q, %w : memref<4xf32> to memref<4xf32>
    scf.yield %u, %q, %w : f32, memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %x[%c0] : memref<4xf32>
  %k = arith.addf %s, %v : f32
  return %k : f32
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %r = call @f(%true, %c3) : (i1, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- borrowed_argument.mlir
// 4. A private function returns an argument, always the same, and is given a view that starts elsewhere: what it
// returns goes through an argument of a block.
// CHECK: 8, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc,bufferization-lower-deallocations
// PASSES: memplan-dealloc-pipeline
// UPSTREAM: {{[0-9.]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func private @second(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> attributes {no_inline} {
  return %b : memref<4xf32>
}
func.func @f(%c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%e : memref<4xf32>)
  %a = memref.alloc() : memref<64xi8>
  %g = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%g : memref<4xf32>)
  %r = call @second(%e, %g) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %x = scf.if %c -> memref<4xf32> {
    scf.yield %r : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f2 : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f0) -> f32 {
    %v = memref.load %x[%c0] : memref<4xf32>
    %u = arith.addf %t, %v : f32
    scf.yield %u : f32
  }
  %v = memref.load %g[%c0] : memref<4xf32>
  %k = arith.addf %s, %v : f32
  return %k : f32
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %q = call @f(%false, %c3) : (i1, index) -> f32
  llvm.call @heap_start() : () -> ()
  %r = call @f(%true, %c3) : (i1, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}

//--- borrowed_arguments.mlir
// 5. The same with a function that returns one of two.
// CHECK: 8, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: memplan-ownership-dealloc{placement=block-end},bufferization-lower-deallocations
// PASSES: convert-scf-to-cf,memplan-ownership-dealloc,bufferization-lower-deallocations
// PASSES: memplan-dealloc-pipeline
// UPSTREAM: {{[0-9.]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}
func.func private @either(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> attributes {no_inline} {
  %r = arith.select %c, %a, %b : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @f(%c: i1, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %f0 = arith.constant 0.0 : f32
  %f2 = arith.constant 2.0 : f32
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%e : memref<4xf32>)
  %a = memref.alloc() : memref<64xi8>
  %g = memref.view %a[%c16][] : memref<64xi8> to memref<4xf32>
  linalg.fill ins(%f2 : f32) outs(%g : memref<4xf32>)
  %r = call @either(%c, %g, %e) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %x = scf.if %c -> memref<4xf32> {
    scf.yield %r : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f2 : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %f0) -> f32 {
    %v = memref.load %x[%c0] : memref<4xf32>
    %u = arith.addf %t, %v : f32
    scf.yield %u : f32
  }
  %v = memref.load %g[%c0] : memref<4xf32>
  %k = arith.addf %s, %v : f32
  return %k : f32
}
func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  llvm.call @heap_start() : () -> ()
  %r = call @f(%true, %c3) : (i1, index) -> f32
  call @heap_show(%r) : (f32) -> ()
  return
}
