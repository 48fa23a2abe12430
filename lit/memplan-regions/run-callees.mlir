// Calls: recursion, calls of values, and results that may be an argument. Executed on a heap that counts, with regions
// that are poisoned when they are released. Each case prints its result, the allocations that it makes on the heap, and
// the regions and the bytes on the heap that are left, which are none. A region that is alive at the end makes the run
// fail.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: for passes in memplan-regions 'memplan-regions{loops=checkpoint}' 'memplan-regions{loops=per-iteration}' \
// RUN:   'memplan-regions{loops=enclosing}' 'memplan-regions{single-region}' \
// RUN:   'memplan-regions{public-abi=destination}' 'memplan-regions{release=last-use}' 'memplan-regions{auto}' \
// RUN:   'memplan-regions{sizes=all release=last-use loops=per-iteration alignment=16}' \
// RUN:   memplan-regions,memplan-regions memplan-merge-alloc,memplan-regions; do \
// RUN:   echo "$passes"; \
// RUN:   %memplan-opt %t.mlir --pass-pipeline="builtin.module($passes,memplan-dealloc-pipeline,%to-llvm-counted)" \
// RUN:     | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s || exit 1; \
// RUN: done
// Private functions return whether the caller owns their results; frees stand at the ends of blocks.
// RUN: for options in private-function-dynamic-ownership placement=block-end; do \
// RUN:   echo "$options"; \
// RUN:   %memplan-opt %t.mlir \
// RUN:     --pass-pipeline="builtin.module(memplan-regions,memplan-dealloc-pipeline{$options},%to-llvm-counted)" \
// RUN:     | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s || exit 1; \
// RUN: done
// In unstructured loops, the memory of iterations is left to deallocation.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-regions,\
// RUN:   memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-regions | FileCheck %s --check-prefix=BLOCKS

module {
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
func.func private @memplan_region_alive() -> i64 attributes {llvm.emit_c_interface}

// Prints the result of a case, and its allocations on the heap; no region is left, and nothing on the heap.
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

func.func @public(%n: index, %start: i64) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  func.call @fill(%a, %start) : (memref<?xi64>, i64) -> ()
  return %a : memref<?xi64>
}

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

// 1. Recursion: each call makes what it returns, and what it needs for itself.
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
func.func private @case1(%n: index) -> i64 {
  %c10 = arith.constant 10 : index
  %a = call @deeper(%n, %c10) : (index, index) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  return %s : i64
}

// 2. Called as a value, a function keeps its type and its rules.
func.func private @by_value(%n: index, %start: i64) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %start) : (memref<?xi64>, i64) -> ()
  return %a : memref<?xi64>
}
func.func private @case2(%n: index) -> i64 {
  %one = arith.constant 1 : i64
  %f = constant @by_value : (index, i64) -> memref<?xi64>
  %a = call_indirect %f(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @by_value(%n, %one) : (index, i64) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  %t = call @sum(%b) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 3. A borrowed result of a call and memory that the caller owns meet in one value.
func.func private @case3(%n: index, %c: i1) -> i64 {
  %one = arith.constant 1 : i64
  %f = constant @by_value : (index, i64) -> memref<?xi64>
  %a = call_indirect %f(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %d = arith.select %c, %a, %b : memref<?xi64>
  %e = call @either(%c, %n, %d) : (i1, index, memref<?xi64>) -> memref<?xi64>
  %s = call @sum(%e) : (memref<?xi64>) -> i64
  return %s : i64
}

// 4. The memory that a loop passes on is returned: the region of the caller retains that of the loop.
func.func private @iterated(%n: index, %iterations: index, %a: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%x = %a) -> memref<?xi64> {
    %t = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
    %u = func.call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
    scf.yield %u : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @case4(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @fill(%a, %one) : (memref<?xi64>, i64) -> ()
  %b = call @iterated(%n, %iterations, %a) : (index, index, memref<?xi64>) -> memref<?xi64>
  %c = call @iterated(%n, %c0, %b) : (index, index, memref<?xi64>) -> memref<?xi64>
  %s = call @sum(%c) : (memref<?xi64>) -> i64
  %t = scf.for %i = %c0 to %iterations step %c1 iter_args(%q = %zero) -> i64 {
    %d = func.call @iterated(%n, %i, %a) : (index, index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%d) : (memref<?xi64>) -> i64
    %w = arith.addi %q, %v : i64
    scf.yield %w : i64
  }
  %u = arith.addi %s, %t : i64
  return %u : i64
}

func.func @main() {
  %n = arith.constant 10 : index
  %iterations = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  %6 = call @case1(%n) : (index) -> i64
  // CHECK: 56320, 0, 0, 0
  // BLOCKS: 56320, 0, 0, 0
  call @show(%6) : (i64) -> ()
  %10 = call @case2(%n) : (index) -> i64
  // CHECK-NEXT: 110, 1, 0, 0
  // BLOCKS-NEXT: 110, 1, 0, 0
  call @show(%10) : (i64) -> ()
  %13 = call @case3(%n, %true) : (index, i1) -> i64
  // CHECK-NEXT: 95, 3, 0, 0
  // BLOCKS-NEXT: 95, 3, 0, 0
  call @show(%13) : (i64) -> ()
  %14 = call @case3(%n, %false) : (index, i1) -> i64
  // CHECK-NEXT: 55, 2, 0, 0
  // BLOCKS-NEXT: 55, 2, 0, 0
  call @show(%14) : (i64) -> ()
  %16 = call @case4(%n, %iterations) : (index, index) -> i64
  // CHECK-NEXT: 75075, 0, 0, 0
  // BLOCKS-NEXT: 75075, 31, 0, 0
  call @show(%16) : (i64) -> ()
  return
}
}
