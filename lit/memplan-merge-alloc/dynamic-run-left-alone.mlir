// Buffers of dynamic size that stay as they are, executed with several sizes: same output, never a higher peak. Each
// case prints its result, the allocations that it executed and the peak of the bytes that it asked for. Each allocation
// asks for 64 bytes more than its size, for its alignment.
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

// 1. In a loop, with a size that each iteration computes: left alone.
func.func @varying(%iterations: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%s = %zero) -> f32 {
    %a = memref.alloc(%i) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %t = func.call @sum(%a) : (memref<?xf32>) -> f32
    %u = arith.addf %s, %t : f32
    memref.dealloc %a : memref<?xf32>
    scf.yield %u : f32
  }
  func.call @show(%r) : (f32) -> ()
  return
}

// 2. An older instance is needed when the next one is allocated: left alone.
func.func @carried(%n: index, %iterations: index) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%x, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%m = %x) -> memref<?xf32> {
    %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%m) : (memref<?xf32>) -> f32
    %t = func.call @sum(%a) : (memref<?xf32>) -> f32
    %u = arith.addf %s, %t : f32
    func.call @fill(%a, %u) : (memref<?xf32>, f32) -> ()
    scf.yield %a : memref<?xf32>
  }
  %s = func.call @sum(%r) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
}

// 3. Freed at once: slots could take more than that, but where one was, two can be.
func.func @tight(%n: index, %k: index) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%k) {alignment = 64} : memref<?xf32>
  %d = memref.alloc(%k) {alignment = 64} : memref<?xf32>
  func.call @fill(%b, %s) : (memref<?xf32>, f32) -> ()
  func.call @fill(%d, %one) : (memref<?xf32>, f32) -> ()
  %t = func.call @sum(%b) : (memref<?xf32>) -> f32
  %u = func.call @sum(%d) : (memref<?xf32>) -> f32
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %d : memref<?xf32>
  %v = arith.addf %t, %u : f32
  func.call @show(%v) : (f32) -> ()
  return
}

// 4. A negative size that is never used, and one that overflows, in a branch that is not taken.
func.func @negative(%n: index, %k: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : index
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  scf.if %c {
    %b = memref.alloc(%k) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
    %m = arith.muli %k, %k : index
    %d = memref.alloc(%m) {alignment = 64} : memref<?xf32>
    func.call @fill(%d, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    %e = memref.alloc(%k) {alignment = 64} : memref<?xf32>
    func.call @fill(%e, %s) : (memref<?xf32>, f32) -> ()
    %t = func.call @sum(%d) : (memref<?xf32>) -> f32
    func.call @fill(%a, %t) : (memref<?xf32>, f32) -> ()
  }
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  func.call @show(%s) : (f32) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %n1 = arith.constant -1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %huge = arith.constant 0x7fffffffffffffff : index
  // CHECK: {{^}}45,
  // PLAIN-SAME: {{ }}10, 100{{$}}
  // PLANNED-SAME: {{ }}10, 100{{$}}
  call @varying(%c10) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}198,
  // PLAIN-SAME: {{ }}4, 304{{$}}
  // PLANNED-SAME: {{ }}4, 304{{$}}
  call @carried(%c3, %c3) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1010,
  // PLAIN-SAME: {{ }}3, 464{{$}}
  // PLANNED-SAME: {{ }}1, 464{{$}}
  call @tight(%c100, %c10) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1100,
  // PLAIN-SAME: {{ }}3, 928{{$}}
  // PLANNED-SAME: {{ }}1, 912{{$}}
  call @tight(%c10, %c100) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}10,
  // PLAIN-SAME: {{ }}1, 104{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @negative(%c10, %n1, %false) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}10,
  // PLAIN-SAME: {{ }}1, 104{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @negative(%c10, %huge, %false) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}300,
  // PLAIN-SAME: {{ }}4, 748{{$}}
  // PLANNED-SAME: {{ }}1, 592{{$}}
  call @negative(%c3, %c10, %true) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
