// Executed: a sum that a loop computes in the memory of the result. One allocation is all there is.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' | sed '/^}$/d' > %t.mlir
// RUN: cat %S/Inputs/main.mlir %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm-counted)' | %runner -O0 | FileCheck %s

// The result, allocations, the bytes that are left.
// CHECK:      98{{$}}
// CHECK-NEXT: 1{{$}}
// CHECK-NEXT: 0{{$}}
func.func @f(%x: i64) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %x) -> i64 {
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%s : i64) outs(%a : memref<8xi64>)
    %u = memref.load %a[%c3] : memref<8xi64>
    %t = arith.addi %u, %u : i64
    scf.yield %t : i64
  }
  %r = memref.alloc() : memref<8xi64>
  linalg.fill ins(%sum : i64) outs(%r : memref<8xi64>)
  %two = arith.constant 2 : i64
  memref.store %two, %r[%c1] : memref<8xi64>
  %v = memref.load %r[%c1] : memref<8xi64>
  %w = arith.addi %sum, %v : i64
  memref.store %w, %r[%c0] : memref<8xi64>
  return %r : memref<8xi64>
}
