// Buffers of dynamic size in loops, executed with several sizes: same output, never a higher peak. Each case prints its
// result, the allocations that it executed and the peak of the bytes that it asked for. Each allocation asks for 64
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

// 1. In a loop: one allocation for all iterations, none where there are none.
func.func @iterations(%n: index, %iterations: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%s = %zero) -> f32 {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %t = func.call @sum(%a) : (memref<?xf32>) -> f32
    %u = arith.addf %s, %t : f32
    memref.dealloc %a : memref<?xf32>
    scf.yield %u : f32
  }
  func.call @show(%r) : (f32) -> ()
  return
}

// 2. In a body that runs in parallel: an arena for each iteration.
func.func @parallel(%n: index, %iterations: index, %out: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%iterations) step (%c1) {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    %m = arith.addi %i, %c1 : index
    %b = memref.alloc(%m) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %s) : (memref<?xf32>, f32) -> ()
    %t = func.call @sum(%b) : (memref<?xf32>) -> f32
    memref.store %t, %out[%i] : memref<?xf32>
  }
  %s = func.call @sum(%out) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
}

// 3. Sizes that each iteration computes: an arena in each iteration; a buffer that is carried on stays out of it.
func.func @in_iteration(%iterations: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%c1) {alignment = 64} : memref<?xf32>
  func.call @fill(%x, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%m = %x) -> memref<?xf32> {
    %a = memref.alloc(%i) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %j = arith.muli %i, %i : index
    %b = memref.alloc(%j) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    %t = func.call @sum(%b) : (memref<?xf32>) -> f32
    %u = arith.addf %s, %t : f32
    %d = memref.alloc(%i) {alignment = 64} : memref<?xf32>
    func.call @fill(%d, %u) : (memref<?xf32>, f32) -> ()
    %v = func.call @sum(%d) : (memref<?xf32>) -> f32
    %w = func.call @sum(%m) : (memref<?xf32>) -> f32
    %y = arith.addf %v, %w : f32
    %k = arith.addi %i, %c1 : index
    %e = memref.alloc(%k) {alignment = 64} : memref<?xf32>
    func.call @fill(%e, %y) : (memref<?xf32>, f32) -> ()
    scf.yield %e : memref<?xf32>
  }
  %s = func.call @sum(%r) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
}

// 4. Two branches with arenas of their own, freed there, within a loop that runs at least once.
func.func @in_branches(%n: index, %iterations: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r:2 = scf.while (%i = %c0, %s = %zero) : (index, f32) -> (index, f32) {
    %p = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %p, %c0 : index
    %v = scf.if %even -> f32 {
      %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
      func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
      %b = memref.alloc(%i) {alignment = 64} : memref<?xf32>
      %t = func.call @sum(%a) : (memref<?xf32>) -> f32
      func.call @fill(%b, %t) : (memref<?xf32>, f32) -> ()
      %u = func.call @sum(%b) : (memref<?xf32>) -> f32
      memref.dealloc %a : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
      scf.yield %u : f32
    } else {
      %k = arith.muli %i, %n : index
      %a = memref.alloc(%k) {alignment = 64} : memref<?xf32>
      func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
      %b = memref.alloc(%k) {alignment = 64} : memref<?xf32>
      %t = func.call @sum(%a) : (memref<?xf32>) -> f32
      func.call @fill(%b, %t) : (memref<?xf32>, f32) -> ()
      %u = func.call @sum(%b) : (memref<?xf32>) -> f32
      memref.dealloc %a : memref<?xf32>
      memref.dealloc %b : memref<?xf32>
      scf.yield %u : f32
    }
    %w = arith.addf %s, %v : f32
    %next = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %next, %iterations : index
    scf.condition(%more) %next, %w : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    scf.yield %i, %s : index, f32
  }
  func.call @show(%r#1) : (f32) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %out = memref.alloca() : memref<5xf32>
  %outs = memref.cast %out : memref<5xf32> to memref<?xf32>
  %c5 = arith.constant 5 : index
  // CHECK: {{^}}30,
  // PLAIN-SAME: {{ }}3, 104{{$}}
  // PLANNED-SAME: {{ }}3, 104{{$}}
  call @iterations(%c10, %c3) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}0, 0{{$}}
  // PLANNED-SAME: {{ }}0, 0{{$}}
  call @iterations(%c100, %c0) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}150,
  // PLAIN-SAME: {{ }}10, 900{{$}}
  // PLANNED-SAME: {{ }}5, 104{{$}}
  call @parallel(%c10, %c5, %outs) : (index, index, memref<?xf32>) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1,
  // PLAIN-SAME: {{ }}1, 68{{$}}
  // PLANNED-SAME: {{ }}1, 68{{$}}
  call @in_iteration(%c0) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}2200,
  // PLAIN-SAME: {{ }}21, 1608{{$}}
  // PLANNED-SAME: {{ }}11, 640{{$}}
  call @in_iteration(%c5) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}108,
  // PLAIN-SAME: {{ }}10, 200{{$}}
  // PLANNED-SAME: {{ }}5, 100{{$}}
  call @in_branches(%c3, %c5) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
