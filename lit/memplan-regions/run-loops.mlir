// Loops. Executed on a heap that counts, with regions that are poisoned when they are released. Each case prints its
// result, the allocations that it makes on the heap, and the regions and the bytes on the heap that are left, which are
// none. A region that is alive at the end makes the run fail.
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

// 1. A region for each iteration, with all of its memory.
func.func private @case1(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %s = scf.for %i = %c0 to %iterations step %c1 iter_args(%t = %zero) -> i64 {
    %k = arith.index_cast %i : index to i64
    %a = func.call @public(%n, %k) : (index, i64) -> memref<?xi64>
    %b = func.call @doubled(%n, %a) : (index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%b) : (memref<?xi64>) -> i64
    %u = arith.addi %t, %v : i64
    scf.yield %u : i64
  }
  return %s : i64
}

// 2. Some memory outlives the iteration, and some does not.
func.func private @case2(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %first = memref.alloc(%n) : memref<?xi64>
  call @fill(%first, %zero) : (memref<?xi64>, i64) -> ()
  %last = scf.for %i = %c0 to %iterations step %c1 iter_args(%x = %first) -> memref<?xi64> {
    %t = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%t) : (memref<?xi64>) -> i64
    %next = func.call @public(%n, %v) : (index, i64) -> memref<?xi64>
    scf.yield %next : memref<?xi64>
  }
  %s = call @sum(%last) : (memref<?xi64>) -> i64
  return %s : i64
}

// 3. A loop of another form.
func.func private @case3(%n: index) -> i64 {
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

// 4. A body that may run several times at once, each with a region of its own.
func.func private @case4(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = memref.alloc(%iterations) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%iterations) step (%c1) {
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

// 5. Loops in loops, and memory of all of them.
func.func private @case5(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %t = memref.alloc(%n) : memref<?xi64>
  call @fill(%t, %zero) : (memref<?xi64>, i64) -> ()
  %s = scf.for %i = %c0 to %iterations step %c1 iter_args(%sum = %zero) -> i64 {
    %u = func.call @doubled(%n, %t) : (index, memref<?xi64>) -> memref<?xi64>
    %r = scf.for %j = %c0 to %iterations step %c1 iter_args(%x = %u) -> memref<?xi64> {
      %v = func.call @doubled(%n, %x) : (index, memref<?xi64>) -> memref<?xi64>
      %w = func.call @doubled(%n, %v) : (index, memref<?xi64>) -> memref<?xi64>
      scf.yield %w : memref<?xi64>
    }
    %p = scf.for %j = %c0 to %iterations step %c1 iter_args(%q = %zero) -> i64 {
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

func.func @main() {
  %n = arith.constant 10 : index
  %iterations = arith.constant 5 : index
  %3 = call @case1(%n, %iterations) : (index, index) -> i64
  // CHECK: 650, 0, 0, 0
  // BLOCKS: 650, 10, 0, 0
  call @show(%3) : (i64) -> ()
  %4 = call @case2(%n, %iterations) : (index, index) -> i64
  // CHECK-NEXT: 151578945, 0, 0, 0
  // BLOCKS-NEXT: 151578945, 11, 0, 0
  call @show(%4) : (i64) -> ()
  %11 = call @case3(%n) : (index) -> i64
  // CHECK-NEXT: 4995, 0, 0, 0
  // BLOCKS-NEXT: 4995, 3, 0, 0
  call @show(%11) : (i64) -> ()
  %12 = call @case4(%n, %iterations) : (index, index) -> i64
  // CHECK-NEXT: 325, 0, 0, 0
  // BLOCKS-NEXT: 325, 10, 0, 0
  call @show(%12) : (i64) -> ()
  %15 = call @case5(%n, %iterations) : (index, index) -> i64
  // CHECK-NEXT: 4608000, 0, 0, 0
  // BLOCKS-NEXT: 4608000, 80, 0, 0
  call @show(%15) : (i64) -> ()
  return
}
}
