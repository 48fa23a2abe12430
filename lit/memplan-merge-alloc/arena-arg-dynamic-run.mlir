// Executed: the caller asks for the size, and provides as much. The results are those of the program as it was, with several
// sizes; one byte fewer is an error.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg verify})' | sed '/^}$/d' > %t.mlir
// RUN: cat %S/Inputs/ask-for-the-size.mlir >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: sed 's/%less = arith.constant 0/%less = arith.constant 1/' %t.mlir > %t.less.mlir
// RUN: %memplan-opt %t.less.mlir --pass-pipeline='builtin.module(%to-llvm)' -o %t.less.llvm.mlir
// RUN: not --crash %runner -O0 %t.less.llvm.mlir > %t.crash 2>&1

// CHECK:      576, 203{{$}}
// CHECK-NEXT: 0, 0{{$}}
// CHECK-NEXT: 4032, 1498{{$}}
// CHECK-NEXT: 4032, 1547{{$}}
// CHECK-NEXT: 65536, 25088{{$}}
// CHECK-NEXT: 422400, 160000{{$}}
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func private @fill(%a: memref<?xi64>, %x: i64) {
  linalg.fill ins(%x : i64) outs(%a : memref<?xi64>)
  return
}
func.func private @sum(%a: memref<?xi64>, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> i64 {
    %v = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %all : i64
}

// Linear and quadratic ones, and one under a condition.
func.func @work(%n: index, %c: i1) -> i64 {
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %x0 = arith.constant 0 : i64
  %x1 = arith.constant 1 : i64
  %x2 = arith.constant 2 : i64
  %line = arith.muli %n, %c64 : index
  %less = arith.muli %n, %c8 : index
  %square = arith.muli %n, %n : index
  %a = memref.alloc(%line) {alignment = 64} : memref<?xi64>
  call @fill(%a, %x1) : (memref<?xi64>, i64) -> ()
  %b = memref.alloc(%square) {alignment = 64} : memref<?xi64>
  call @fill(%b, %x2) : (memref<?xi64>, i64) -> ()
  %s0 = call @sum(%a, %x0) : (memref<?xi64>, i64) -> i64
  memref.dealloc %a : memref<?xi64>
  %d = memref.alloc(%less) {alignment = 64} : memref<?xi64>
  call @fill(%d, %x1) : (memref<?xi64>, i64) -> ()
  %s1 = call @sum(%b, %s0) : (memref<?xi64>, i64) -> i64
  memref.dealloc %b : memref<?xi64>
  %s2 = scf.if %c -> i64 {
    %e = memref.alloc(%square) {alignment = 64} : memref<?xi64>
    func.call @fill(%e, %x1) : (memref<?xi64>, i64) -> ()
    %s = func.call @sum(%e, %s1) : (memref<?xi64>, i64) -> i64
    memref.dealloc %e : memref<?xi64>
    scf.yield %s : i64
  } else {
    scf.yield %s1 : i64
  }
  %f = memref.alloc(%line) {alignment = 64} : memref<?xi64>
  call @fill(%f, %x2) : (memref<?xi64>, i64) -> ()
  %s3 = call @sum(%d, %s2) : (memref<?xi64>, i64) -> i64
  %s4 = call @sum(%f, %s3) : (memref<?xi64>, i64) -> i64
  memref.dealloc %d : memref<?xi64>
  memref.dealloc %f : memref<?xi64>
  return %s4 : i64
}
