// Operations other than memref.copy, and casts, where a buffer becomes part of another one.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies{guard=none}))' | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-elide-copies{guard=none})' \
// RUN:   | FileCheck %s

#square = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0, d1) -> (0, d1)>

// 1. The operation itself writes the part, with a dimension of one that it does not need; it asserts.
// CHECK-LABEL: func @not_a_copy
// CHECK:         %[[P:.*]] = memref.subview
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[P]]
// CHECK:         linalg.generic {{.*}} ins(%[[P]] {{.*}}) outs(%[[P]]
// CHECK-NOT:     memref.alloc
func.func @not_a_copy(%x: memref<1x4xf32>, %y: memref<1x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x4xf32>
  linalg.exp ins(%x : memref<1x4xf32>) outs(%a : memref<1x4xf32>)
  %b = memref.alloc() : memref<1x6xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1x6xf32>)
  %p = memref.subview %b[0, 2] [1, 4] [1, 1] : memref<1x6xf32> to memref<1x4xf32, strided<[6, 1], offset: 2>>
  linalg.generic {indexing_maps = [#one, #square], iterator_types = ["parallel", "parallel"]} ins(%a : memref<1x4xf32>) outs(%p : memref<1x4xf32, strided<[6, 1], offset: 2>>) {
  ^bb0(%in: f32, %out: f32):
    %ok = arith.cmpf one, %in, %zero : f32
    cf.assert %ok, "zero"
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  }
  memref.copy %b, %y : memref<1x6xf32> to memref<1x6xf32>
  return
}

// 2. linalg.copy is a copy as memref.copy is: gone, and a fill where what it copies is filled.
// CHECK-LABEL: func @structured_copy
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<8xf32>, %[[Y:[a-z0-9]+]]: memref<10xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<10xf32>
// CHECK-NEXT:    %[[P:.*]] = memref.subview %[[B]][1] [8] [1]
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[B]]
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[P]]
// CHECK-NEXT:    memref.copy %[[B]], %[[Y]]
// CHECK-NEXT:    return
func.func @structured_copy(%x: memref<8xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %f = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%f : memref<10xf32>)
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<10xf32>
  linalg.copy ins(%f : memref<10xf32>) outs(%b : memref<10xf32>)
  %p = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  linalg.copy ins(%a : memref<8xf32>) outs(%p : memref<8xf32, strided<[1], offset: 1>>)
  memref.copy %b, %y : memref<10xf32> to memref<10xf32>
  return
}

// 3. A linalg.copy that converts numbers is no copy.
// CHECK-LABEL: func @converts
// CHECK:         %[[P:.*]] = memref.subview
// CHECK:         linalg.copy ins(%{{.*}} : memref<4xf32>) outs(%[[P]]
func.func @converts(%x: memref<4xf32>, %y: memref<8xf64>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %p = memref.subview %y[0] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1]>>
  linalg.copy ins(%a : memref<4xf32>) outs(%p : memref<4xf64, strided<[1]>>)
  return
}

// 4. Uses through memref.cast: a cast takes the strides of the part; one that leaves them open stays as it is.
// CHECK-LABEL: func @cast
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<?xf32>
// CHECK:         %[[P:.*]] = memref.subview %{{.*}}[1] [8] [1]
// CHECK:         %[[C:.*]] = memref.cast %[[P]] : memref<8xf32, strided<[1], offset: 1>> to memref<?xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<?xf32>) outs(%[[C]] : memref<?xf32, strided<[1], offset: 1>>)
// CHECK-NEXT:    %[[O:.*]] = memref.cast %[[P]] : memref<8xf32, strided<[1], offset: 1>> to memref<8xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    linalg.sqrt ins(%[[O]] : memref<8xf32, strided<[?], offset: ?>>) outs(%[[O]]
// CHECK-NOT:     memref.copy %{{.*}}, %[[P]]
func.func @cast(%x: memref<?xf32>, %y: memref<10xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %c = memref.cast %a : memref<8xf32> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%c : memref<?xf32>)
  %o = memref.cast %a : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  linalg.sqrt ins(%o : memref<8xf32, strided<[?], offset: ?>>) outs(%o : memref<8xf32, strided<[?], offset: ?>>)
  %b = memref.alloc() : memref<10xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<10xf32>)
  %p = memref.subview %b[1] [8] [1] : memref<10xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 1>>
  memref.copy %b, %y : memref<10xf32> to memref<10xf32>
  return
}

// 5. A cast to an unranked memref hides the strides: its uses may not take them.
// CHECK-LABEL: func @unranked
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         memref.cast %[[A]] : memref<4xf32> to memref<*xf32>
func.func @unranked(%x: memref<4xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  %c = memref.cast %u : memref<*xf32> to memref<?xf32>
  linalg.exp ins(%c : memref<?xf32>) outs(%c : memref<?xf32>)
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[2]>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}
