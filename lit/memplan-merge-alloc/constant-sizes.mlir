// Sizes that are operands with constant values: memplan-verify knows where such buffers end.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s

// 1. After buffers that rotate, which have a static part.
// CHECK-LABEL: func @rotating(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:         memref.view %[[ARENA]]{{.*}} memplan.slots = array<i64: 0, 64>}
func.func @rotating(%n: index, %x: f32, %out: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%c3) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %b) -> memref<8xf32> {
    %q = memref.alloc() : memref<8xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (7 - d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%p : memref<8xf32>) outs(%q : memref<8xf32>) {
    ^bb0(%u: f32, %v: f32):
      linalg.yield %u : f32
    }
    scf.yield %q : memref<8xf32>
  }
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  %s = memref.load %a[%c0] : memref<?xf32>
  return %s : f32
}
