// Buffers of several orders of magnitude, executed with several sizes, none and one among them: the same results with one allocation
// in place of many, and never more bytes than were held at once. Each case prints its result, the allocations that it executed
// and the peak of the bytes that it asked for; each asks for 64 bytes more than its size.
// RUN: sed '$d' %s > %t.mlir && cat %S/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm-counted)' | %runner -O0 > %t.plain
// RUN: FileCheck %s --check-prefixes=CHECK,PLAIN < %t.plain
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm-counted)' \
// RUN:   | %runner -O0 > %t.planned
// RUN: FileCheck %s --check-prefixes=CHECK,PLANNED < %t.planned
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan{verify},cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner -O0 | sed 's/,.*//' > %t.pipeline
// RUN: sed 's/,.*//' %t.plain | cmp - %t.pipeline

module {
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func @fill(%a: memref<?xi64>, %x: i64) {
  linalg.fill ins(%x : i64) outs(%a : memref<?xi64>)
  return
}
func.func @sum(%a: memref<?xi64>, %x: i64) -> i64 {
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

func.func @show(%n: index, %c: i1) {
  %x = call @work(%n, %c) : (index, i1) -> i64
  call @printI64(%x) : (i64) -> ()
  call @printComma() : () -> ()
  %a = llvm.call @heap_allocations() : () -> i64
  call @printI64(%a) : (i64) -> ()
  call @printComma() : () -> ()
  %p = llvm.call @heap_most() : () -> i64
  call @printI64(%p) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n0 = arith.constant 0 : index
  %n1 = arith.constant 1 : index
  %n7 = arith.constant 7 : index
  %n64 = arith.constant 64 : index
  %n200 = arith.constant 200 : index
  call @show(%n0, %false) : (index, i1) -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}4, 128{{$}}
  // PLANNED-SAME: {{ }}1, 64{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n1, %true) : (index, i1) -> ()
  // CHECK: {{^}}203,
  // PLAIN-SAME: {{ }}5, 704{{$}}
  // PLANNED-SAME: {{ }}1, 640{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n7, %false) : (index, i1) -> ()
  // CHECK: {{^}}1498,
  // PLAIN-SAME: {{ }}4, 4160{{$}}
  // PLANNED-SAME: {{ }}1, 4096{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n7, %true) : (index, i1) -> ()
  // CHECK: {{^}}1547,
  // PLAIN-SAME: {{ }}5, 4160{{$}}
  // PLANNED-SAME: {{ }}1, 4096{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n64, %true) : (index, i1) -> ()
  // CHECK: {{^}}25088,
  // PLAIN-SAME: {{ }}5, 65664{{$}}
  // PLANNED-SAME: {{ }}1, 65600{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n200, %true) : (index, i1) -> ()
  // CHECK: {{^}}160000,
  // PLAIN-SAME: {{ }}5, 422528{{$}}
  // PLANNED-SAME: {{ }}1, 422464{{$}}
  llvm.call @heap_start() : () -> ()
  return
}
}
