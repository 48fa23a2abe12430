// What is not split.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none forms=plain})' | FileCheck %s
// CHECK-NOT: memplan.strips

// 1. A call between, which may read what the first operation writes.
// CHECK-LABEL: @call
// CHECK-NOT:     memplan.strips
func.func private @unknown(memref<64x64xf32>)
func.func @call(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  call @unknown(%a) : (memref<64x64xf32>) -> ()
  %b = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  return %b : memref<64x64xf32>
}

// 2. A write to memory that the first operation may read again in a later strip.
// CHECK-LABEL: @outside
// CHECK-NOT:     memplan.strips
func.func @outside(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%y : memref<64x64xf32>) permutation = [1, 0]
  return
}

// 3. As 2., with an argument whose memory has no other name; but it is read in the order of columns, and written in that of
// rows, by the same operations.
// CHECK-LABEL: @itself
// CHECK-NOT:     memplan.strips
func.func @itself(%y: memref<64x64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%y : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%y : memref<64x64xf32>) permutation = [1, 0]
  return
}

// 4. Dynamic sizes.
// CHECK-LABEL: @dynamic
// CHECK-NOT:     memplan.strips
func.func @dynamic(%x: memref<?x64xf32>, %n: index) -> memref<64x?xf32> {
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%n) : memref<64x?xf32>
  linalg.transpose ins(%a : memref<?x64xf32>) outs(%b : memref<64x?xf32>) permutation = [1, 0]
  return %b : memref<64x?xf32>
}

// 5. An operation that is not known.
// CHECK-LABEL: @unregistered
// CHECK-NOT:     memplan.strips
func.func @unregistered(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  "test.touch"(%a) : (memref<64x64xf32>) -> ()
  %b = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  return %b : memref<64x64xf32>
}

// 6. What is between is written again after it was read. With elided copies, it is two buffers, which are split.
// CHECK-LABEL: @again
// CHECK-NOT:     memplan.strips
func.func @again(%x: memref<64x64xf32>) -> (memref<64x64xf32>, memref<64x64xf32>) {
  %a = memref.alloc() : memref<64x64xf32>
  %b = memref.alloc() : memref<64x64xf32>
  %c = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  linalg.add ins(%x, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  linalg.transpose ins(%a : memref<64x64xf32>) outs(%c : memref<64x64xf32>) permutation = [1, 0]
  return %b, %c : memref<64x64xf32>, memref<64x64xf32>
}

// 7. More elements than fit 64 bits, beside what could be split.
// CHECK-LABEL: @overflow
// CHECK-NOT:     memplan.strips
func.func @overflow(%x: memref<1099511627776x1099511627776xf32>) -> memref<1099511627776x1099511627776xf32> {
  %a = memref.alloc() : memref<1099511627776x1099511627776xf32>
  linalg.exp ins(%x : memref<1099511627776x1099511627776xf32>) outs(%a : memref<1099511627776x1099511627776xf32>)
  %b = memref.alloc() : memref<1099511627776x1099511627776xf32>
  linalg.transpose ins(%a : memref<1099511627776x1099511627776xf32>)
    outs(%b : memref<1099511627776x1099511627776xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  return %b : memref<1099511627776x1099511627776xf32>
}

// 8. Split, but not into more than 65,536 strips.
// CHECK-LABEL: func.func @tall(
// CHECK:         memplan.strips = 65536
func.func @tall(%x: memref<1048576x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<1048576x8xf32> {
  %a = memref.alloc() : memref<1048576x64xf32>
  linalg.exp ins(%x : memref<1048576x64xf32>) outs(%a : memref<1048576x64xf32>)
  %b = memref.alloc() : memref<1048576x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1048576x8xf32>)
  linalg.matmul ins(%a, %w : memref<1048576x64xf32>, memref<64x8xf32>) outs(%b : memref<1048576x8xf32>)
  return %b : memref<1048576x8xf32>
}

// 9. Strips would begin one row before a group of rows of a view.
// CHECK-LABEL: @grouped
// CHECK-NOT:     memplan.strips
func.func @grouped(%x: memref<12x24xf32>, %c: f32) -> memref<14x24xf32> {
  %a = memref.alloc() : memref<12x24xf32>
  linalg.add ins(%x, %x : memref<12x24xf32>, memref<12x24xf32>) outs(%a : memref<12x24xf32>)
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [3, 4, 24] : memref<12x24xf32> into memref<3x4x24xf32>
  %t = memref.transpose %e (i, j, k) -> (i, j, k)
    : memref<3x4x24xf32> to memref<3x4x24xf32, strided<[96, 24, 1]>>
  %b = memref.collapse_shape %t [[0, 1], [2]]
    : memref<3x4x24xf32, strided<[96, 24, 1]>> into memref<12x24xf32, strided<[24, 1]>>
  %r = memref.alloc() : memref<14x24xf32>
  linalg.fill ins(%c : f32) outs(%r : memref<14x24xf32>)
  %v = memref.subview %r[1, 0] [12, 24] [1, 1] : memref<14x24xf32> to memref<12x24xf32, strided<[24, 1], offset: 24>>
  linalg.exp ins(%b : memref<12x24xf32, strided<[24, 1]>>) outs(%v : memref<12x24xf32, strided<[24, 1], offset: 24>>)
  return %r : memref<14x24xf32>
}
