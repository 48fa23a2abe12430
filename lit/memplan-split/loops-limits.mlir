// Limits of loops over elements: what is beyond stays whole, without an error.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-split{strip-cost=none},memplan-verify)' | \
// RUN:   FileCheck %s --implicit-check-not=memplan.items

// Loops around loops, and sums in an index; hundreds of each take no time.
// RUN: bash %S/Inputs/nest.sh 3 5 > %t.few.mlir
// RUN: %memplan-opt %t.few.mlir --pass-pipeline='builtin.module(memplan-split{strip-cost=none},memplan-verify)' | \
// RUN:   FileCheck %s --check-prefix=FEW
// RUN: for nest in '31 1' '29 1' '1 1001' '1 131' '1 55' '201 1'; do \
// RUN:   bash %S/Inputs/nest.sh $nest > %t.mlir; \
// RUN:   timeout 20 %memplan-opt %t.mlir -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(memplan-split{strip-cost=none},memplan-verify)' || exit 1; \
// RUN: done
// FEW: memplan.strips

// 1. As many iterations as the number that stands for items.
// CHECK-LABEL: func.func @items(
func.func @items(%n: index, %x: memref<?x4xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %a = memref.alloc(%n) : memref<?x4xf32>
  linalg.exp ins(%x : memref<?x4xf32>) outs(%a : memref<?x4xf32>)
  affine.for %i = 0 to 65521 {
    affine.for %j = 0 to 4 {
      %v = affine.load %a[%i, %j] : memref<?x4xf32>
      %w = arith.mulf %v, %two : f32
      affine.store %w, %a[%i, %j] : memref<?x4xf32>
    }
  }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<?xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<?x4xf32>) outs(%b : memref<?xf32>) dimensions = [1]
  return %b : memref<?xf32>
}

// -----

// 2. An inner loop that never runs.
// CHECK-LABEL: func.func @never(
// CHECK-NOT:     memplan.strips
// CHECK:         return
func.func @never(%x: memref<40x8xf32>, %y: memref<8x2xf32>) -> memref<40x2xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<40x8xf32>
  linalg.exp ins(%x : memref<40x8xf32>) outs(%a : memref<40x8xf32>)
  %b = memref.alloc() : memref<40x8xf32>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 0 {
        %v = affine.load %a[%i, %j] : memref<40x8xf32>
        affine.store %v, %b[%i, %j] : memref<40x8xf32>
      }
    }
  }
  %c = memref.alloc() : memref<40x2xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<40x2xf32>)
  linalg.matmul ins(%b, %y : memref<40x8xf32>, memref<8x2xf32>) outs(%c : memref<40x2xf32>)
  return %c : memref<40x2xf32>
}

// -----

// 3. The lowest bound, and the lowest constant in an index.
// CHECK-LABEL: func.func @lowest(
// CHECK-NOT:     memplan.strips
// CHECK:         return
func.func @lowest(%x: memref<40xf32>) -> memref<40xf32> {
  %min = arith.constant -9223372036854775808 : index
  %a = memref.alloc() : memref<40xf32>
  linalg.exp ins(%x : memref<40xf32>) outs(%a : memref<40xf32>)
  %b = memref.alloc() : memref<40xf32>
  affine.for %i = -9223372036854775808 to -9223372036854775768 {
    %j = arith.subi %i, %min : index
    %v = memref.load %a[%j] : memref<40xf32>
    memref.store %v, %b[%j] : memref<40xf32>
  }
  %c = memref.alloc() : memref<40xf32>
  affine.for %i = 0 to 40 {
    %j = arith.addi %i, %min : index
    %k = arith.addi %j, %min : index
    %v = memref.load %b[%k] : memref<40xf32>
    memref.store %v, %c[%k] : memref<40xf32>
  }
  return %c : memref<40xf32>
}

// -----

// 4. More rows than a check would follow: the other dimension is split, and one of two.
// CHECK-LABEL: func.func @rows(
// CHECK:         extents = array<i64: 2>
func.func @rows(%x: memref<1099511627776x2xf32>, %y: memref<2x1xf32>) -> memref<1099511627776x1xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1099511627776x2xf32>
  linalg.exp ins(%x : memref<1099511627776x2xf32>) outs(%a : memref<1099511627776x2xf32>)
  %b = memref.alloc() : memref<1099511627776x1xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<1099511627776x1xf32>)
  linalg.matmul ins(%a, %y : memref<1099511627776x2xf32>, memref<2x1xf32>) outs(%b : memref<1099511627776x1xf32>)
  return %b : memref<1099511627776x1xf32>
}

// -----

// CHECK-LABEL: func.func @both(
// CHECK:         extents = array<i64: {{[0-9]+}}>
func.func @both(%x: memref<4096x4097xf32>, %w: memref<3x3xf32>) -> memref<4094x4095xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4096x4097xf32>
  linalg.exp ins(%x : memref<4096x4097xf32>) outs(%a : memref<4096x4097xf32>)
  %b = memref.alloc() : memref<4094x4095xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4094x4095xf32>)
  linalg.conv_2d ins(%a, %w : memref<4096x4097xf32>, memref<3x3xf32>) outs(%b : memref<4094x4095xf32>)
  return %b : memref<4094x4095xf32>
}
