// Bounds that follow from constants.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-check-bounded{remarks=true})' --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-expand-loops)' | FileCheck %s

// CHECK-LABEL: @folded
// CHECK-NOT: scf.for
// CHECK: return
memref.global "private" constant @sizes : memref<2x2xindex> = dense<[[3, 4], [5, 6]]>
memref.global "private" constant @small : memref<2xi8> = dense<[7, -1]>
// 1. Arithmetic that MLIR folds, constant globals, sizes from types, and values that are the same for every %x.
// expected-remark @+1 {{bounded: paths: 1, operations: 55, with loops expanded: 37, as a tree: 37}}
func.func @folded(%x: index, %m: memref<9xf32>, %d: memref<?xf32>, %v: memref<4x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  %a0 = arith.minui %c7, %c10 : index
  %a1 = arith.minsi %a0, %c10 : index
  %a2 = arith.maxui %a1, %c2 : index
  %a3 = arith.maxsi %a2, %c2 : index
  %a4 = arith.ceildivsi %a3, %c2 : index
  %a5 = arith.ceildivui %c10, %a4 : index
  %a6 = arith.floordivsi %c10, %a5 : index
  %a7 = arith.shli %a6, %c1 : index
  %a8 = arith.shrui %a7, %c1 : index
  %a9 = arith.divui %c10, %a8 : index
  %b0 = arith.remui %a9, %c7 : index
  %b1 = arith.andi %b0, %c7 : index
  %t = arith.constant true
  %b2 = arith.select %t, %b1, %x : index
  %b3 = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0 * 2)>(%b2)[%c10]
  %b4 = affine.max affine_map<(d0) -> (d0, 2)>(%b3)
  %b5 = affine.apply affine_map<(d0) -> (d0 floordiv 2 + 2)>(%b4)
  %b6 = index.add %b5, %c1
  %b7 = index.maxs %b6, %c1
  // expected-remark @+1 {{5 iterations [memplan-R601]}}
  scf.for %i = %c0 to %b7 step %c1 { }
  %g = memref.get_global @sizes : memref<2x2xindex>
  %l = memref.load %g[%c1, %c0] : memref<2x2xindex>
  // expected-remark @+1 {{5 iterations [memplan-R601]}}
  scf.for %i = %c0 to %l step %c1 { }
  %n = memref.dim %m, %c0 : memref<9xf32>
  // expected-remark @+1 {{9 iterations}}
  scf.for %i = %c0 to %n step %c1 { }
  %n2 = memref.dim %v, %c0 : memref<4x?xf32>
  // expected-remark @+1 {{4 iterations}}
  scf.for %i = %c0 to %n2 step %c1 { }
  %vec = arith.constant dense<[2, 8, 4]> : vector<3xindex>
  %e = vector.extract %vec[1] : index from vector<3xindex>
  // expected-remark @+1 {{8 iterations}}
  scf.for %i = %c0 to %e step %c1 { }
  %z = arith.muli %x, %c0 : index
  // expected-remark @+1 {{2 iterations}}
  scf.for %i = %z to %c2 step %c1 { }
  %z1 = arith.muli %c0, %x : index
  // expected-remark @+1 {{2 iterations}}
  scf.for %i = %z1 to %c2 step %c1 { }
  %s = arith.subi %x, %x : index
  // expected-remark @+1 {{2 iterations}}
  scf.for %i = %s to %c2 step %c1 { }
  %gs = memref.get_global @small : memref<2xi8>
  %ls = memref.load %gs[%c0] : memref<2xi8>
  %li = arith.index_cast %ls : i8 to index
  // expected-remark @+1 {{7 iterations}}
  scf.for %i = %c0 to %li step %c1 { }
  return
}
