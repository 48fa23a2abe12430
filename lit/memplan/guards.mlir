// Passes that rewrite before the plan count bytes as the plan does, whatever its options are: they never make it
// larger.

// 1. Nothing in place: %k1 and %k2 are live with %b then, if that is allocated as early as %a.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{in-place=false results=off})' \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off})' | FileCheck %s --check-prefix=IN-PLACE
// APART-LABEL:    func @in_place
// APART:            memplan.arena} : memref<448xi8>
// APART:            memref.copy %{{.*}}, %{{.*}} : memref<48xf32> to memref<48xf32, strided<[1], offset: 1>>
// IN-PLACE-LABEL: func @in_place
// IN-PLACE:         memplan.arena} : memref<384xi8>
// IN-PLACE-NOT:     memref.copy %{{.*}} to memref<48xf32, strided<[1], offset: 1>>
func.func @in_place(%x: memref<48xf32>, %w: memref<32xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<48xf32>
  linalg.exp ins(%x : memref<48xf32>) outs(%a : memref<48xf32>)
  %k1 = memref.alloc() : memref<32xf32>
  linalg.exp ins(%w : memref<32xf32>) outs(%k1 : memref<32xf32>)
  %k2 = memref.alloc() : memref<32xf32>
  linalg.exp ins(%k1 : memref<32xf32>) outs(%k2 : memref<32xf32>)
  memref.copy %k2, %w : memref<32xf32> to memref<32xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  %part = memref.subview %b[1] [48] [1] : memref<64xf32> to memref<48xf32, strided<[1], offset: 1>>
  memref.copy %a, %part : memref<48xf32> to memref<48xf32, strided<[1], offset: 1>>
  linalg.add ins(%b, %y : memref<64xf32>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// 2. Of 64 bytes each, three small buffers are as much as three large ones; of their own sizes, they are next to
// nothing, and stay live in place of these.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{alignment=1 results=off})' \
// RUN:   | FileCheck %s --check-prefix=PACKED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{alignment=1 results=off elide=none reorder=none})' \
// RUN:   | FileCheck %s --check-prefix=AS-GIVEN
// PACKED-LABEL:   func @small
// PACKED:           memplan.arena} : memref<80xi8>
// AS-GIVEN-LABEL: func @small
// AS-GIVEN:         memplan.arena} : memref<88xi8>
#id = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (0)>
func.func @small(%y: memref<16xf32>, %z: memref<1xf32>) {
  %a0 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%a0 : memref<1xf32>)
  %j0 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%j0 : memref<1xf32>)
  %a1 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%a1 : memref<1xf32>)
  %j1 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%j1 : memref<1xf32>)
  %a2 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%a2 : memref<1xf32>)
  %j2 = memref.alloc() : memref<1xf32>
  linalg.exp ins(%z : memref<1xf32>) outs(%j2 : memref<1xf32>)
  %k0 = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#first, #first, #id], iterator_types = ["parallel"]} ins(%a0, %j0 : memref<1xf32>, memref<1xf32>) outs(%k0 : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
  linalg.add ins(%k0, %y : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  %k1 = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#first, #first, #id], iterator_types = ["parallel"]} ins(%a1, %j1 : memref<1xf32>, memref<1xf32>) outs(%k1 : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
  linalg.add ins(%k1, %y : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  %k2 = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#first, #first, #id], iterator_types = ["parallel"]} ins(%a2, %j2 : memref<1xf32>, memref<1xf32>) outs(%k2 : memref<16xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }
  linalg.add ins(%k2, %y : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
