// Buffers of static and of dynamic size in the same bytes, executed with several sizes, none and one among them: the same results
// with one allocation, of as many bytes as are live at once. Each case prints its result, the allocations that it executed
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

// Two static ones, of which one lives on beside dynamic ones; then a static one in place of the dynamic ones.
func.func @work(%n: index) -> i64 {
  %c8 = arith.constant 8 : index
  %x0 = arith.constant 0 : i64
  %x1 = arith.constant 1 : i64
  %x2 = arith.constant 2 : i64
  %x3 = arith.constant 3 : i64
  %a = memref.alloc() {alignment = 64} : memref<64xi64>
  linalg.fill ins(%x1 : i64) outs(%a : memref<64xi64>)
  %b = memref.alloc() {alignment = 64} : memref<16xi64>
  linalg.fill ins(%x2 : i64) outs(%b : memref<16xi64>)
  %a_any = memref.cast %a : memref<64xi64> to memref<?xi64>
  %s0 = call @sum(%a_any, %x0) : (memref<?xi64>, i64) -> i64
  memref.dealloc %a : memref<64xi64>
  %c = memref.alloc(%n) {alignment = 64} : memref<?xi64>
  linalg.fill ins(%x3 : i64) outs(%c : memref<?xi64>)
  %m = arith.muli %n, %c8 : index
  %d = memref.alloc(%m) {alignment = 64} : memref<?xi64>
  linalg.fill ins(%x1 : i64) outs(%d : memref<?xi64>)
  %s1 = call @sum(%c, %s0) : (memref<?xi64>, i64) -> i64
  %s2 = call @sum(%d, %s1) : (memref<?xi64>, i64) -> i64
  memref.dealloc %c : memref<?xi64>
  memref.dealloc %d : memref<?xi64>
  %b_any = memref.cast %b : memref<16xi64> to memref<?xi64>
  %s3 = call @sum(%b_any, %s2) : (memref<?xi64>, i64) -> i64
  %e = memref.alloc() {alignment = 64} : memref<32xi64>
  linalg.fill ins(%x2 : i64) outs(%e : memref<32xi64>)
  %e_any = memref.cast %e : memref<32xi64> to memref<?xi64>
  %s4 = call @sum(%e_any, %s3) : (memref<?xi64>, i64) -> i64
  %s5 = call @sum(%b_any, %s4) : (memref<?xi64>, i64) -> i64
  memref.dealloc %b : memref<16xi64>
  memref.dealloc %e : memref<32xi64>
  return %s5 : i64
}

func.func @case(%n: index) {
  llvm.call @heap_start() : () -> ()
  %s = call @work(%n) : (index) -> i64
  %count = llvm.call @heap_allocations() : () -> i64
  %most = llvm.call @heap_most() : () -> i64
  func.call @printI64(%s) : (i64) -> ()
  func.call @printComma() : () -> ()
  func.call @printI64(%count) : (i64) -> ()
  func.call @printComma() : () -> ()
  func.call @printI64(%most) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  // CHECK: {{^}}192,
  // PLAIN-SAME: {{ }}5, 768{{$}}
  // PLANNED-SAME: {{ }}1, 704{{$}}
  call @case(%c0) : (index) -> ()
  // CHECK: {{^}}203,
  // PLAIN-SAME: {{ }}5, 768{{$}}
  // PLANNED-SAME: {{ }}1, 704{{$}}
  call @case(%c1) : (index) -> ()
  // CHECK: {{^}}269,
  // PLAIN-SAME: {{ }}5, 824{{$}}
  // PLANNED-SAME: {{ }}1, 704{{$}}
  call @case(%c7) : (index) -> ()
  // CHECK: {{^}}280,
  // PLAIN-SAME: {{ }}5, 896{{$}}
  // PLANNED-SAME: {{ }}1, 768{{$}}
  call @case(%c8) : (index) -> ()
  // CHECK: {{^}}11192,
  // PLAIN-SAME: {{ }}5, 72320{{$}}
  // PLANNED-SAME: {{ }}1, 72192{{$}}
  call @case(%c1000) : (index) -> ()
  return
}
}
