// Executed with several sizes, none and one among them: the results before and after the plan are the same, in memory that
// begins with other bytes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 > %t.before
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(%to-llvm)' | %runner -O0 > %t.after
// RUN: cmp %t.before %t.after && FileCheck %s < %t.after

// CHECK:      0{{$}}
// CHECK-NEXT: 640{{$}}
// CHECK-NEXT: 10880{{$}}
// CHECK-NEXT: 32000{{$}}
func.func private @printI64(i64)
func.func private @printNewline()

func.func @work(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?x64xi64>
  linalg.fill ins(%one : i64) outs(%a : memref<?x64xi64>)
  %b = memref.alloc(%n) : memref<?x64xi64>
  linalg.add ins(%a, %a : memref<?x64xi64>, memref<?x64xi64>) outs(%b : memref<?x64xi64>)
  %c = memref.alloc(%n) : memref<?x32xi64>
  %p = memref.subview %b[0, 16] [%n, 32] [1, 1] : memref<?x64xi64> to memref<?x32xi64, strided<[64, 1], offset: 16>>
  memref.copy %p, %c : memref<?x32xi64, strided<[64, 1], offset: 16>> to memref<?x32xi64>
  %d = memref.alloc(%n) : memref<?x128xi64>
  linalg.fill ins(%one : i64) outs(%d : memref<?x128xi64>)
  %q = memref.subview %d[0, 96] [%n, 32] [1, 1] : memref<?x128xi64> to memref<?x32xi64, strided<[128, 1], offset: 96>>
  %e = memref.alloc(%n) : memref<?x32xi64>
  linalg.add ins(%q, %c : memref<?x32xi64, strided<[128, 1], offset: 96>>, memref<?x32xi64>) outs(%e : memref<?x32xi64>)
  %r = memref.alloc(%n) : memref<?xi64>
  %s = memref.alloc(%n) : memref<?xi64>
  linalg.fill ins(%zero : i64) outs(%r : memref<?xi64>)
  linalg.fill ins(%one : i64) outs(%s : memref<?xi64>)
  %c32 = arith.constant 32 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> i64 {
    %row = scf.for %j = %c0 to %c32 step %c1 iter_args(%u = %t) -> i64 {
      %v = memref.load %e[%i, %j] : memref<?x32xi64>
      %w = memref.load %c[%i, %j] : memref<?x32xi64>
      %x = memref.load %r[%i] : memref<?xi64>
      %y = arith.addi %v, %w : i64
      %z = arith.addi %y, %x : i64
      %f = arith.addi %u, %z : i64
      scf.yield %f : i64
    }
    scf.yield %row : i64
  }
  %four = arith.constant 4 : i64
  %product = arith.muli %sum, %four : i64
  return %product : i64
}
func.func @main() {
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %n17 = arith.constant 17 : index
  %n50 = arith.constant 50 : index
  %r0 = call @work(%n0) : (index) -> i64
  %r1 = call @work(%n1) : (index) -> i64
  %r17 = call @work(%n17) : (index) -> i64
  %r50 = call @work(%n50) : (index) -> i64
  call @printI64(%r0) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%r1) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%r17) : (i64) -> ()
  call @printNewline() : () -> ()
  call @printI64(%r50) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
