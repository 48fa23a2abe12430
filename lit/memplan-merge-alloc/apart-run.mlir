// Several arenas of dynamic size in place of one, executed with several sizes, none and one among them: the same results, and the
// function never holds more than with separate allocations, its result included. Each case prints its result, the allocations that
// it executed and the peak of the bytes that it asked for; each asks for 64 bytes more than its size.
// RUN: sed '$d' %s > %t.mlir && cat %S/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(func.func(optimize-allocation-liveness),%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s --check-prefixes=CHECK,PLANNED

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

// The result is allocated when only a small buffer is needed, and a callee allocates after that.
func.func private @heap(%n: index) {
  %x3 = arith.constant 3 : i64
  %a = memref.alloc(%n) {alignment = 64} : memref<?xi64>
  call @fill(%a, %x3) : (memref<?xi64>, i64) -> ()
  return
}
func.func private @work(%n: index, %c: i1) -> memref<?xi64> {
  %c8 = arith.constant 8 : index
  %x0 = arith.constant 0 : i64
  %x1 = arith.constant 1 : i64
  %x2 = arith.constant 2 : i64
  %large = arith.muli %n, %c8 : index
  %a = memref.alloc(%large) {alignment = 64} : memref<?xi64>
  call @fill(%a, %x1) : (memref<?xi64>, i64) -> ()
  %b = memref.alloc(%large) {alignment = 64} : memref<?xi64>
  call @fill(%b, %x2) : (memref<?xi64>, i64) -> ()
  %s0 = call @sum(%a, %x0) : (memref<?xi64>, i64) -> i64
  %s1 = call @sum(%b, %s0) : (memref<?xi64>, i64) -> i64
  %d = memref.alloc(%n) {alignment = 64} : memref<?xi64>
  call @fill(%d, %s1) : (memref<?xi64>, i64) -> ()
  scf.if %c {
    func.call @heap(%large) : (index) -> ()
  }
  %r = memref.alloc(%large) {alignment = 64} : memref<?xi64>
  %s2 = call @sum(%d, %x0) : (memref<?xi64>, i64) -> i64
  call @fill(%r, %s2) : (memref<?xi64>, i64) -> ()
  return %r : memref<?xi64>
}

func.func @show(%n: index, %c: i1) {
  %x0 = arith.constant 0 : i64
  %r = call @work(%n, %c) : (index, i1) -> memref<?xi64>
  %x = call @sum(%r, %x0) : (memref<?xi64>, i64) -> i64
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
  // PLAIN-SAME: {{ }}4, 192{{$}}
  // PLANNED-SAME: {{ }}3, 128{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n1, %true) : (index, i1) -> ()
  // CHECK: {{^}}192,
  // PLAIN-SAME: {{ }}5, 328{{$}}
  // PLANNED-SAME: {{ }}4, 200{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n7, %false) : (index, i1) -> ()
  // CHECK: {{^}}65856,
  // PLAIN-SAME: {{ }}4, 1144{{$}}
  // PLANNED-SAME: {{ }}3, 960{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n7, %true) : (index, i1) -> ()
  // CHECK: {{^}}65856,
  // PLAIN-SAME: {{ }}5, 1144{{$}}
  // PLANNED-SAME: {{ }}4, 960{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n64, %true) : (index, i1) -> ()
  // CHECK: {{^}}50331648,
  // PLAIN-SAME: {{ }}5, 8896{{$}}
  // PLANNED-SAME: {{ }}4, 8256{{$}}
  llvm.call @heap_start() : () -> ()
  call @show(%n200, %true) : (index, i1) -> ()
  // CHECK: {{^}}1536000000,
  // PLAIN-SAME: {{ }}5, 27392{{$}}
  // PLANNED-SAME: {{ }}4, 25664{{$}}
  llvm.call @heap_start() : () -> ()
  return
}
}
