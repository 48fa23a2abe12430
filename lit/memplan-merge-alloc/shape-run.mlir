// Executed: a static arena for one shape, with the same results as without a plan. Another shape ends the program, with a
// message.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global verify \
// RUN:   shape=forward:d0=5,forward:d1=3})' -o %t.planned.mlir
// RUN: grep -q 'memref<152xi8>' %t.planned.mlir
// RUN: %memplan-opt %t.planned.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: sed 's/constant 3 : index \/\/ d1/constant 4 : index/' %s > %t.other.mlir
// RUN: %memplan-opt %t.other.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global verify \
// RUN:   shape=forward:d0=5,forward:d1=3},%to-llvm)' -o %t.other.llvm.mlir
// RUN: not --crash stdbuf -oL %runner -O0 %t.other.llvm.mlir > %t.crash 2>&1
// RUN: FileCheck %s --check-prefix=CRASH < %t.crash

// CHECK: 45{{$}}
// CRASH: d1 is not 3
func.func private @printI64(i64)
func.func private @printNewline()

func.func @forward(%x: memref<?x?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?x?xi64>
  %m = memref.dim %x, %c1 : memref<?x?xi64>
  %row = memref.alloc(%m) : memref<?xi64>
  linalg.fill ins(%two : i64) outs(%row : memref<?xi64>)
  %a = memref.alloc(%n, %m) : memref<?x?xi64>
  linalg.broadcast ins(%row : memref<?xi64>) outs(%a : memref<?x?xi64>) dimensions = [0]
  %b = memref.alloc(%n, %m) : memref<?x?xi64>
  linalg.add ins(%a, %x : memref<?x?xi64>, memref<?x?xi64>) outs(%b : memref<?x?xi64>)
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %line = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> i64 {
      %v = memref.load %b[%i, %j] : memref<?x?xi64>
      %next = arith.addi %t, %v : i64
      scf.yield %next : i64
    }
    scf.yield %line : i64
  }
  return %all : i64
}

func.func @main() {
  %n = arith.constant 5 : index
  %m = arith.constant 3 : index // d1
  %one = arith.constant 1 : i64
  %x = memref.alloc(%n, %m) {memplan.keep} : memref<?x?xi64>
  linalg.fill ins(%one : i64) outs(%x : memref<?x?xi64>)
  %sum = call @forward(%x) : (memref<?x?xi64>) -> i64
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?x?xi64>
  return
}
