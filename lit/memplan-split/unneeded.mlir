// Rows that no operation of a chain needs: the operation that makes them has none in any strip.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split{strip-cost=none max-strips=1 forms=plain},\
// RUN:   memplan-verify)' | FileCheck %s

// Of `%c`, only the first rows are needed, and not those that the second copy writes.
// CHECK-LABEL: func.func @unneeded(
// CHECK:         scf.for
// CHECK:           linalg.copy {{.*}}split = [array<i64: 0, {{[0-9]+}}, -8, 0>]
// CHECK:         memplan.strips
func.func @unneeded(%x: memref<8x16xf32>) -> memref<4x16xf32> {
  %a = memref.alloc() : memref<8x16xf32>
  linalg.exp ins(%x : memref<8x16xf32>) outs(%a : memref<8x16xf32>)
  %c = memref.alloc() : memref<16x16xf32>
  %first = memref.subview %c[0, 0] [8, 16] [1, 1] : memref<16x16xf32> to memref<8x16xf32, strided<[16, 1]>>
  memref.copy %a, %first : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1]>>
  %second = memref.subview %c[8, 0] [8, 16] [1, 1] : memref<16x16xf32> to memref<8x16xf32, strided<[16, 1], offset: 128>>
  memref.copy %a, %second : memref<8x16xf32> to memref<8x16xf32, strided<[16, 1], offset: 128>>
  %needed = memref.subview %c[0, 0] [4, 16] [1, 1] : memref<16x16xf32> to memref<4x16xf32, strided<[16, 1]>>
  %d = memref.alloc() : memref<4x16xf32>
  linalg.exp ins(%needed : memref<4x16xf32, strided<[16, 1]>>) outs(%d : memref<4x16xf32>)
  return %d : memref<4x16xf32>
}
