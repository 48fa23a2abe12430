// Buffers that CSE has merged: a buffer with several lives becomes several buffers.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off})' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off},\
// RUN:   memplan-elide-copies{guard=none results=off})' \
// RUN:   \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{results=off remarks=true})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAID
// Options that exclude buffers leave them as they are.
// RUN: %memplan-opt %s -o %t.before
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none results=off min-size=4096})' \
// RUN:   | diff %t.before -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{results=off guard=equal max-size=1})' \
// RUN:   | diff %t.before -
// SAID: remark: elided: the source is filled with one value, and now this buffer is, too [memplan-R121]

// 1. A buffer with two lives: both are padded, each is computed in its pad.
// CHECK-LABEL: func @lives
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         %[[P:.*]] = memref.subview
// CHECK:         linalg.exp {{.*}} outs(%[[P]]
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         %[[Q:.*]] = memref.subview
// CHECK:         linalg.sqrt {{.*}} outs(%[[Q]]
func.func @lives(%x: memref<4xf32>, %y: memref<6xf32>, %w: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<6xf32>)
  %p = memref.subview %b[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %c = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<6xf32>)
  %q = memref.subview %c[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<6xf32> to memref<6xf32>
  memref.copy %c, %w : memref<6xf32> to memref<6xf32>
  return
}

// 2. One life where only a part is overwritten.
// CHECK-LABEL: func @one_life
// CHECK-COUNT-1: memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         return
func.func @one_life(%x: memref<4xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  memref.store %one, %a[%c0] : memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  return
}

// 3. A life that is filled, and then copied: once the copy is a fill, nothing is left of it that could be joined.
// CHECK-LABEL: func @filled_life
// CHECK-COUNT-1: memref.alloc() : memref<3xf32>
// CHECK-NOT:     memref.alloc() : memref<3xf32>
// CHECK:         %[[P:.*]] = memref.subview
// CHECK:         linalg.fill ins(%{{.*}}) outs(%[[P]]
// CHECK-NOT:     memref.copy %{{.*}}, %[[P]]
// CHECK:         return
func.func @filled_life(%x: memref<3xf32>, %y: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<3xf32>
  linalg.exp ins(%x : memref<3xf32>) outs(%a : memref<3xf32>)
  memref.copy %a, %x : memref<3xf32> to memref<3xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4xf32>)
  %f = memref.alloc() : memref<3xf32>
  linalg.fill ins(%zero : f32) outs(%f : memref<3xf32>)
  memref.copy %f, %a : memref<3xf32> to memref<3xf32>
  memref.store %one, %b[%c0] : memref<4xf32>
  %p = memref.subview %b[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
  memref.copy %a, %p : memref<3xf32> to memref<3xf32, strided<[1]>>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  return
}

// 4. Views that lives share: each life gets views of its own.
// CHECK-LABEL: func @shared_views
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         %[[P:.*]] = memref.subview %{{.*}}[1] [4] [1]
// CHECK:         %[[S:.*]] = memref.expand_shape %[[P]]
// CHECK:         %[[R:.*]] = memref.subview %[[S]][1, 0]
// CHECK:         linalg.exp {{.*}} outs(%[[P]]
// CHECK-NEXT:    memref.copy %[[R]],
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         %[[Q:.*]] = memref.subview %{{.*}}[1] [4] [1]
// CHECK:         linalg.sqrt {{.*}} outs(%[[Q]]
// CHECK-NEXT:    %[[T:.*]] = memref.expand_shape %[[Q]]
// CHECK-NEXT:    %[[U:.*]] = memref.subview %[[T]][1, 0]
// CHECK-NEXT:    memref.copy %[[U]],
func.func @shared_views(%x: memref<4xf32>, %y: memref<6xf32>, %w: memref<6xf32>, %v: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %square = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  %row = memref.subview %square[1, 0] [1, 2] [1, 1] : memref<2x2xf32> to memref<2xf32, strided<[1], offset: 2>>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %row, %v : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32>
  %b = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<6xf32>)
  %p = memref.subview %b[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %row, %v : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32>
  %c = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<6xf32>)
  %q = memref.subview %c[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<6xf32> to memref<6xf32>
  memref.copy %c, %w : memref<6xf32> to memref<6xf32>
  return
}

// 5. A life that a copy of it has become a view of is needed for as long as that: the next one is not put in its place.
// CHECK-LABEL: func @borrowed_life
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.exp {{.*}} outs(%[[A]]
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.sqrt {{.*}} outs(%[[B]]
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.add ins(%{{.*}}, %[[B]]
func.func @borrowed_life(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.add ins(%b, %a : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// 6. Without a plan, a buffer stays one where the program frees what it does not need: the second one would be left.
// CHECK-LABEL: func @freed_otherwise
// CHECK-COUNT-1: memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.alloc() : memref<4xf32>
// CHECK:         return
func.func @freed_otherwise(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  linalg.add ins(%b, %b : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  memref.dealloc %b : memref<4xf32>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.add ins(%y, %a : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// 7. Nothing is left of a buffer but several names by one operation, one of which comes from itself.
// CHECK-LABEL: func @names
// CHECK-NOT:     memref.distinct_objects
// CHECK:         return
func.func @names(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  %v, %w = memref.distinct_objects %a, %x : memref<4xf32>, memref<4xf32>
  %s = memref.subview %v[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %t, %u = memref.distinct_objects %v, %s : memref<4xf32>, memref<2xf32, strided<[1]>>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  return
}
