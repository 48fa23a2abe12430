// Programs in which a part is not where it seems to be, or may not be computed when it seems so.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none})' | FileCheck %s

// 1. A promise of alignment holds of the copy, and not of the argument.
// CHECK-LABEL: func @aligned
// CHECK:         memref.copy
func.func @aligned(%x: memref<8xf32>) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %c = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  %v = memref.cast %c : memref<8xf32> to memref<?xf32>
  %r = vector.load %v[%c0] {alignment = 64 : i64} : memref<?xf32>, vector<8xf32>
  return %r : vector<8xf32>
}

// 2. A step that is known only at run time may be negative, and reach elements before the offset.
// CHECK-LABEL: func @back
// CHECK:         memref.copy %{{.*}} : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
func.func @back(%x: memref<2xf32>, %w: memref<4xf32>, %y: memref<8xf32>, %s: index) {
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %a = memref.alloc() : memref<2xf32>
  linalg.exp ins(%x : memref<2xf32>) outs(%a : memref<2xf32>)
  %r = memref.subview %b[4] [4] [%s] : memref<8xf32> to memref<4xf32, strided<[?], offset: 4>>
  linalg.exp ins(%r : memref<4xf32, strided<[?], offset: 4>>) outs(%w : memref<4xf32>)
  %p = memref.subview %b[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %a, %p : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// 3. The operation that fills divides, after an assertion that the divisor is not zero.
// CHECK-LABEL: func @quotient
// CHECK:         cf.assert
// CHECK:         arith.divsi
// CHECK:         memref.copy %{{.*}} : memref<4xi32> to
func.func @quotient(%y: memref<8xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xi32>
  linalg.map outs(%a : memref<4xi32>) (%i: i32) {
    %s = arith.addi %n, %n : i32
    linalg.yield %s : i32
  }
  %ok = arith.cmpi ne, %n, %c0 : i32
  cf.assert %ok, "zero"
  %b = memref.alloc() : memref<8xi32>
  linalg.map outs(%b : memref<8xi32>) (%i: i32) {
    %c7 = arith.constant 7 : i32
    %q = arith.divsi %c7, %n : i32
    linalg.yield %q : i32
  }
  %p = memref.subview %b[2] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %a, %p : memref<4xi32> to memref<4xi32, strided<[1], offset: 2>>
  memref.copy %b, %y : memref<8xi32> to memref<8xi32>
  return
}

// 4. Rows that share elements.
// CHECK-LABEL: func @layout
// CHECK-COUNT-2: memref.copy
func.func @layout(%x: memref<4xf32>) -> memref<2x4xf32, strided<[1, 1]>> {
  %b = memref.alloc() : memref<2x4xf32, strided<[1, 1]>>
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %d = memref.alloc() : memref<4xf32>
  linalg.sqrt ins(%x : memref<4xf32>) outs(%d : memref<4xf32>)
  %p = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<2x4xf32, strided<[1, 1]>> to memref<4xf32, strided<[1]>>
  memref.copy %d, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  %q = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<2x4xf32, strided<[1, 1]>> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  return %b : memref<2x4xf32, strided<[1, 1]>>
}
