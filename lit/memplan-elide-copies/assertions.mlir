// What an operation computes into a part of another buffer is computed there only if it may run before an assertion that
// comes between: not if its payload may trap.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// 1. Divisions, and what divides when it is lowered.
// CHECK-LABEL: func @arith_divui(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_divui(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.divui %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_remui(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_remui(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.remui %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_ceildivui(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_ceildivui(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.ceildivui %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_divsi(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_divsi(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.divsi %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_remsi(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_remsi(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.remsi %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_ceildivsi(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_ceildivsi(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.ceildivsi %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

// CHECK-LABEL: func @arith_floordivsi(
// CHECK:      linalg.generic
// CHECK:      cf.assert
// CHECK:      linalg.generic
// CHECK:      memref.copy %{{.*}} strided
// CHECK:      return
func.func @arith_floordivsi(%x: memref<4xindex>, %y: memref<8xindex>, %s: index, %c: i1) {
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
    %q = arith.floordivsi %ten, %s : index
    linalg.yield %q : index
  }
  %v = memref.subview %p[2] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %a, %v : memref<4xindex> to memref<4xindex, strided<[1], offset: 2>>
  memref.copy %p, %y : memref<8xindex> to memref<8xindex>
  return
}

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

// 2. By constants, and what never traps.
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

// 3. By -1, which the least number overflows for.
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

// 4. An element whose index the assertion is about; the first one.
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

// 5. Two parts whose sizes the assertion is about.
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

// 6. A part whose place the assertion is about, and a division that nothing is asserted for: an operation that returns is passed.
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

