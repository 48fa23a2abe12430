// Programs whose operations have another order, executed.
// Each line: what was computed, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was
// read.
// RUN: split-file %s %t
// RUN: bash %S/../memplan-ownership-dealloc/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- sums.mlir
// 1. Sums of what is filled from memory that is written between them: 64 * 3 + 64 * 5, and what was there before.
// PASSES: memplan-reorder,memplan
// PASSES: memplan-reorder,memplan-ownership-dealloc,canonicalize,memplan-simplify-dealloc,memplan-lower-dealloc
// CHECK: 512, {{.*}}, 0, 0
// UPSTREAM: 512, {{.*}}, 0, 0
#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>
func.func private @case(%x: f32, %y: f32) -> f32 attributes {no_inline} {
  %zero = arith.constant 0.0 : f32
  %in = memref.alloc() : memref<64xf32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%s : memref<f32>)
  linalg.fill ins(%x : f32) outs(%in : memref<64xf32>)
  memref.copy %in, %a : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%y : f32) outs(%in : memref<64xf32>)
  memref.copy %in, %b : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%s : memref<f32>) {
  ^bb0(%e: f32, %o: f32):
    %t = arith.addf %e, %o : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%b : memref<64xf32>) outs(%s : memref<f32>) {
  ^bb0(%e: f32, %o: f32):
    %t = arith.addf %e, %o : f32
    linalg.yield %t : f32
  }
  %r = memref.load %s[] : memref<f32>
  return %r : f32
}
func.func @main() {
  %x = arith.constant 3.0 : f32
  %y = arith.constant 5.0 : f32
  llvm.call @heap_start() : () -> ()
  %1 = call @case(%x, %y) : (f32, f32) -> f32
  call @heap_show(%1) : (f32) -> ()
  return
}
