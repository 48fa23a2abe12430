// Buffers of sizes that only the run knows, executed with several sizes: the same output, never a higher peak.
// Each case prints its result, the allocations that it executed and the peak of the bytes that it asked for (each
// allocation asks for 64 more than its size, for its alignment).
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

// 4. Two sizes that look equal: an affine division by what may be zero does not move, and select is not its first operand.
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

// 5. A size that is read from memory after the first buffers were used: a second arena there.
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

// 6. In a loop: one allocation for all turns, none where there are none.
func.func @turns(%n: index, %turns: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%s = %zero) -> f32 {
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

// 7. In a loop, with a size that each turn has anew: left alone.
func.func @varying(%turns: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%s = %zero) -> f32 {
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

// 8. An older instance is needed when the next one is allocated: left alone.
func.func @carried(%n: index, %turns: index) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%n) {alignment = 64} : memref<?xf32>
  func.call @fill(%x, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%m = %x) -> memref<?xf32> {
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

// 9. Freed at once: sharing in slots could take more than that, so that nothing happens.
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

// 10. A negative size that is never used, and one that overflows, in a branch that is not taken.
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

// 11. Two exits, one before the second buffer.
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

// 12. In a body that runs in parallel: an arena for each turn.
func.func @parallel(%n: index, %turns: index, %out: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%turns) step (%c1) {
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

// 13. With buffers of known size, vectors and more than one dimension in one arena, each aligned.
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

// 14. All of it in a branch: the arena is there too, and nothing is allocated where another one is taken.
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

// 15. Sizes that each turn has anew: an arena in each turn; one that is carried on stays out of it.
func.func @in_turn(%turns: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%c1) {alignment = 64} : memref<?xf32>
  func.call @fill(%x, %one) : (memref<?xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%m = %x) -> memref<?xf32> {
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

// 16. Two branches with arenas of their own, freed there, within a loop that runs at least once.
func.func @in_branches(%n: index, %turns: index) {
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
    %more = arith.cmpi ult, %next, %turns : index
    scf.condition(%more) %next, %w : index, f32
  } do {
  ^bb0(%i: index, %s: f32):
    scf.yield %i, %s : index, f32
  }
  func.call @show(%r#1) : (f32) -> ()
  return
}

// 17. Two buffers of a branch, one of which comes out of it.
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
  %n1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %huge = arith.constant 0x7fffffffffffffff : index
  %shape = memref.alloca() : memref<1xindex>
  %out = memref.alloca() : memref<5xf32>
  %outs = memref.cast %out : memref<5xf32> to memref<?xf32>
  %c5 = arith.constant 5 : index
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
  // PLANNED-SAME: {{ }}1, 912{{$}}
  call @alike(%c100, %c10, %false) : (index, index, i1) -> ()
  llvm.call @heap_start() : () -> ()
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
  // CHECK: {{^}}30,
  // PLAIN-SAME: {{ }}3, 104{{$}}
  // PLANNED-SAME: {{ }}3, 104{{$}}
  call @turns(%c10, %c3) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}0,
  // PLAIN-SAME: {{ }}0, 0{{$}}
  // PLANNED-SAME: {{ }}0, 0{{$}}
  call @turns(%c100, %c0) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
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
  // PLANNED-SAME: {{ }}3, 464{{$}}
  call @tight(%c100, %c10) : (index, index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}1100,
  // PLAIN-SAME: {{ }}3, 928{{$}}
  // PLANNED-SAME: {{ }}3, 928{{$}}
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
  // CHECK: {{^}}150,
  // PLAIN-SAME: {{ }}10, 900{{$}}
  // PLANNED-SAME: {{ }}5, 104{{$}}
  call @parallel(%c10, %c5, %outs) : (index, index, memref<?xf32>) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}12,
  // PLAIN-SAME: {{ }}3, 1894{{$}}
  // PLANNED-SAME: {{ }}1, 1866{{$}}
  call @mixed(%c10) : (index) -> ()
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
  // CHECK: {{^}}1,
  // PLAIN-SAME: {{ }}1, 68{{$}}
  // PLANNED-SAME: {{ }}1, 68{{$}}
  call @in_turn(%c0) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}2200,
  // PLAIN-SAME: {{ }}21, 1608{{$}}
  // PLANNED-SAME: {{ }}11, 640{{$}}
  call @in_turn(%c5) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  // CHECK: {{^}}108,
  // PLAIN-SAME: {{ }}10, 200{{$}}
  // PLANNED-SAME: {{ }}5, 100{{$}}
  call @in_branches(%c3, %c5) : (index, index) -> ()
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
