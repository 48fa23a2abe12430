// Arenas of dynamic size beside one of static size that has slices of all iterations.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{hoist-parallel=4 verify})' | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: memplan.arena} : memref<?xi8>
// CHECK: memplan.arena} : memref<?xi8>
// CHECK: memplan.arena} : memref<256xi8>
// CHECK: scf.parallel
// CHECK: memref.view {{.*}}memplan.iterations{{.*}} : memref<256xi8>
func.func @f(%x: memref<?x8xf32>, %y: memref<4xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x8x8xf32>)
  %c = memref.alloc(%n) : memref<?x8xf32>
  linalg.reduce ins(%a : memref<?x8x8xf32>) outs(%c : memref<?x8xf32>) dimensions = [2]
    (%in: f32, %out: f32) { linalg.yield %in : f32 }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = memref.alloc() : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<4xf32>)
    %v = memref.load %s[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
    scf.reduce
  }
  %r = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%c : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}
