// Buffers of dynamic size, executed with several sizes: same output, never a higher peak. Each case prints its result,
// the allocations that it executed and the peak of the bytes that it asked for. Each allocation asks for 64 bytes more
// than its size, for its alignment.
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

// 1. One after the other, and two at a time: two slots, one allocation.
func.func @chain(%n: index) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %b = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  func.call @fill(%b, %s) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  %t = func.call @sum(%b) : (memref<?xf32>) -> f32
  func.call @fill(%d, %t) : (memref<?xf32>, f32) -> ()
  %e = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  %u = func.call @sum(%d) : (memref<?xf32>) -> f32
  func.call @fill(%e, %u) : (memref<?xf32>, f32) -> ()
  %v = func.call @sum(%e) : (memref<?xf32>) -> f32
  func.call @show(%v) : (f32) -> ()
  return
}

// 2. A large buffer in one branch only: it does not count where the other one is taken.
func.func @branch(%n: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %c100 = arith.constant 100 : index
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.if %c -> f32 {
    %m = arith.muli %n, %c100 : index
    %b = memref.alloc(%m) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    scf.yield %s : f32
  } else {
    %b = memref.alloc(%n) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    scf.yield %s : f32
  }
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  %t = arith.addf %r, %s : f32
  func.call @show(%t) : (f32) -> ()
  return
}

// 3. A size that is divided by zero where its branch is not taken.
func.func @division(%n: index, %k: index) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %c = arith.cmpi ne, %k, %c0 : index
  %r = scf.if %c -> f32 {
    %m = arith.divsi %n, %k : index
    %b = memref.alloc(%m) {alignment = 64} : memref<?xf32>
    func.call @fill(%b, %one) : (memref<?xf32>, f32) -> ()
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    scf.yield %s : f32
  } else {
    scf.yield %one : f32
  }
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  %t = arith.addf %r, %s : f32
  func.call @show(%t) : (f32) -> ()
  return
}

// 4. Two sizes that look equal: an affine division by what may be zero does not move, and select is not its first
// operand.
func.func @alike(%n: index, %k: index, %c: i1) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%a, %one) : (memref<?xf32>, f32) -> ()
  %v = func.call @sum(%a) : (memref<?xf32>) -> f32
  %o = arith.select %c, %n, %k : index
  %b = memref.alloc(%o) {alignment = 64} : memref<?xf32>
  func.call @fill(%b, %two) : (memref<?xf32>, f32) -> ()
  %d = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%d, %one) : (memref<?xf32>, f32) -> ()
  %s = func.call @sum(%b) : (memref<?xf32>) -> f32
  %t = func.call @sum(%d) : (memref<?xf32>) -> f32
  %u = arith.addf %s, %t : f32
  %w = arith.addf %u, %v : f32
  func.call @show(%w) : (f32) -> ()
  return
}

// 5. With buffers of known size, vectors and more than one dimension in one arena, each aligned.
func.func @mixed(%n: index) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %vs = arith.constant dense<2.0> : vector<4xf32>
  %k = memref.alloc() {alignment = 64} : memref<7xf32>
  %kc = memref.cast %k : memref<7xf32> to memref<?xf32>
  func.call @fill(%kc, %one) : (memref<?xf32>, f32) -> ()
  %a = memref.alloc(%n) {alignment = 64} : memref<?xi8>
  %b = memref.alloc(%n, %n) {alignment = 128} : memref<?x?xvector<4xf32>>
  linalg.fill ins(%vs : vector<4xf32>) outs(%b : memref<?x?xvector<4xf32>>)
  %x = arith.constant 3 : i8
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  %i = memref.load %a[%c0] : memref<?xi8>
  %v = memref.load %b[%c0, %c0] : memref<?x?xvector<4xf32>>
  %e = vector.extract %v[3] : f32 from vector<4xf32>
  %f = arith.sitofp %i : i8 to f32
  %s = func.call @sum(%kc) : (memref<?xf32>) -> f32
  %g = arith.addf %e, %f : f32
  %h = arith.addf %g, %s : f32
  func.call @show(%h) : (f32) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}4, 256{{$}}
  // PLANNED-SAME: {{ }}1, 64{{$}}
  call @chain(%c0) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1,
  // PLAIN-SAME: {{ }}4, 272{{$}}
  // PLANNED-SAME: {{ }}1, 68{{$}}
  call @chain(%c1) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}10000,
  // PLAIN-SAME: {{ }}4, 416{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @chain(%c10) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1010,
  // PLAIN-SAME: {{ }}2, 4168{{$}}
  // PLANNED-SAME: {{ }}1, 4128{{$}}
  call @branch(%c10, %true) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}20,
  // PLAIN-SAME: {{ }}2, 208{{$}}
  // PLANNED-SAME: {{ }}1, 168{{$}}
  call @branch(%c10, %false) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}2, 128{{$}}
  // PLANNED-SAME: {{ }}1, 64{{$}}
  call @branch(%c0, %true) : (index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}13,
  // PLAIN-SAME: {{ }}2, 180{{$}}
  // PLANNED-SAME: {{ }}1, 140{{$}}
  call @division(%c10, %c3) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}11,
  // PLAIN-SAME: {{ }}1, 104{{$}}
  // PLANNED-SAME: {{ }}1, 104{{$}}
  call @division(%c10, %c0) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}40,
  // PLAIN-SAME: {{ }}3, 312{{$}}
  // PLANNED-SAME: {{ }}1, 168{{$}}
  call @alike(%c10, %c100, %true) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}220,
  // PLAIN-SAME: {{ }}3, 672{{$}}
  // PLANNED-SAME: {{ }}1, 552{{$}}
  call @alike(%c10, %c100, %false) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}220,
  // PLAIN-SAME: {{ }}3, 1032{{$}}
  // PLANNED-SAME: {{ }}1, 528{{$}}
  call @alike(%c100, %c10, %false) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}12,
  // PLAIN-SAME: {{ }}3, 1894{{$}}
  // PLANNED-SAME: {{ }}1, 1802{{$}}
  call @mixed(%c10) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  return
}
}
