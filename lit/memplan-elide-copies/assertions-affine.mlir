// An operation that computes into a part of another buffer moves before an assertion only if it cannot trap:
// affine maps, and operations that divide when they are lowered.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// 1. Affine maps that divide, and operations that divide when they are lowered.
// CHECK-LABEL: func @affine_floordiv(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @affine_floordiv(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = affine.apply affine_map<()[s0] -> (10 floordiv s0)>()[%s]
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @affine_ceildiv(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @affine_ceildiv(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = affine.apply affine_map<()[s0] -> (10 ceildiv s0)>()[%s]
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @affine_mod(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @affine_mod(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = affine.apply affine_map<()[s0] -> (10 mod s0)>()[%s]
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @affine_min(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @affine_min(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = affine.min affine_map<()[s0] -> (10 floordiv s0, 3)>()[%s]
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @affine_max(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @affine_max(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = affine.max affine_map<()[s0] -> (10 mod s0, 3)>()[%s]
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @delinearize(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @delinearize(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %u, %q = affine.delinearize_index %ten into (%s, %s) : index, index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @power(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @power(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %e = arith.index_cast %s : index to i64
    %z = arith.constant 0 : i64
    %w = math.ipowi %z, %e : i64
    %q = arith.index_cast %w : i64 to index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}
