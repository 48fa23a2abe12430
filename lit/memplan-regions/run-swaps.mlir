// Loops that swap or carry memory. Executed on a heap that counts, with regions that are poisoned when they are
// released. Each case prints its result, the allocations that it makes on the heap, and the regions and the bytes on
// the heap that are left, which are none. A region that is alive at the end makes the run fail.
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

// 1. Two that are both new change places.
func.func private @case1(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %b = call @public(%n, %two) : (index, i64) -> memref<?xi64>
  %q:2 = scf.for %i = %c0 to %iterations step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi64>, memref<?xi64>) {
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

// 2. A loop in a loop carries its memory, starting with memory that lives longer; and the memory of an iteration is
// selected, or else that.
func.func private @case2(%n: index, %c: i1, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %all = scf.for %i = %c0 to %iterations step %c1 iter_args(%s = %zero) -> i64 {
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

// 3. Memory that an iteration receives is freed after its last use, as the iteration allocates after that.
func.func private @case3(%n: index, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %byte = arith.constant 255 : i64
  %a = call @public(%n, %one) : (index, i64) -> memref<?xi64>
  %r = scf.for %i = %c0 to %iterations step %c1 iter_args(%b = %a) -> memref<?xi64> {
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

func.func @main() {
  %n = arith.constant 10 : index
  %iterations = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  %17 = call @case1(%n, %iterations) : (index, index) -> i64
  // CHECK: 136960, 0, 0, 0
  // BLOCKS: 136960, 12, 0, 0
  call @show(%17) : (i64) -> ()
  %18 = call @case2(%n, %true, %iterations) : (index, i1, index) -> i64
  // CHECK-NEXT: 2035, 0, 0, 0
  // BLOCKS-NEXT: 2035, 16, 0, 0
  call @show(%18) : (i64) -> ()
  %19 = call @case2(%n, %false, %iterations) : (index, i1, index) -> i64
  // CHECK-NEXT: 5170, 0, 0, 0
  // BLOCKS-NEXT: 5170, 16, 0, 0
  call @show(%19) : (i64) -> ()
  %20 = call @case3(%n, %iterations) : (index, index) -> i64
  // CHECK-NEXT: 2683, 0, 0, 0
  // BLOCKS-NEXT: 2683, 11, 0, 0
  call @show(%20) : (i64) -> ()
  return
}
}
