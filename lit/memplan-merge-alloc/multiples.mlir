// Sizes that are multiples of one that is known only at run time: planned together, as static ones are.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false})' \
// RUN:   | FileCheck %s --check-prefix=APART

// 1. The large one begins where two others were, which share bytes in place; the small one comes after it. Two more are then
// where the large one was: slots would take 768 times the dimension.
// CHECK-LABEL: func @chain
// CHECK-SAME:    %[[X:.*]]: memref<?x64xf32>
// CHECK:         %[[N:.*]] = memref.dim %[[X]]
// CHECK:         %[[UNIT:.*]] = arith.minui %[[N]]
// CHECK:         %[[BYTES:.*]] = arith.muli %[[UNIT]], %c512
// CHECK:         %[[SMALL:.*]] = arith.addi %[[ZERO:.*]], %[[BYTES]]
// CHECK:         %[[ALL:.*]] = arith.muli %[[UNIT]], %c640
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][%[[N]]] {memplan.buffer = 0 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][%[[N]]] {memplan.buffer = 1 : i64}
// CHECK:         memref.view %[[ARENA]][%[[SMALL]]][%[[N]]] {memplan.buffer = 2 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][%[[N]]] {memplan.buffer = 3 : i64}
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 4 : i64}
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 5 : i64}
// APART-LABEL: func @chain
// APART:         arith.muli %{{.*}}, %c640
func.func @chain(%x: memref<?x64xf32>, %y: memref<?x32xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%n) : memref<?x64xf32>
  linalg.log ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  %c = memref.alloc(%n) : memref<?x32xf32>
  %p = memref.subview %b[0, 0] [%n, 32] [1, 1] : memref<?x64xf32> to memref<?x32xf32, strided<[64, 1]>>
  memref.copy %p, %c : memref<?x32xf32, strided<[64, 1]>> to memref<?x32xf32>
  %d = memref.alloc(%n) : memref<?x128xf32>
  %z = arith.constant 1.0 : f32
  linalg.fill ins(%z : f32) outs(%d : memref<?x128xf32>)
  %q = memref.subview %d[0, 0] [%n, 32] [1, 1] : memref<?x128xf32> to memref<?x32xf32, strided<[128, 1]>>
  linalg.add ins(%q, %c : memref<?x32xf32, strided<[128, 1]>>, memref<?x32xf32>) outs(%y : memref<?x32xf32>)
  %e = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%e : memref<?x64xf32>)
  %f = memref.alloc(%n) : memref<?x64xf32>
  linalg.log ins(%x : memref<?x64xf32>) outs(%f : memref<?x64xf32>)
  linalg.add ins(%e, %f : memref<?x64xf32>, memref<?x64xf32>) outs(%x : memref<?x64xf32>)
  return
}

// -----

// 2. A chain in place needs one slot, as much as a plan of multiples.
// CHECK-LABEL: func @small
// CHECK:         arith.muli %{{.*}}, %c4
// CHECK-NOT:     arith.muli
// CHECK:         memref.alloc(
// APART-LABEL: func @small
// APART:         memref.alloc(
func.func @small(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.log ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 3. Two small ones where a larger one was: all are multiples of what the small ones are rounded up to.
// CHECK-LABEL: func @rounded
// CHECK:         %[[LIMITED:.*]] = arith.minui
// CHECK:         arith.muli %[[LIMITED]], %c4
// CHECK:         %[[UNIT:.*]] = arith.andi
// CHECK:         %[[SECOND:.*]] = arith.addi %[[ZERO:.*]], %[[UNIT]]
// CHECK:         arith.muli %[[UNIT]], %c2
// CHECK:         memref.view %{{.*}}[%[[ZERO]]]{{.*}} {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?x2xf32>
// CHECK:         memref.view %{{.*}}[%{{.*}}]{{.*}} {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:         memref.view %{{.*}}[%{{.*}}]{{.*}} {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
func.func @rounded(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x2xf32>
  linalg.broadcast ins(%x : memref<?xf32>) outs(%a : memref<?x2xf32>) dimensions = [1]
  linalg.reduce ins(%a : memref<?x2xf32>) outs(%y : memref<?xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      linalg.yield %in : f32
    }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.log ins(%x : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.add ins(%b, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----

// 4. A dimension that a choice by its sign and casts leave as it is.
// CHECK-LABEL: func @sign
// CHECK:         arith.muli %{{.*}}, %c512
// CHECK:         memref.alloc(
func.func @sign(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %four = arith.constant 4 : i64
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %wide = arith.index_cast %n : index to i64
  %negative = arith.cmpi slt, %wide, %zero : i64
  %chosen = arith.select %negative, %four, %wide : i64
  %m = arith.index_cast %chosen : i64 to index
  %a = memref.alloc(%n) : memref<?x128xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<?x128xf32>)
  %p = memref.subview %a[0, 0] [%n, 64] [1, 1] : memref<?x128xf32> to memref<?x64xf32, strided<[128, 1]>>
  memref.copy %p, %y : memref<?x64xf32, strided<[128, 1]>> to memref<?x64xf32>
  %b = memref.alloc(%m) : memref<?x64xf32>
  linalg.exp ins(%y : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  %c = memref.alloc(%n) : memref<?x64xf32>
  linalg.transpose ins(%x : memref<?x64xf32>) outs(%c : memref<?x64xf32>) permutation = [0, 1]
  linalg.add ins(%b, %c : memref<?x64xf32>, memref<?x64xf32>) outs(%y : memref<?x64xf32>)
  return
}

// -----

// 5. Slots of several dimensions: in place, too.
// CHECK-LABEL: func @in_place
// CHECK:         memref.alloc(
// CHECK:         %[[A:.*]] = memref.view %[[ARENA:.*]][%[[AT:.*]]][%{{.*}}] {memplan.buffer = 0 : i64}
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[A]]
// CHECK:         %[[B:.*]] = memref.view %[[ARENA]][%[[AT]]][%{{.*}}] {memplan.buffer = 1 : i64}
// CHECK:         linalg.log ins(%[[A]] : {{.*}}) outs(%[[B]]
// CHECK:         memref.view %[[ARENA]][%[[AT]]][%{{.*}}] {memplan.buffer = 2 : i64}
// APART-LABEL: func @in_place
// APART:         memref.view %{{.*}}[%[[AT:.*]]][%{{.*}}] {memplan.buffer = 0 : i64}
// APART-NOT:     memref.view %{{.*}}[%[[AT]]][%{{.*}}] {memplan.buffer = 1 : i64}
// APART:         memref.view %{{.*}} {memplan.buffer = 1 : i64}
func.func @in_place(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = memref.dim %y, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.log ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 6. In place through a view that has all elements, in another shape.
// CHECK-LABEL: func @reshaped
// CHECK:         %[[A:.*]] = memref.view %[[ARENA:.*]][%[[AT:.*]]][%{{.*}}] {memplan.buffer = 0 : i64}
// CHECK:         %[[E:.*]] = memref.expand_shape %[[A]]
// CHECK:         %[[B:.*]] = memref.view %[[ARENA]][%[[AT]]][%{{.*}}] {memplan.buffer = 1 : i64}
// CHECK:         linalg.exp ins(%[[E]] : {{.*}}) outs(%[[B]]
// APART-LABEL: func @reshaped
// APART:         memref.view %{{.*}}[%[[AT:.*]]][%{{.*}}] {memplan.buffer = 0 : i64}
// APART-NOT:     memref.view %{{.*}}[%[[AT]]][%{{.*}}] {memplan.buffer = 1 : i64}
// APART:         memref.view %{{.*}} {memplan.buffer = 1 : i64}
func.func @reshaped(%n: index, %x: f32, %y: memref<1x?x8xf32>) {
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x8xf32>)
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [1, %n, 8] : memref<?x8xf32> into memref<1x?x8xf32>
  %b = memref.alloc(%n) : memref<1x?x8xf32>
  linalg.exp ins(%e : memref<1x?x8xf32>) outs(%b : memref<1x?x8xf32>)
  memref.copy %b, %y : memref<1x?x8xf32> to memref<1x?x8xf32>
  return
}

// -----

// 7. Not where the view has only some of the elements: the others are needed after it.
// CHECK-LABEL: func @some
// CHECK:         memref.view %{{.*}}[%[[AT:.*]]][%{{.*}}] {memplan.buffer = 0 : i64}
// CHECK-NOT:     memref.view %{{.*}}[%[[AT]]][%{{.*}}] {memplan.buffer = 1 : i64}
// CHECK:         memref.view %{{.*}} {memplan.buffer = 1 : i64}
// APART-LABEL: func @some
func.func @some(%n: index, %x: f32, %y: memref<?x4xf32>) {
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x8xf32>)
  %s = memref.subview %a[0, 4] [%n, 4] [1, 1] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 1], offset: 4>>
  %b = memref.alloc(%n) : memref<?x4xf32>
  linalg.exp ins(%s : memref<?x4xf32, strided<[8, 1], offset: 4>>) outs(%b : memref<?x4xf32>)
  %t = memref.subview %a[0, 0] [%n, 4] [1, 1] : memref<?x8xf32> to memref<?x4xf32, strided<[8, 1]>>
  linalg.add ins(%b, %t : memref<?x4xf32>, memref<?x4xf32, strided<[8, 1]>>) outs(%y : memref<?x4xf32>)
  return
}
