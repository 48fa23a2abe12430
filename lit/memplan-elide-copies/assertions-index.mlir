// An operation that computes into a part of another buffer moves before an assertion only if it cannot trap:
// divisions of the index dialect.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// 1. Divisions of the index dialect.
// CHECK-LABEL: func @index_divu(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_divu(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.divu %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_remu(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_remu(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.remu %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_ceildivu(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_ceildivu(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.ceildivu %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_divs(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_divs(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.divs %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_rems(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_rems(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.rems %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_ceildivs(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_ceildivs(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.ceildivs %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @index_floordivs(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @index_floordivs(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = index.floordivs %ten, %s
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}
