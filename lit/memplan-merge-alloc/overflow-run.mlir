// Executed: sizes that do not fit into an index. The size of the arena is then more than any memory, and never a small number to
// which it wraps around. Each case prints the sizes for some dimensions.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg verify})' | sed '/^}$/d' > %t.mlir
// RUN: cat %S/Inputs/print-sizes.mlir >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(cse,canonicalize,memplan-verify,%to-llvm)' | %runner -O0 \
// RUN:   | FileCheck %s

// 1. One dimension: 0, 1, 5, 2^62 and 2^62 + 1 (times four they are 0 and 4), -1, the least number.
// CHECK:      one: 0, 4, 20, 18014398509481984, 18014398509481984, 18014398509481984, 18014398509481984
func.func @one(%n: index, %x: f32, %to: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %to : memref<?xf32> to memref<?xf32>
  return
}

// 2. Two dimensions: 0 * -1, 3 * 5, 2^32 * 2^32, 2^31 * 2^31, (2^32 + 1) * (2^32 - 1) = -1, -1 * -1, 2^62 * 1.
// CHECK-NEXT: two: 0, 60, 18014398509481984, 18014398509481984, 18014398509481984, 18014398509481984, 18014398509481984
func.func @two(%n: index, %m: index, %x: f32, %to: memref<?x?xf32>) {
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  memref.copy %a, %to : memref<?x?xf32> to memref<?x?xf32>
  return
}

// 3. Three of them: a product that overflows is 0 if the last dimension is, and stays too large if that is 1.
// CHECK-NEXT: three: 0, 30, 18014398509481984, 18014398509481984
func.func @three(%n: index, %m: index, %k: index, %x: i8, %to: memref<?x?x?xi8>) {
  %a = memref.alloc(%n, %m, %k) : memref<?x?x?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?x?x?xi8>)
  memref.copy %a, %to : memref<?x?x?xi8> to memref<?x?x?xi8>
  return
}

// 4. Buffers at multiples of one size, which is rounded up: the limit is that of all multiples together.
// CHECK-NEXT: multiples: 128, 18014398509481984, 18014398509481984
func.func @multiples(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
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

// 5. A sum of two sizes, one of which is a product that the program computes of any numbers. That one wraps around to 0 for
// 2^32 * 2^32, and the buffer then has no elements.
// CHECK-NEXT: stacked: 96, 18014398509482048, 34359738368
func.func @stacked(%n: index, %m: index, %x: i8, %to: memref<?xi8>) {
  %p = arith.muli %n, %m : index
  %a = memref.alloc(%n) : memref<?x8xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?x8xi8>)
  %b = memref.alloc(%p) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  %q = memref.subview %a[0, 0] [%n, 1] [1, 1] : memref<?x8xi8> to memref<?xi8, strided<[8]>>
  memref.copy %q, %to : memref<?xi8, strided<[8]>> to memref<?xi8>
  memref.copy %b, %to : memref<?xi8> to memref<?xi8>
  return
}
