// An operation that computes into a part of another buffer moves before an assertion only if it cannot trap:
// divisions by constants.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// 1. By constants, and what never traps.
// CHECK-LABEL: func @constants(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK-NOT:  memref.copy %{{.*}} strided
// CHECK:      return
func.func @constants(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is not zero"
  %p = memref.alloc() : memref<8xindex>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : memref<8xindex>) {
  ^bb0(%o: index):
    %three = arith.constant 3 : index
    %r0 = arith.remsi %s, %three : index
    %r1 = index.floordivs %r0, %three
    %r2 = affine.apply affine_map<(d0) -> (d0 floordiv 2 + d0 mod 5)>(%r1)
    %r3:2 = affine.delinearize_index %r2 into (3, 5) : index, index
    %q = affine.linearize_index [%r3#0, %r3#1] by (3, 5) : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @places(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK-NOT:  memref.copy %{{.*}} strided
// CHECK:      return
func.func @places(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is not zero"
  %p = memref.alloc() : memref<8xindex>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : memref<8xindex>) {
  ^bb0(%o: index):
    %z = linalg.index 0 : index
    %f = arith.index_cast %z : index to i64
    %g = arith.sitofp %f : i64 to f64
    %h = math.sqrt %g : f64
    %k = complex.create %h, %g : complex<f64>
    %l = complex.abs %k : complex<f64>
    %v = vector.broadcast %l : f64 to vector<2xf64>
    %m = vector.extract %v[1] : f64 from vector<2xf64>
    %n = arith.fptosi %m : f64 to i64
    %q = arith.index_cast %n : i64 to index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// 2. By -1, which the least number overflows for.
// CHECK-LABEL: func @minus_one(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @minus_one(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is not zero"
  %p = memref.alloc() : memref<8xindex>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : memref<8xindex>) {
  ^bb0(%o: index):
    %m = arith.constant -1 : index
    %q = arith.floordivsi %s, %m : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}
