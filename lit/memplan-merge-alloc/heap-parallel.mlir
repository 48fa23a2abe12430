// While parallel bodies hold memory of their own, an arena around them holds no more than what is needed then.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s

// CHECK-LABEL: func @around
// CHECK:         memref.alloc() {{.*}}memplan.arena{{.*}} : memref<64xi8>
// CHECK:         scf.parallel
// CHECK:           memref.alloc() {{.*}}memplan.arena{{.*}} : memref<4096xi8>
// CHECK:         scf.reduce
// CHECK:         memref.alloc() {{.*}}memplan.arena{{.*}} : memref<4096xi8>
func.func @around(%x: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<16xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<16xf32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<1024xf32>
    %f = memref.load %s[%c0] : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<1024xf32>)
    %r = memref.load %a[%i] : memref<1024xf32>
    memref.store %r, %x[%i] : memref<1024xf32>
    scf.reduce
  }
  %b = memref.alloc() : memref<1024xf32>
  linalg.transpose ins(%x : memref<1024xf32>) outs(%b : memref<1024xf32>) permutation = [0]
  linalg.transpose ins(%b : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
  return
}
