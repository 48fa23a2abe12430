// Buffers of which a run takes one of several orders, executed with several sizes, none and one among them: the same results with one
// allocation in place of many, and hardly more bytes than were held at once. Each case prints its result, the allocations that it
// executed and the peak of the bytes that it asked for; each asks for 64 bytes more than its size.
// RUN: sed '$d' %s > %t.mlir && cat %S/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm-counted)' | %runner -O0 > %t.plain
// RUN: FileCheck %s --check-prefixes=CHECK,PLAIN < %t.plain
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm-counted)' \
// RUN:   | %runner -O0 > %t.planned
// RUN: FileCheck %s --check-prefixes=CHECK,PLANNED < %t.planned
// RUN: sed '/memref.dealloc/d' %t.mlir > %t.kept.mlir
// RUN: %memplan-opt %t.kept.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm-counted)' \
// RUN:   | %runner -O0 > %t.kept
// RUN: FileCheck %s --check-prefixes=CHECK,KEPT < %t.kept
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

// Where n is much larger than m, the last buffer counts; where it is smaller, the first one does.
func.func @work(%n: index, %m: index) -> i64 {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  %x0 = arith.constant 0 : i64
  %x1 = arith.constant 1 : i64
  %x2 = arith.constant 2 : i64
  %mm = arith.muli %m, %m : index
  %mmn = arith.muli %mm, %n : index
  %n16 = arith.muli %n, %c16 : index
  %mn = arith.muli %m, %n : index
  %n7 = arith.muli %n, %c7 : index
  %m7 = arith.muli %m, %c7 : index
  %nn = arith.muli %n, %n : index
  %nn4 = arith.muli %nn, %c4 : index
  %a = memref.alloc(%mmn) {alignment = 64} : memref<?xi64>
  call @fill(%a, %x1) : (memref<?xi64>, i64) -> ()
  %b = memref.alloc(%n16) {alignment = 64} : memref<?xi64>
  call @fill(%b, %x2) : (memref<?xi64>, i64) -> ()
  %c = memref.alloc(%mn) {alignment = 64} : memref<?xi64>
  call @fill(%c, %x1) : (memref<?xi64>, i64) -> ()
  %s0 = call @sum(%c, %x0) : (memref<?xi64>, i64) -> i64
  memref.dealloc %c : memref<?xi64>
  %d = memref.alloc(%n7) {alignment = 64} : memref<?xi64>
  call @fill(%d, %x2) : (memref<?xi64>, i64) -> ()
  %s1 = call @sum(%a, %s0) : (memref<?xi64>, i64) -> i64
  memref.dealloc %a : memref<?xi64>
  %s2 = call @sum(%b, %s1) : (memref<?xi64>, i64) -> i64
  memref.dealloc %b : memref<?xi64>
  %e = memref.alloc(%m7) {alignment = 64} : memref<?xi64>
  call @fill(%e, %x1) : (memref<?xi64>, i64) -> ()
  %s3 = call @sum(%d, %s2) : (memref<?xi64>, i64) -> i64
  memref.dealloc %d : memref<?xi64>
  %f = memref.alloc(%nn4) {alignment = 64} : memref<?xi64>
  call @fill(%f, %x2) : (memref<?xi64>, i64) -> ()
  %s4 = call @sum(%f, %s3) : (memref<?xi64>, i64) -> i64
  memref.dealloc %f : memref<?xi64>
  %s5 = call @sum(%e, %s4) : (memref<?xi64>, i64) -> i64
  memref.dealloc %e : memref<?xi64>
  return %s5 : i64
}

func.func @show(%n: index, %m: index) {
  %x = call @work(%n, %m) : (index, index) -> i64
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
  %n0 = arith.constant 0 : index
  %n9 = arith.constant 9 : index
  %n1 = arith.constant 1 : index
  %n100 = arith.constant 100 : index
  %n30 = arith.constant 30 : index
  %n2000 = arith.constant 2000 : index
  %n3 = arith.constant 3 : index
  call @show(%n0, %n0) : (index, index) -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}6, 192{{$}}
  // PLANNED-SAME: {{ }}1, 64{{$}}
  // KEPT-SAME: {{ }}1, 64{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n0, %n9) : (index, index) -> ()
  // CHECK: {{^}}63,
  // PLAIN-SAME: {{ }}6, 632{{$}}
  // PLANNED-SAME: {{ }}1, 576{{$}}
  // KEPT-SAME: {{ }}1, 576{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n1, %n1) : (index, index) -> ()
  // CHECK: {{^}}63,
  // PLAIN-SAME: {{ }}6, 384{{$}}
  // PLANNED-SAME: {{ }}1, 312{{$}}
  // KEPT-SAME: {{ }}1, 312{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n1, %n100) : (index, index) -> ()
  // CHECK: {{^}}10854,
  // PLAIN-SAME: {{ }}6, 81120{{$}}
  // PLANNED-SAME: {{ }}1, 80992{{$}}
  // KEPT-SAME: {{ }}1, 80992{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n100, %n1) : (index, index) -> ()
  // CHECK: {{^}}84807,
  // PLAIN-SAME: {{ }}6, 320184{{$}}
  // PLANNED-SAME: {{ }}1, 320128{{$}}
  // KEPT-SAME: {{ }}1, 320128{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n30, %n30) : (index, index) -> ()
  // CHECK: {{^}}36690,
  // PLAIN-SAME: {{ }}6, 227232{{$}}
  // PLANNED-SAME: {{ }}1, 227104{{$}}
  // KEPT-SAME: {{ }}1, 227104{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n2000, %n1) : (index, index) -> ()
  // CHECK: {{^}}32096007,
  // PLAIN-SAME: {{ }}6, 128000184{{$}}
  // PLANNED-SAME: {{ }}1, 128000128{{$}}
  // KEPT-SAME: {{ }}1, 128000128{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n3, %n2000) : (index, index) -> ()
  // CHECK: {{^}}12020210,
  // PLAIN-SAME: {{ }}6, 96048576{{$}}
  // PLANNED-SAME: {{ }}1, 96048448{{$}}
  // KEPT-SAME: {{ }}1, 96048448{{$}}
  return
}
}
