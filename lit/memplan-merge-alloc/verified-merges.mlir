// Plans that need more than memplan-verify follows are not made.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc,memplan-verify)' | FileCheck %s

#map = affine_map<(d0) -> (d0)>
func.func private @use(memref<8xf32>)

// A copy back to a buffer that held something else before stays.
// CHECK-LABEL: func @copied_back
// CHECK:         linalg.generic
// CHECK:         memref.copy
// CHECK:         call @use
func.func @copied_back(%x: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %a : memref<8xf32> to memref<8xf32>
  call @use(%a) : (memref<8xf32>) -> ()
  return
}

// One value refers to two buffers, and is passed on in a body that runs in parallel: each has its place.
// CHECK-LABEL: func @passed_on_in_parallel
// CHECK:         memref.alloc() {{.*}}memplan.arena} : memref<96xi8>
func.func @passed_on_in_parallel(%c: i1, %n: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^one, ^other
^one:
  %a = memref.alloc() : memref<8xf32>
  cf.br ^both(%a : memref<8xf32>)
^other:
  %b = memref.alloc() : memref<8xf32>
  cf.br ^both(%b : memref<8xf32>)
^both(%either: memref<8xf32>):
  linalg.fill ins(%zero : f32) outs(%either : memref<8xf32>)
  scf.forall (%i) in (2) {
    %r = scf.for %k = %c0 to %n step %c1 iter_args(%held = %either) -> memref<8xf32> {
      func.call @use(%held) : (memref<8xf32>) -> ()
      scf.yield %either : memref<8xf32>
    }
  }
  return
}
