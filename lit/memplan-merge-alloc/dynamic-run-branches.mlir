// Buffers of dynamic size in branches, executed with several sizes: same output, never a higher peak. Each case prints
// its result, the allocations that it executed and the peak of the bytes that it asked for. Each allocation asks for 64
// bytes more than its size, for its alignment.
// RUN: sed '$d' %s > %t.mlir && cat %S/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(%to-llvm-counted)' | %runner > %t.plain
// RUN: FileCheck %s --check-prefixes=CHECK,PLAIN < %t.plain
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm-counted)' \
// RUN:   | %runner > %t.planned
// RUN: FileCheck %s --check-prefixes=CHECK,PLANNED < %t.planned
// After it, cse and canonicalize, and upstream's deallocation, which takes no input with deallocations.
// RUN: grep -v memref.dealloc %t.mlir > %t.leaks.mlir
// RUN: %memplan-opt %t.leaks.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,\
// RUN:   func.func(ownership-based-buffer-deallocation,canonicalize,buffer-deallocation-simplification),\
// RUN:   bufferization-lower-deallocations,cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner > %t.deallocated
// RUN: FileCheck %s < %t.deallocated
// Lowered to blocks before: never more than without the pass.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-linalg-to-loops,convert-scf-to-cf,\
// RUN:   memplan-merge-alloc{verify},%to-llvm-counted)' \
// RUN:   | %runner > %t.blocks
// RUN: FileCheck %s < %t.blocks
// RUN: paste %t.plain %t.blocks | tr -d , | awk '$5 > $2 || $6 > $3 { exit 1 }'
// The second run changes nothing.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-merge-alloc)' | diff %t.once.mlir -
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{dynamic=skip verify})' \
// RUN:   | FileCheck %s --check-prefix=SKIP

module {
func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

// SKIP-NOT: memplan.arena} : memref<?xi8>
func.func @show(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  %a = llvm.call @heap_allocations() : () -> i64
  call @printI64(%a) : (i64) -> ()
  call @printComma() : () -> ()
  %p = llvm.call @heap_most() : () -> i64
  call @printI64(%p) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill(%m: memref<?xf32>, %x: f32) attributes {no_inline} {
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return
}

func.func @sum(%m: memref<?xf32>) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. A size that is read from memory after the first buffers were used: a second arena there.
func.func @late(%n: index, %shape: memref<1xindex>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  %i = arith.fptoui %s : f32 to i64
  %j = arith.index_cast %i : i64 to index
  memref.store %j, %shape[%c0] : memref<1xindex>
  %k = memref.load %shape[%c0] : memref<1xindex>
  %d = memref.alloc(%k) {alignment = 64} : memref<?xf32>
  func.call @fill(%d, %one) : (memref<?xf32>, f32) -> ()
  %e = memref.alloc(%k) {alignment = 64} : memref<?xf32>
  %t = func.call @sum(%d) : (memref<?xf32>) -> f32
  func.call @fill(%e, %t) : (memref<?xf32>, f32) -> ()
  %u = func.call @sum(%e) : (memref<?xf32>) -> f32
  %w = func.call @sum(%b) : (memref<?xf32>) -> f32
  %x = arith.addf %u, %w : f32
  func.call @show(%x) : (f32) -> ()
  return
}

// 2. Two exits, one before the second buffer.
func.func @exits(%n: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  cf.cond_br %c, ^early, ^late
^early:
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
^late:
  %c9 = arith.constant 9 : index
  %m = arith.muli %n, %c9 : index
  %b = memref.alloc(%m) {alignment = 64} : memref<?xf32>
  func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  %t = func.call @sum(%b) : (memref<?xf32>) -> f32
  func.call @fill(%d, %t) : (memref<?xf32>, f32) -> ()
  %u = func.call @sum(%d) : (memref<?xf32>) -> f32
  func.call @show(%u) : (f32) -> ()
  return
}

// 3. All of it in a branch: the arena is there too, and nothing is allocated where another one is taken.
func.func @in_branch(%n: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %r = scf.if %c -> f32 {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %b = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    func.call @fill(%b, %s) : (memref<?xf32>, f32) -> ()
    %d = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    %t = func.call @sum(%b) : (memref<?xf32>) -> f32
    func.call @fill(%d, %t) : (memref<?xf32>, f32) -> ()
    %u = func.call @sum(%d) : (memref<?xf32>) -> f32
    memref.dealloc %d : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    scf.yield %u : f32
  } else {
    scf.yield %one : f32
  }
  func.call @show(%r) : (f32) -> ()
  return
}

// 4. Two buffers of a branch, one of which comes out of it.
func.func @comes_out(%n: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %r = scf.if %c -> memref<?xf32> {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %b = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    func.call @fill(%b, %s) : (memref<?xf32>, f32) -> ()
    scf.yield %b : memref<?xf32>
  } else {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    scf.yield %a : memref<?xf32>
  }
  %s = func.call @sum(%r) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %shape = memref.alloca() : memref<1xindex>
  // CHECK: {{^}}10100,
  // PLAIN-SAME: {{ }}4, 1856{{$}}
  // PLANNED-SAME: {{ }}2, 1376{{$}}
  call @late(%c100, %shape) : (index, memref<1xindex>) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}4, 256{{$}}
  // PLANNED-SAME: {{ }}2, 128{{$}}
  call @late(%c0, %shape) : (index, memref<1xindex>) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}10,
  // PLAIN-SAME: {{ }}1, 104{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @exits(%c10, %true) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}900,
  // PLAIN-SAME: {{ }}3, 632{{$}}
  // PLANNED-SAME: {{ }}2, 528{{$}}
  call @exits(%c10, %false) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1000,
  // PLAIN-SAME: {{ }}3, 312{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @in_branch(%c10, %true) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1,
  // PLAIN-SAME: {{ }}0, 0{{$}}
  // PLANNED-SAME: {{ }}0, 0{{$}}
  call @in_branch(%c10, %false) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}100,
  // PLAIN-SAME: {{ }}2, 208{{$}}
  // PLANNED-SAME: {{ }}2, 208{{$}}
  call @comes_out(%c10, %true) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}10,
  // PLAIN-SAME: {{ }}1, 104{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @comes_out(%c10, %false) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
