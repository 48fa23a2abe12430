// Executed on a heap that counts, with regions that are poisoned when they go: what each case computes, the allocations that
// it makes on the heap, the regions that it leaves and the bytes on the heap that it leaves, which are none. A region that is
// alive at the end makes the run fail.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-regions,memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions{loops=checkpoint},\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions{loops=per-iteration},\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-regions{loops=enclosing},memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-regions{single-region},memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions{public-abi=destination},\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions{release=last-use},\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions{sizes=all release=last-use \
// RUN:   loops=per-iteration alignment=16},memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-regions{auto},memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// Twice; on blocks, where what loops make is left to deallocation; and where private functions say of results whether the caller owns them.
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-regions,memplan-regions,memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-regions,\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s --check-prefix=BLOCKS
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions,\
// RUN:   memplan-dealloc-pipeline{private-function-dynamic-ownership},%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-regions,\
// RUN:   memplan-dealloc-pipeline{placement=block-end},%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s
// Static memory merged before.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc,memplan-regions,\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s

module {
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
func.func private @memplan_region_alive() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_held() -> i64 attributes {llvm.emit_c_interface}

// What a case computes, and the allocations that it makes on the heap; no region is left, and nothing on the heap.
func.func @show(%x: i64) attributes {no_inline} {
  call @printI64(%x) : (i64) -> ()
  call @printComma() : () -> ()
  %a = llvm.call @heap_allocations() : () -> i64
  call @printI64(%a) : (i64) -> ()
  call @printComma() : () -> ()
  %r = call @memplan_region_alive() : () -> i64
  call @printI64(%r) : (i64) -> ()
  call @printComma() : () -> ()
  %l = llvm.call @heap_left() : () -> i64
  call @printI64(%l) : (i64) -> ()
  call @printNewline() : () -> ()
  llvm.call @heap_start() : () -> ()
  return
}

func.func private @fill(%a: memref<?xi64>, %start: i64) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %v = arith.addi %k, %start : i64
    memref.store %v, %a[%i] : memref<?xi64>
  }
  return
}

func.func private @sum(%a: memref<?xi64>) -> i64 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %a, %c0 : memref<?xi64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> i64 {
    %v = memref.load %a[%i] : memref<?xi64>
    %u = arith.addi %t, %v : i64
    scf.yield %u : i64
  }
  return %s : i64
}

// 1. A private function makes what it returns, and a temporary.
func.func private @doubled(%n: index, %a: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?xi64>
  memref.copy %a, %t : memref<?xi64> to memref<?xi64>
  %r = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi64>
    %y = memref.load %t[%i] : memref<?xi64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %r[%i] : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @case1(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  %b = call @doubled(%n, %a) : (index, memref<?xi64>) -> memref<?xi64>
  %c = call @doubled(%n, %b) : (index, memref<?xi64>) -> memref<?xi64>
  %s = call @sum(%c) : (memref<?xi64>) -> i64
  return %s : i64
}

// 2. A public one keeps its type; what calls it in this module gets it in a region.
func.func @public(%n: index, %start: i64) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  func.call @fill(%a, %start) : (memref<?xi64>, i64) -> ()
  return %a : memref<?xi64>
}
func.func private @case2(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  return %s : i64
}

// 3. A region a turn; what a turn makes goes with it.
func.func private @case3(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %s = scf.for %i = %c0 to %turns step %c1 iter_args(%t = %zero) -> i64 {
    %k = arith.index_cast %i : index to i64
    %a = func.call @public(%n, %k) : (index, i64) -> memref<?xi64>
    %b = func.call @doubled(%n, %a) : (index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%b) : (memref<?xi64>) -> i64
    %u = arith.addi %t, %v : i64
    scf.yield %u : i64
  }
  return %s : i64
}

// 4. Something outlives the turn, and something does not.
func.func private @case4(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %first = memref.alloc(%n) : memref<?xi64>
  call @fill(%first, %zero) : (memref<?xi64>, i64) -> ()
  %last = scf.for %i = %c0 to %turns step %c1 iter_args(%x = %first) -> memref<?xi64> {
    %t = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%t) : (memref<?xi64>) -> i64
    %next = func.call @public(%n, %v) : (index, i64) -> memref<?xi64>
    scf.yield %next : memref<?xi64>
  }
  %s = call @sum(%last) : (memref<?xi64>) -> i64
  return %s : i64
}

// 5. It may be an argument, or new.
func.func private @either(%c: i1, %n: index, %a: memref<?xi64>) -> memref<?xi64> {
  %r = scf.if %c -> memref<?xi64> {
    %five = arith.constant 5 : i64
    %b = memref.alloc(%n) : memref<?xi64>
    func.call @fill(%b, %five) : (memref<?xi64>, i64) -> ()
    scf.yield %b : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @case5(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  %b = call @either(%true, %n, %a) : (i1, index, memref<?xi64>) -> memref<?xi64>
  %c = call @either(%false, %n, %a) : (i1, index, memref<?xi64>) -> memref<?xi64>
  // Both are one memory: what is written to one is seen in the other.
  %c0 = arith.constant 0 : index
  %big = arith.constant 100 : i64
  memref.store %big, %c[%c0] : memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  %t = call @sum(%b) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 6. Recursion: each call makes what it returns, and what it needs for itself.
func.func private @deeper(%n: index, %depth: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_last = arith.cmpi eq, %depth, %c0 : index
  %r = scf.if %is_last -> memref<?xi64> {
    %one = arith.constant 1 : i64
    %b = memref.alloc(%n) : memref<?xi64>
    func.call @fill(%b, %one) : (memref<?xi64>, i64) -> ()
    scf.yield %b : memref<?xi64>
  } else {
    %less = arith.subi %depth, %c1 : index
    %inner = func.call @deeper(%n, %less) : (index, index) -> memref<?xi64>
    %d = func.call @doubled(%n, %inner) : (index, memref<?xi64>) -> memref<?xi64>
    scf.yield %d : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @case6(%n: index) -> i64 {
  %c10 = arith.constant 10 : index
  %a = call @deeper(%n, %c10) : (index, index) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  return %s : i64
}

// 7. It returns early, on one of two ways.
func.func private @early(%n: index, %c: i1) -> memref<?xi64> {
  %three = arith.constant 3 : i64
  %t = memref.alloc(%n) : memref<?xi64>
  call @fill(%t, %three) : (memref<?xi64>, i64) -> ()
  cf.cond_br %c, ^now, ^later
^now:
  %a = call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
  return %a : memref<?xi64>
^later:
  %b = call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
  %d = call @doubled(%n, %b) : (index, memref<?xi64>) -> memref<?xi64>
  return %d : memref<?xi64>
}
func.func private @case7(%n: index) -> i64 {
  %true = arith.constant true
  %false = arith.constant false
  %a = call @early(%n, %true) : (index, i1) -> memref<?xi64>
  %b = call @early(%n, %false) : (index, i1) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  %t = call @sum(%b) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 8. One result is a temporary of the caller, the other one is what it returns.
func.func private @both(%n: index) -> (memref<?xi64>, memref<?xi64>) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  %b = memref.alloc(%n) : memref<?xi64>
  call @fill(%b, %two) : (memref<?xi64>, i64) -> ()
  return %a, %b : memref<?xi64>, memref<?xi64>
}
func.func private @one_of_both(%n: index) -> memref<?xi64> {
  %a, %b = call @both(%n) : (index) -> (memref<?xi64>, memref<?xi64>)
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xi64>
  memref.store %x, %b[%c0] : memref<?xi64>
  return %b : memref<?xi64>
}
func.func private @case8(%n: index) -> i64 {
  %a = call @one_of_both(%n) : (index) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  return %s : i64
}

// 9. A memref that is stored in memory which the function keeps to itself goes to a region; what the program frees does not.
func.func private @case9(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %cell = memref.alloca() : memref<memref<?xi64>>
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  memref.store %a, %cell[] : memref<memref<?xi64>>
  %b = memref.load %cell[] : memref<memref<?xi64>>
  %s = call @sum(%b) : (memref<?xi64>) -> i64
  %c = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %t = call @sum(%c) : (memref<?xi64>) -> i64
  memref.dealloc %c : memref<?xi64>
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 10. Called as a value, a function keeps its type and its rules.
func.func private @by_value(%n: index, %start: i64) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %start) : (memref<?xi64>, i64) -> ()
  return %a : memref<?xi64>
}
func.func private @case10(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %f = constant @by_value : (index, i64) -> memref<?xi64>
  %a = call_indirect %f(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @by_value(%n, %one) : (index, i64) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  %t = call @sum(%b) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 11. A loop of another form.
func.func private @case11(%n: index) -> i64 {
  %zero = arith.constant 0 : i64
  %limit = arith.constant 500 : i64
  %s = scf.while (%t = %zero) : (i64) -> i64 {
    %a = func.call @public(%n, %t) : (index, i64) -> memref<?xi64>
    %v = func.call @sum(%a) : (memref<?xi64>) -> i64
    %c = arith.cmpi slt, %v, %limit : i64
    scf.condition(%c) %v : i64
  } do {
  ^bb0(%v: i64):
    %a = func.call @public(%n, %v) : (index, i64) -> memref<?xi64>
    %w = func.call @sum(%a) : (memref<?xi64>) -> i64
    scf.yield %w : i64
  }
  return %s : i64
}

// 12. A body that may run several times at once, each with a region of its own.
func.func private @case12(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%turns) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%turns) step (%c1) {
    %k = arith.index_cast %i : index to i64
    %a = func.call @public(%n, %k) : (index, i64) -> memref<?xi64>
    %t = memref.alloc(%n) : memref<?xi64>
    memref.copy %a, %t : memref<?xi64> to memref<?xi64>
    %v = func.call @sum(%t) : (memref<?xi64>) -> i64
    memref.store %v, %all[%i] : memref<?xi64>
  }
  %s = call @sum(%all) : (memref<?xi64>) -> i64
  return %s : i64
}

// 13. What is lent by a call, and what the caller owns, meet in one value.
func.func private @case13(%n: index, %c: i1) -> i64 {
  %one = arith.constant 1 : i64
  %f = constant @by_value : (index, i64) -> memref<?xi64>
  %a = call_indirect %f(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %d = arith.select %c, %a, %b : memref<?xi64>
  %e = call @either(%c, %n, %d) : (i1, index, memref<?xi64>) -> memref<?xi64>
  %s = call @sum(%e) : (memref<?xi64>) -> i64
  return %s : i64
}

// 14. Loops in loops, and memory of all of them.
func.func private @case14(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %t = memref.alloc(%n) : memref<?xi64>
  call @fill(%t, %zero) : (memref<?xi64>, i64) -> ()
  %s = scf.for %i = %c0 to %turns step %c1 iter_args(%sum = %zero) -> i64 {
    %u = func.call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
    %r = scf.for %j = %c0 to %turns step %c1 iter_args(%x = %u) -> memref<?xi64> {
      %v = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
      %w = func.call @doubled(%n, %v) : (index, memref<?xi64>) -> memref<?xi64>
      scf.yield %w : memref<?xi64>
    }
    %p = scf.for %j = %c0 to %turns step %c1 iter_args(%q = %zero) -> i64 {
      %v = func.call @doubled(%n, %r) : (index, memref<?xi64>) -> memref<?xi64>
      %w = func.call @sum(%v) : (memref<?xi64>) -> i64
      %x = arith.addi %q, %w : i64
      scf.yield %x : i64
    }
    %o = arith.addi %p, %sum : i64
    scf.yield %o : i64
  }
  return %s : i64
}

// 15. What a loop hands on is returned: the caller's region keeps the loop's.
func.func private @iterated(%n: index, %turns: index, %a: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%x = %a) -> memref<?xi64> {
    %t = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
    %u = func.call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
    scf.yield %u : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @case15(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  %b = call @iterated(%n, %turns, %a) : (index, index, memref<?xi64>) -> memref<?xi64>
  %c = call @iterated(%n, %c0, %b) : (index, index, memref<?xi64>) -> memref<?xi64>
  %s = call @sum(%c) : (memref<?xi64>) -> i64
  %t = scf.for %i = %c0 to %turns step %c1 iter_args(%q = %zero) -> i64 {
    %d = func.call @iterated(%n, %i, %a) : (index, index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%d) : (memref<?xi64>) -> i64
    %w = arith.addi %q, %v : i64
    scf.yield %w : i64
  }
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 16. Two that are both new change places.
func.func private @case16(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @public(%n, %two) : (index, i64) -> memref<?xi64>
  %q:2 = scf.for %i = %c0 to %turns step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi64>, memref<?xi64>) {
    %t = func.call @doubled(%n, %y) : (index, memref<?xi64>) -> memref<?xi64>
    %u = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
    scf.yield %t, %u : memref<?xi64>, memref<?xi64>
  }
  %s = call @sum(%q#0) : (memref<?xi64>) -> i64
  %t = call @sum(%q#1) : (memref<?xi64>) -> i64
  %w = call @sum(%b) : (memref<?xi64>) -> i64
  %x = arith.muli %s, %w : i64
  %z = arith.addi %x, %t : i64
  return %z : i64
}

// 17. A loop in a loop hands on what it makes, from something that is there for longer; and what a turn makes is selected, or
// else that.
func.func private @case17(%n: index, %c: i1, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %all = scf.for %i = %c0 to %turns step %c1 iter_args(%s = %zero) -> i64 {
    %r = scf.for %j = %c0 to %i step %c1 iter_args(%x = %a) -> memref<?xi64> {
      %t = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
      scf.yield %t : memref<?xi64>
    }
    %d = func.call @doubled(%n, %r) : (index, memref<?xi64>) -> memref<?xi64>
    %e = arith.select %c, %a, %d : memref<?xi64>
    %v = func.call @sum(%r) : (memref<?xi64>) -> i64
    %w = func.call @sum(%e) : (memref<?xi64>) -> i64
    %u = arith.addi %v, %w : i64
    %o = arith.addi %s, %u : i64
    scf.yield %o : i64
  }
  %k = call @sum(%a) : (memref<?xi64>) -> i64
  %m = arith.addi %all, %k : i64
  return %m : i64
}

// 18. What a turn got goes behind its last use, as the turn makes more behind that.
func.func private @case18(%n: index, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %byte = arith.constant 255 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %r = scf.for %i = %c0 to %turns step %c1 iter_args(%b = %a) -> memref<?xi64> {
    %c = func.call @doubled(%n, %b) : (index, memref<?xi64>) -> memref<?xi64>
    %first = memref.subview %b[0] [1] [1] : memref<?xi64> to memref<1xi64, strided<[1]>>
    %k = memref.load %first[%c0] : memref<1xi64, strided<[1]>>
    %start = arith.andi %k, %byte : i64
    %t = func.call @public(%n, %start) : (index, i64) -> memref<?xi64>
    %u = func.call @sum(%t) : (memref<?xi64>) -> i64
    memref.store %u, %c[%c0] : memref<?xi64>
    scf.yield %c : memref<?xi64>
  }
  %s = call @sum(%r) : (memref<?xi64>) -> i64
  return %s : i64
}

// 19. What is in memory of memrefs: of one turn, of the function, and what a callee returns from there. The memory of
// memrefs itself is on the heap.
func.func private @from_one(%n: index, %c: i1) -> memref<?xi64> {
  %one = arith.constant 1 : i64
  %c0 = arith.constant 0 : index
  %x = memref.alloca() : memref<2xmemref<?xi64>>
  %y = memref.alloca() : memref<2xmemref<?xi64>>
  %z = arith.select %c, %x, %y : memref<2xmemref<?xi64>>
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  memref.store %a, %x[%c0] : memref<2xmemref<?xi64>>
  %b = memref.alloc(%n) : memref<?xi64>
  call @fill(%b, %one) : (memref<?xi64>, i64) -> ()
  memref.store %b, %z[%c0] : memref<2xmemref<?xi64>>
  %l = memref.load %x[%c0] : memref<2xmemref<?xi64>>
  return %l : memref<?xi64>
}
func.func private @case19(%n: index, %c: i1, %turns: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %outer = memref.alloc() : memref<1xmemref<?xmemref<?xi64>>>
  %inner = memref.alloc(%turns) : memref<?xmemref<?xi64>>
  memref.store %inner, %outer[%c0] : memref<1xmemref<?xmemref<?xi64>>>
  %first = func.call @from_one(%n, %c) : (index, i1) -> memref<?xi64>
  %in = memref.load %outer[%c0] : memref<1xmemref<?xmemref<?xi64>>>
  memref.store %first, %in[%c0] : memref<?xmemref<?xi64>>
  %s = scf.for %i = %c0 to %turns step %c1 iter_args(%t = %zero) -> i64 {
    %cell = memref.alloca() : memref<memref<?xi64>>
    %a = func.call @public(%n, %t) : (index, i64) -> memref<?xi64>
    memref.store %a, %cell[] : memref<memref<?xi64>>
    %l = memref.load %cell[] : memref<memref<?xi64>>
    %v = func.call @sum(%l) : (memref<?xi64>) -> i64
    scf.yield %v : i64
  }
  %l = memref.load %inner[%c0] : memref<?xmemref<?xi64>>
  %v = call @sum(%l) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %v : i64
  return %u : i64
}

// 20. What turns put into memory around them stays as long as that, and is in no region that turns swap.
func.func private @case20(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %cells = memref.alloca() : memref<4xmemref<?xi64>>
  %first = memref.alloc(%n) : memref<?xi64>
  call @fill(%first, %one) : (memref<?xi64>, i64) -> ()
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %first) -> memref<?xi64> {
    %v = memref.load %p[%c0] : memref<?xi64>
    %w = arith.addi %v, %one : i64
    %a = memref.alloc(%n) : memref<?xi64>
    func.call @fill(%a, %w) : (memref<?xi64>, i64) -> ()
    memref.store %a, %cells[%i] : memref<4xmemref<?xi64>>
    scf.yield %a : memref<?xi64>
  }
  %l = memref.load %cells[%c0] : memref<4xmemref<?xi64>>
  %s = call @sum(%l) : (memref<?xi64>) -> i64
  %t = call @sum(%last) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

func.func @main() {
  %n = arith.constant 10 : index
  %turns = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  llvm.call @heap_start() : () -> ()
  %1 = call @case1(%n) : (index) -> i64
  // CHECK: 220, 0, 0, 0
  // BLOCKS: 220, 0, 0, 0
  call @show(%1) : (i64) -> ()
  %2 = call @case2(%n) : (index) -> i64
  // CHECK-NEXT: 55, 0, 0, 0
  // BLOCKS-NEXT: 55, 0, 0, 0
  call @show(%2) : (i64) -> ()
  %3 = call @case3(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 650, 0, 0, 0
  // BLOCKS-NEXT: 650, 10, 0, 0
  call @show(%3) : (i64) -> ()
  %4 = call @case4(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 151578945, 0, 0, 0
  // BLOCKS-NEXT: 151578945, 11, 0, 0
  call @show(%4) : (i64) -> ()
  %5 = call @case5(%n) : (index) -> i64
  // CHECK-NEXT: 249, 0, 0, 0
  // BLOCKS-NEXT: 249, 0, 0, 0
  call @show(%5) : (i64) -> ()
  %6 = call @case6(%n) : (index) -> i64
  // CHECK-NEXT: 56320, 0, 0, 0
  // BLOCKS-NEXT: 56320, 0, 0, 0
  call @show(%6) : (i64) -> ()
  %7 = call @case7(%n) : (index) -> i64
  // CHECK-NEXT: 450, 0, 0, 0
  // BLOCKS-NEXT: 450, 0, 0, 0
  call @show(%7) : (i64) -> ()
  %8 = call @case8(%n) : (index) -> i64
  // CHECK-NEXT: 64, 0, 0, 0
  // BLOCKS-NEXT: 64, 0, 0, 0
  call @show(%8) : (i64) -> ()
  %9 = call @case9(%n) : (index) -> i64
  // CHECK-NEXT: 110, 1, 0, 0
  // BLOCKS-NEXT: 110, 1, 0, 0
  call @show(%9) : (i64) -> ()
  %10 = call @case10(%n) : (index) -> i64
  // CHECK-NEXT: 110, 1, 0, 0
  // BLOCKS-NEXT: 110, 1, 0, 0
  call @show(%10) : (i64) -> ()
  %11 = call @case11(%n) : (index) -> i64
  // CHECK-NEXT: 4995, 0, 0, 0
  // BLOCKS-NEXT: 4995, 3, 0, 0
  call @show(%11) : (i64) -> ()
  %12 = call @case12(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 325, 0, 0, 0
  // BLOCKS-NEXT: 325, 10, 0, 0
  call @show(%12) : (i64) -> ()
  %13 = call @case13(%n, %true) : (index, i1) -> i64
  // CHECK-NEXT: 95, 3, 0, 0
  // BLOCKS-NEXT: 95, 3, 0, 0
  call @show(%13) : (i64) -> ()
  %14 = call @case13(%n, %false) : (index, i1) -> i64
  // CHECK-NEXT: 55, 2, 0, 0
  // BLOCKS-NEXT: 55, 2, 0, 0
  call @show(%14) : (i64) -> ()
  %15 = call @case14(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 4608000, 0, 0, 0
  // BLOCKS-NEXT: 4608000, 80, 0, 0
  call @show(%15) : (i64) -> ()
  %16 = call @case15(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 75075, 0, 0, 0
  // BLOCKS-NEXT: 75075, 31, 0, 0
  call @show(%16) : (i64) -> ()
  %17 = call @case16(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 136960, 0, 0, 0
  // BLOCKS-NEXT: 136960, 12, 0, 0
  call @show(%17) : (i64) -> ()
  %18 = call @case17(%n, %true, %turns) : (index, i1, index) -> i64
  // CHECK-NEXT: 2035, 0, 0, 0
  // BLOCKS-NEXT: 2035, 16, 0, 0
  call @show(%18) : (i64) -> ()
  %19 = call @case17(%n, %false, %turns) : (index, i1, index) -> i64
  // CHECK-NEXT: 5170, 0, 0, 0
  // BLOCKS-NEXT: 5170, 16, 0, 0
  call @show(%19) : (i64) -> ()
  %20 = call @case18(%n, %turns) : (index, index) -> i64
  // CHECK-NEXT: 2683, 0, 0, 0
  // BLOCKS-NEXT: 2683, 11, 0, 0
  call @show(%20) : (i64) -> ()
  %21 = call @case19(%n, %true, %turns) : (index, i1, index) -> i64
  // CHECK-NEXT: 500050, 2, 0, 0
  // BLOCKS-NEXT: 500050, 2, 0, 0
  call @show(%21) : (i64) -> ()
  %22 = call @case20(%n) : (index) -> i64
  // CHECK-NEXT: 160, 0, 0, 0
  // BLOCKS-NEXT: 160, 0, 0, 0
  call @show(%22) : (i64) -> ()
  return
}
}
