// Buffers become parts of the buffers that they are copied to.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies{guard=none}))' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefix=PLANNED
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=high})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// PLANNED-LABEL: func @pad
// PLANNED-COUNT-1: memref.alloc
// ERROR: memplan-elide-copies: option 'guard' takes one of lower, equal, none, not 'high'

// 1. A pad: what fills it comes first, and then the whole chain runs in it.
// CHECK-LABEL: func @pad
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<8xf32>, %[[Y:[a-z0-9]+]]: memref<10xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<10xf32>
// CHECK-NEXT:    %[[P:.*]] = memref.subview %[[B]][1] [8] [1]
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[B]]
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[P]]
// CHECK-NEXT:    linalg.sqrt ins(%[[P]] {{.*}}) outs(%[[P]]
// CHECK-NEXT:    memref.copy %[[B]], %[[Y]]
// CHECK-NEXT:    return
func.func @pad(%x: memref<8xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %r = memref.alloc() : memref<8xf32>
  linalg.sqrt ins(%a : memref<8xf32>) outs(%r : memref<8xf32>)
  %b = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %p = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %r, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<10xf32> to memref<10xf32>
  return
}

// 2. A concatenation: both parts, each apart from the other, and the views of them.
// CHECK-LABEL: func @concat
// CHECK-DAG:     %[[B:.*]] = memref.alloc() : memref<4x4xf32>
// CHECK-DAG:     %[[P:.*]] = memref.subview %[[B]][0, 0] [2, 4] [1, 1]
// CHECK-DAG:     %[[Q:.*]] = memref.subview %[[B]][2, 0] [2, 4] [1, 1]
// CHECK-DAG:     memref.expand_shape %[[Q]] {{.*}} into memref<2x2x2xf32, strided<[4, 2, 1], offset: 8>>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     to memref<2x4xf32
// CHECK:         return
func.func @concat(%x: memref<2x4xf32>, %z: memref<2x2x2xf32>, %y: memref<4x4xf32>) {
  %a = memref.alloc() : memref<2x4xf32>
  linalg.exp ins(%x : memref<2x4xf32>) outs(%a : memref<2x4xf32>)
  %c = memref.alloc() : memref<2x4xf32>
  %e = memref.expand_shape %c [[0], [1, 2]] output_shape [2, 2, 2] : memref<2x4xf32> into memref<2x2x2xf32>
  linalg.exp ins(%z : memref<2x2x2xf32>) outs(%e : memref<2x2x2xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  %p = memref.subview %b[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  memref.copy %a, %p : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %q = memref.subview %b[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  memref.copy %c, %q : memref<2x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  linalg.exp ins(%b : memref<4x4xf32>) outs(%y : memref<4x4xf32>)
  return
}

// 3. A concatenation that is padded: the parts are parts of the padded one.
// CHECK-LABEL: func @nested
// CHECK:         %[[B:.*]] = memref.alloc() : memref<10xf32>
// CHECK-NEXT:    %[[P:.*]] = memref.subview %[[B]][1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    %[[Q:.*]] = memref.subview %[[P]][0] [4] [1] : {{.*}} to memref<4xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[B]]
// CHECK-NEXT:    linalg.exp ins(%{{.*}}) outs(%[[Q]]
// CHECK:         %[[R:.*]] = memref.subview %[[P]][4] [4] [1] : {{.*}} to memref<4xf32, strided<[1], offset: 5>>
// CHECK-NEXT:    linalg.sqrt ins(%{{.*}}) outs(%[[R]]
// CHECK-NOT:     memref.alloc
func.func @nested(%x: memref<4xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %c = memref.alloc() : memref<4xf32>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  %m = memref.alloc() : memref<8xf32>
  %p = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %q = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %c, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %b = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %r = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %m, %r : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<10xf32> to memref<10xf32>
  return
}

// 4. The returned buffer takes other buffers, too.
// CHECK-LABEL: func @returned
// CHECK-NEXT:    %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    linalg.exp ins(%{{.*}}) outs(%[[R]]
// CHECK-NEXT:    linalg.sqrt ins(%[[R]] {{.*}}) outs(%[[R]]
// CHECK-NEXT:    return %[[R]]
func.func @returned(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %r = memref.alloc() : memref<8xf32>
  linalg.sqrt ins(%a : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// 5. In a loop, to the row of the iteration; the buffer is not freed any more.
// CHECK-LABEL: func @rows
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[P:.*]] = memref.subview %[[B:.*]][%[[I]], 0] [1, 4] [1, 1]
// CHECK-NEXT:      linalg.exp ins(%{{.*}}) outs(%[[P]]
// CHECK-NEXT:    }
// CHECK-NOT:     memref.dealloc %[[P]]
func.func @rows(%x: memref<4xf32>, %y: memref<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b = memref.alloc() : memref<3x4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    %p = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.dealloc %a : memref<4xf32>
  }
  linalg.exp ins(%b : memref<3x4xf32>) outs(%y : memref<3x4xf32>)
  memref.dealloc %b : memref<3x4xf32>
  return
}

// 6. Dynamic sizes; the size is computed in time.
// CHECK-LABEL: func @dynamic
// CHECK:         %[[M:.*]] = arith.addi
// CHECK:         %[[B:.*]] = memref.alloc(%[[M]])
// CHECK:         %[[P:.*]] = memref.subview %[[B]][1]
// CHECK:         linalg.fill {{.*}} outs(%[[B]]
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[P]]
// CHECK-NOT:     memref.alloc
func.func @dynamic(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %m = arith.addi %n, %c2 : index
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<?xf32>)
  %p = memref.subview %b[1] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  memref.copy %a, %p : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  return
}
