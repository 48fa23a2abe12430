// Views that start behind the start of their memory, executed: what is freed is the memory, whatever it goes through.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- distinct.mlir
// 1. What memref.distinct_objects gives is what it is given: by upstream's lowering, too, which compares where views start.
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
