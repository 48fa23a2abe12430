// An operation that computes into a part of another buffer moves before an assertion only if it cannot trap:
// indices, sizes and places that the assertion guards.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// 1. An element whose index the assertion is about; the first one.
// CHECK-LABEL: func @element(
// CHECK:      cf.assert
// CHECK:      memref.store
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @element(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is zero"
  %p = memref.alloc() : memref<8xindex>
  %e = memref.subview %p[3] [1] [1] : memref<8xindex> to memref<1xindex, strided<[1], offset: 3>>
  memref.store %ten, %e[%s] : memref<1xindex, strided<[1], offset: 3>>
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @element_of_affine(
// CHECK:      cf.assert
// CHECK:      affine.store
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @element_of_affine(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is zero"
  %p = memref.alloc() : memref<8xindex>
  %e = memref.subview %p[3] [1] [1] : memref<8xindex> to memref<1xindex, strided<[1], offset: 3>>
  affine.store %ten, %e[symbol(%s)] : memref<1xindex, strided<[1], offset: 3>>
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @first_element(
// CHECK:      memref.store
// CHECK:      affine.store
// CHECK:      cf.assert
// CHECK-NOT:  memref.copy %{{.*}} strided
// CHECK:      return
func.func @first_element(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is zero"
  %p = memref.alloc() : memref<8xindex>
  %e = memref.subview %p[3] [1] [1] : memref<8xindex> to memref<1xindex, strided<[1], offset: 3>>
  memref.store %ten, %e[%zero] : memref<1xindex, strided<[1], offset: 3>>
  %f = memref.subview %p[4] [1] [1] : memref<8xindex> to memref<1xindex, strided<[1], offset: 4>>
  affine.store %ten, %f[0] : memref<1xindex, strided<[1], offset: 4>>
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// 2. Two parts whose sizes the assertion is about.
// CHECK-LABEL: func @sizes(
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @sizes(%x: memref<4xindex>, %y: memref<16xindex>, %s: index, %t: index, %c: i1) {
  %ten = arith.constant 10 : index
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is t"
  %p = memref.alloc() : memref<16xindex>
  %e = memref.subview %p[0] [%s] [1] : memref<16xindex> to memref<?xindex, strided<[1]>>
  %f = memref.subview %p[8] [%t] [1] : memref<16xindex> to memref<?xindex, strided<[1], offset: 8>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} outs(%e, %f : memref<?xindex, strided<[1]>>, memref<?xindex, strided<[1], offset: 8>>) {
  ^bb0(%o: index, %q: index):
    linalg.yield %ten, %ten : index, index
  }
  %v = memref.subview %p[2] [4] [1] : memref<16xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<16xindex> to memref<16xindex>
  return
}

// 3. A part whose place the assertion is about, and a division that nothing is asserted for: an operation that returns
// is passed.
// CHECK-LABEL: func @place(
// CHECK:      cf.assert
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @place(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  %p = memref.alloc() : memref<8xindex>
  linalg.fill ins(%ten : index) outs(%p : memref<8xindex>)
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  cf.assert %c, "s is not above 4"
  %v = memref.subview %p[%s] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: ?>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: ?>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @returns(
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      arith.divsi
// CHECK-NOT:  memref.copy %{{.*}} strided
// CHECK:      return
func.func @returns(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
  %ten = arith.constant 10 : index
  cf.assert %c, "s is not zero"
  %a = memref.alloc() : memref<4xindex>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<4xindex>) outs(%a : memref<4xindex>) {
  ^bb0(%i: index, %o: index):
    %r = arith.addi %i, %i : index
    linalg.yield %r : index
  }
  %p = memref.alloc() : memref<8xindex>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%p : memref<8xindex>) {
  ^bb0(%o: index):
    %q = arith.divsi %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}
