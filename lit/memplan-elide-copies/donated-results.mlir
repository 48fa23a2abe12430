// Results become donated arguments whose contents nothing needs any more when they are written.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s

// 1. The argument is read before the result is written; the shape may be another one.
// CHECK-LABEL: func @unrelated
// CHECK-SAME:    %[[A:[^:]*]]: memref<4x2xf32> {memplan.donated}
// CHECK-SAME:    -> (memref<8xf32> {memplan.borrowed})
// CHECK-NOT:     memref.alloc() : memref<8xf32>
// CHECK:         %[[R:.*]] = memref.collapse_shape %[[A]]
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[R]] :
// CHECK:         return %[[R]]
func.func @unrelated(%a: memref<4x2xf32> {memplan.donated}, %s: memref<f32>) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0, %c0] : memref<4x2xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// -----

// 2. It is read after that, or in part, or is a result itself, or is known to someone else; a result is another one on
// some paths; it is larger.
// CHECK-LABEL: func @needed
// CHECK-NOT:     memplan.borrowed
// CHECK:         memref.alloc
func.func @needed(%a: memref<8xf32> {memplan.donated}, %x: memref<8xf32>) -> (memref<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %r, %v : memref<8xf32>, f32
}

// CHECK-LABEL: func @returned
// CHECK:         memref.alloc
func.func @returned(%a: memref<8xf32> {memplan.donated}, %x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r, %a : memref<8xf32>, memref<8xf32>
}

// CHECK-LABEL: func @captured
// CHECK:         memref.alloc
func.func @captured(%a: memref<8xf32> {jax.buffer_donor = true}, %x: memref<8xf32>, %cell: memref<memref<8xf32>>) -> memref<8xf32> {
  memref.store %a, %cell[] : memref<memref<8xf32>>
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// CHECK-LABEL: func @on_some_paths
// CHECK-COUNT-2: memref.alloc
func.func @on_some_paths(%a: memref<8xf32> {memplan.donated}, %x: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %s = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%s : memref<8xf32>)
  %t = arith.select %c, %r, %s : memref<8xf32>
  return %t : memref<8xf32>
}

// CHECK-LABEL: func @larger
// CHECK:         memref.alloc
func.func @larger(%a: memref<8xf32> {memplan.donated}, %x: memref<9xf32>) -> memref<9xf32> {
  %r = memref.alloc() : memref<9xf32>
  linalg.exp ins(%x : memref<9xf32>) outs(%r : memref<9xf32>)
  return %r : memref<9xf32>
}

// CHECK-LABEL: func @unknown_size
// CHECK:         memref.alloc
func.func @unknown_size(%a: memref<?xf32> {memplan.donated}, %n: index, %v: f32) -> memref<?xf32> {
  %r = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%r : memref<?xf32>)
  return %r : memref<?xf32>
}

// -----

// 3. Of several arguments, a result becomes the one that it is computed from, in parts.
#same = affine_map<(i) -> (i)>
// CHECK-LABEL: func @parts
// CHECK-SAME:    memref<8xf32> {memplan.donated}, %[[B:[^:]*]]: memref<8xf32> {memplan.donated}
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return %[[B]]
func.func @parts(%a: memref<8xf32> {memplan.donated}, %b: memref<8xf32> {memplan.donated}, %sums: memref<4xf32>) -> memref<8xf32> {
  %b0 = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %n0 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%b0 : memref<4xf32, strided<[1]>>) outs(%n0 : memref<4xf32>)
  linalg.add ins(%n0, %sums : memref<4xf32>, memref<4xf32>) outs(%sums : memref<4xf32>)
  %b1 = memref.subview %b[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %n1 = memref.alloc() : memref<4xf32>
  linalg.exp ins(%b1 : memref<4xf32, strided<[1], offset: 4>>) outs(%n1 : memref<4xf32>)
  linalg.add ins(%n1, %sums : memref<4xf32>, memref<4xf32>) outs(%sums : memref<4xf32>)
  %r = memref.alloc() : memref<8xf32>
  %r0 = memref.subview %r[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %n0, %r0 : memref<4xf32> to memref<4xf32, strided<[1]>>
  %r1 = memref.subview %r[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %n1, %r1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return %r : memref<8xf32>
}

// -----

// 4. What is copied to an argument is computed there, not in a donated one.
// CHECK-LABEL: func @copied
// CHECK-SAME:    %[[A:[^:]*]]: memref<8xf32> {memplan.donated}, %[[Y:[^:]*]]: memref<8xf32>
// CHECK-NOT:     memref.copy
// CHECK:         linalg.exp ins(%[[A]] : memref<8xf32>) outs(%[[Y]] : memref<8xf32>)
// CHECK-NEXT:    return
func.func @copied(%a: memref<8xf32> {memplan.donated}, %y: memref<8xf32>) {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%r : memref<8xf32>)
  memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  return
}
