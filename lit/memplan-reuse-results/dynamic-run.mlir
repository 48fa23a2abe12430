// Executed: results and donated arguments of dynamic size hold buffers, with several sizes. The same numbers as without passes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline,%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},%to-llvm)' | %runner -O0 | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reuse-results,memplan-reuse-arguments)' \
// RUN:   | FileCheck %s --check-prefix=REUSED

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @sum(%a: memref<?x8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 0 : i64
  %n = memref.dim %a, %c0 : memref<?x8xi64>
  %all = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> i64 {
    %row = scf.for %j = %c0 to %c8 step %c1 iter_args(%t = %s) -> i64 {
      %v = memref.load %a[%i, %j] : memref<?x8xi64>
      %u = arith.muli %t, %v : i64
      %w = arith.addi %u, %v : i64
      scf.yield %w : i64
    }
    scf.yield %row : i64
  }
  return %all : i64
}

// REUSED-LABEL: func.func private @result
// REUSED-SAME: memplan.donated
// REUSED-COUNT-1: memref.alloc
// REUSED-NOT: memref.alloc
// REUSED: return
func.func private @result(%x: memref<?x8xi64>, %w: memref<8x8xi64>) -> memref<?x8xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?x8xi64>
  %a = memref.alloc(%n) : memref<?x8xi64>
  linalg.add ins(%x, %x : memref<?x8xi64>, memref<?x8xi64>) outs(%a : memref<?x8xi64>)
  %b = memref.alloc(%n) : memref<?x8xi64>
  linalg.fill ins(%zero : i64) outs(%b : memref<?x8xi64>)
  linalg.matmul ins(%a, %w : memref<?x8xi64>, memref<8x8xi64>) outs(%b : memref<?x8xi64>)
  %m = memref.dim %b, %c0 : memref<?x8xi64>
  %r = memref.alloc(%m) : memref<?x8xi64>
  linalg.fill ins(%zero : i64) outs(%r : memref<?x8xi64>)
  linalg.matmul ins(%b, %w : memref<?x8xi64>, memref<8x8xi64>) outs(%r : memref<?x8xi64>)
  return %r : memref<?x8xi64>
}

// REUSED-LABEL: func.func private @donated
// REUSED-SAME: memplan.donated
// REUSED-COUNT-1: memref.alloc
// REUSED-NOT: memref.alloc
// REUSED: return
func.func private @donated(%x: memref<?x8xi64> {memplan.donated}, %w: memref<8x8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %x, %c0 : memref<?x8xi64>
  %a = memref.alloc(%n) : memref<?x8xi64>
  linalg.fill ins(%zero : i64) outs(%a : memref<?x8xi64>)
  linalg.matmul ins(%x, %w : memref<?x8xi64>, memref<8x8xi64>) outs(%a : memref<?x8xi64>)
  %b = memref.alloc(%n) : memref<?x8xi64>
  linalg.fill ins(%zero : i64) outs(%b : memref<?x8xi64>)
  linalg.matmul ins(%a, %w : memref<?x8xi64>, memref<8x8xi64>) outs(%b : memref<?x8xi64>)
  %s = call @sum(%b) : (memref<?x8xi64>) -> i64
  return %s : i64
}

func.func @show(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %x = memref.alloc(%n) : memref<?x8xi64>
  linalg.fill ins(%one : i64) outs(%x : memref<?x8xi64>)
  %w = memref.alloc() : memref<8x8xi64>
  linalg.fill ins(%one : i64) outs(%w : memref<8x8xi64>)
  memref.store %three, %w[%c0, %c1] : memref<8x8xi64>
  %r = call @result(%x, %w) : (memref<?x8xi64>, memref<8x8xi64>) -> memref<?x8xi64>
  %s = call @sum(%r) : (memref<?x8xi64>) -> i64
  %t = call @donated(%r, %w) : (memref<?x8xi64>, memref<8x8xi64>) -> i64
  %both = arith.addi %s, %t : i64
  call @printI64(%both) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %n5 = arith.constant 5 : index
  // CHECK: {{^}}0{{$}}
  call @show(%n0) : (index) -> ()
  // CHECK-NEXT: {{^}}5021118231467251484{{$}}
  call @show(%n1) : (index) -> ()
  // CHECK-NEXT: {{^}}4623403576562800412{{$}}
  call @show(%n5) : (index) -> ()
  return
}
