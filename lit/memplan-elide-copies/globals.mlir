// Copies of constant globals.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies))' \
// RUN:   | FileCheck %s --check-prefix=ALONE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify)' | FileCheck %s --check-prefix=PLANNED

memref.global "private" constant @zero : memref<4x8xf32> = dense<0.0>
memref.global "private" constant @three : memref<8xi32> = dense<3>
memref.global "private" constant @mixed : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @variable : memref<4xf32> = dense<0.0>

// 1. A copy that is only read is the global; a pass on functions does not read the module, and leaves it.
// CHECK-LABEL: func @read_only(
// CHECK:         %[[G:.*]] = memref.get_global @mixed
// CHECK-NOT:     memref.copy
// CHECK:         linalg.add ins(%[[G]],
// ALONE-LABEL: func @read_only(
// ALONE:         memref.copy
func.func @read_only(%x: memref<4xf32>, %y: memref<4xf32>) {
  %g = memref.get_global @mixed : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %g, %t : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.add ins(%t, %x : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// 2. A copy whose elements are equal, and that is written, is a fill: a pad may then be filled early. Views of the
// global have the same elements.
// CHECK-LABEL: func @pad(
// CHECK:         %[[B:.*]] = memref.alloc() : memref<32xf32>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[B]]
// CHECK:         linalg.exp {{.*}} outs(%{{.*}} : memref<16xf32, strided<[1], offset: 8>>)
// CHECK-NOT:     memref.copy %{{.*}}, %{{.*}} : memref<16xf32>
// CHECK:         return
// PLANNED-LABEL: func @pad(
// PLANNED:         memref.alloc() {{.*}} : memref<128xi8>
func.func @pad(%x: memref<16xf32>, %y: memref<32xf32>) {
  %g = memref.get_global @zero : memref<4x8xf32>
  %flat = memref.collapse_shape %g [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<32xf32>
  memref.copy %flat, %b : memref<32xf32> to memref<32xf32>
  %p = memref.subview %b[8] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 8>>
  memref.copy %a, %p : memref<16xf32> to memref<16xf32, strided<[1], offset: 8>>
  memref.copy %b, %y : memref<32xf32> to memref<32xf32>
  return
}

// 3. Integers, too; not contents that differ, nor what may change.
// CHECK-LABEL: func @integers(
// CHECK:         %[[C:.*]] = arith.constant 3 : i32
// CHECK:         linalg.fill ins(%[[C]] : i32)
// CHECK-LABEL: func @others(
// CHECK-COUNT-2: memref.copy
func.func @integers(%x: memref<8xi32>) {
  %g = memref.get_global @three : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  memref.copy %g, %t : memref<8xi32> to memref<8xi32>
  linalg.add ins(%t, %x : memref<8xi32>, memref<8xi32>) outs(%t : memref<8xi32>)
  memref.copy %t, %x : memref<8xi32> to memref<8xi32>
  return
}
func.func @others(%x: memref<4xf32>) {
  %g = memref.get_global @mixed : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %g, %t : memref<4xf32> to memref<4xf32>
  linalg.add ins(%t, %x : memref<4xf32>, memref<4xf32>) outs(%t : memref<4xf32>)
  %v = memref.get_global @variable : memref<4xf32>
  %u = memref.alloc() : memref<4xf32>
  memref.copy %v, %u : memref<4xf32> to memref<4xf32>
  linalg.add ins(%t, %u : memref<4xf32>, memref<4xf32>) outs(%v : memref<4xf32>)
  linalg.add ins(%t, %u : memref<4xf32>, memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// 4. A function without structured operations gets none.
// CHECK-LABEL: func @plain(
// CHECK:         memref.copy
// CHECK-NOT:     linalg.fill
// CHECK:         return
func.func @plain(%i: index, %v: i32) -> i32 {
  %g = memref.get_global @three : memref<8xi32>
  %t = memref.alloc() : memref<8xi32>
  memref.copy %g, %t : memref<8xi32> to memref<8xi32>
  memref.store %v, %t[%i] : memref<8xi32>
  %r = memref.load %t[%i] : memref<8xi32>
  return %r : i32
}

// 5. A symbol table in a symbol table has its own globals.
// CHECK-LABEL: module @inner
// CHECK:         memref.copy
module @inner {
  memref.global "private" @mixed : memref<4xf32> = dense<0.0>
  func.func @shadowed(%x: memref<4xf32>, %y: memref<4xf32>) {
    %g = memref.get_global @mixed : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    memref.copy %g, %t : memref<4xf32> to memref<4xf32>
    linalg.exp ins(%x : memref<4xf32>) outs(%g : memref<4xf32>)
    linalg.add ins(%t, %x : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
    return
  }
}
