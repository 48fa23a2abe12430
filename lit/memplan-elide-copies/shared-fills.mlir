// Buffers that CSE has merged: copies of a filled buffer become fills.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{remarks=true})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAID
// Options that exclude buffers leave them as they are.
// RUN: %memplan-opt %s -o %t.before
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none min-size=4096})' \
// RUN:   | diff %t.before -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=equal max-size=1})' \
// RUN:   | diff %t.before -
// SAID: remark: elided: the source is filled with one value, and now this buffer is, too [memplan-R121]

// 1. A buffer of zeros that is copied, and then written itself: it is filled where that is.
// CHECK-LABEL: func @zeros
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<8x8xf32>
// CHECK:         %[[Z:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[A]]
// CHECK-NEXT:    linalg.matmul ins(%[[X]], %[[X]] {{.*}}) outs(%[[A]]
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[Z]]
// CHECK-NEXT:    linalg.matmul ins(%[[A]], %[[X]] {{.*}}) outs(%[[Z]]
func.func @zeros(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<8x8xf32>)
  %a = memref.alloc() : memref<8x8xf32>
  memref.copy %z, %a : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  linalg.matmul ins(%a, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
  memref.copy %z, %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// 2. A buffer of zeros that is only copied is erased, with its views, also out of a loop.
// CHECK-LABEL: func @only_copied
// CHECK-COUNT-1: memref.alloc() : memref<4xf32>
// CHECK:         scf.for
// CHECK-NEXT:      linalg.fill
func.func @only_copied(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %z = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<2x2xf32>)
  %v = memref.collapse_shape %z [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.copy %v, %a : memref<4xf32> to memref<4xf32>
    linalg.add ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  }
  return
}

// 3. A copy does not become a fill where the buffer is written before, earlier in the iteration or by the iteration
// before.
// CHECK-LABEL: func @written
// CHECK:         memref.copy
// CHECK-LABEL: func @written_by_an_iteration
// CHECK:         scf.for
// CHECK:           memref.copy %[[Z:.*]], %{{.*}} :
// CHECK:           memref.store %{{.*}}, %[[Z]]
func.func @written(%x: memref<4xf32>, %y: memref<4xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %z = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<4xf32>)
  memref.store %one, %z[%i] : memref<4xf32>
  memref.copy %z, %y : memref<4xf32> to memref<4xf32>
  memref.copy %z, %x : memref<4xf32> to memref<4xf32>
  return
}
func.func @written_by_an_iteration(%y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %z = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<4xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    memref.copy %z, %y : memref<4xf32> to memref<4xf32>
    memref.store %one, %z[%i] : memref<4xf32>
  }
  return
}

// 4. A life that is filled once: the copy of it is a fill.
// CHECK-LABEL: func @filled_once
// CHECK-SAME:    %[[Z:[a-z0-9]+]]: memref<6xf32>)
// CHECK-NOT:     memref.copy %{{.*}}, %[[Z]]
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[Z]]
func.func @filled_once(%x: memref<6xf32>, %y: memref<6xf32>, %z: memref<6xf32>) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<6xf32>
  memref.copy %x, %a : memref<6xf32> to memref<6xf32>
  linalg.exp ins(%a : memref<6xf32>) outs(%y : memref<6xf32>)
  linalg.fill ins(%one : f32) outs(%a : memref<6xf32>)
  memref.copy %a, %z : memref<6xf32> to memref<6xf32>
  return
}

// 5. The next write of a filled buffer is a copy of another filled buffer, which becomes a fill itself: the first fill
// moves down before that.
// CHECK-LABEL: func @two_filled
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32>
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[ONE:.*]] = arith.constant 1.0
// CHECK:         linalg.fill ins(%[[ONE]] : f32) outs(%[[C:.*]] : memref<4xf32>)
// CHECK-NEXT:    linalg.add ins(%[[C]], %[[X]]
// CHECK:         linalg.fill ins(%[[ZERO]] : f32) outs(%[[B:.*]] : memref<4xf32>)
// CHECK-NEXT:    linalg.add ins(%[[B]], %[[C]] {{.*}} outs(%[[Y]]
func.func @two_filled(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<4xf32>)
  %c = memref.alloc() : memref<4xf32>
  memref.copy %b, %c : memref<4xf32> to memref<4xf32>
  linalg.add ins(%c, %x : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  linalg.add ins(%b, %c : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
