// A second run changes nothing: what the first run wrote is read as what it is.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: FileCheck %s < %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A loop of blocks replaces a stored memref. The first run loads the old one at the head of the loop; the second run
// uses that load.
// CHECK-LABEL: func.func @replaced_in_loop(
// CHECK:      ^bb1(
// CHECK:        %[[OLD:.*]] = memref.load
// CHECK-NOT:    memref.load
// CHECK:        cf.cond_br
// CHECK:        memref.dealloc %[[OLD]]
func.func @replaced_in_loop(%n: index, %x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<4xf32>
  memref.copy %x, %first : memref<4xf32> to memref<4xf32>
  %variable = memref.alloc() : memref<1xmemref<4xf32>>
  memref.store %first, %variable[%c0] : memref<1xmemref<4xf32>>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^done
^body:
  %next = memref.alloc() : memref<4xf32>
  memref.copy %x, %next : memref<4xf32> to memref<4xf32>
  memref.store %next, %variable[%c0] : memref<1xmemref<4xf32>>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^done:
  %last = memref.load %variable[%c0] : memref<1xmemref<4xf32>>
  memref.copy %last, %x : memref<4xf32> to memref<4xf32>
  return
}
