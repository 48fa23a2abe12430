// Executed: a static arena for the largest sizes, in a global, with sizes up to these: the same results as without a plan. A
// larger size ends the program.
// RUN: sed 's/private @forward/@forward/' %s > %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global verify \
// RUN:   bounds=forward:d0<=8,forward:d1<=16})' -o %t.planned.mlir
// RUN: grep -q 'memref<1152xi8>' %t.planned.mlir
// RUN: %memplan-opt %t.planned.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: sed 's/@add(%%c7)/@add(%%c8)/' %t.mlir > %t.larger.mlir
// RUN: %memplan-opt %t.larger.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global verify \
// RUN:   bounds=forward:d0<=8,forward:d1<=16},%to-llvm)' -o %t.larger.llvm.mlir
// RUN: not --crash %runner -O0 %t.larger.llvm.mlir > %t.crash 2>&1

// CHECK:      0{{$}}
// CHECK-NEXT: 2{{$}}
// CHECK-NEXT: 60{{$}}
// CHECK-NEXT: 256{{$}}
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @forward(%x: memref<?x?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?x?xi64>
  %m = memref.dim %x, %c1 : memref<?x?xi64>
  %row = memref.alloc(%m) : memref<?xi64>
  linalg.fill ins(%one : i64) outs(%row : memref<?xi64>)
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

func.func @show(%n: index, %m: index) {
  %one = arith.constant 1 : i64
  %x = memref.alloc(%n, %m) {memplan.keep} : memref<?x?xi64>
  linalg.fill ins(%one : i64) outs(%x : memref<?x?xi64>)
  %sum = call @forward(%x) : (memref<?x?xi64>) -> i64
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?x?xi64>
  return
}

func.func @add(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %more = arith.addi %n, %c1 : index
  return %more : index
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  call @show(%c0, %c5) : (index, index) -> ()
  call @show(%c1, %c1) : (index, index) -> ()
  call @show(%c5, %c6) : (index, index) -> ()
  %most = call @add(%c7) : (index) -> index
  call @show(%most, %c16) : (index, index) -> ()
  return
}
