// Results of functions. Executed on a heap that counts, with regions that are poisoned when they are released. Each
// case prints its result, the allocations that it makes on the heap, and the regions and the bytes on the heap that are
// left, which are none. A region that is alive at the end makes the run fail.
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

// 3. The result may be an argument, or new.
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
func.func private @case3(%n: index) -> i64 {
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

// 4. The function returns early, on one of two paths.
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
func.func private @case4(%n: index) -> i64 {
  %true = arith.constant true
  %false = arith.constant false
  %a = call @early(%n, %true) : (index, i1) -> memref<?xi64>
  %b = call @early(%n, %false) : (index, i1) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  %t = call @sum(%b) : (memref<?xi64>) -> i64
  %u = arith.addi %s, %t : i64
  return %u : i64
}

// 5. One result is a temporary of the caller, the other one is what it returns.
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
func.func private @case5(%n: index) -> i64 {
  %a = call @one_of_both(%n) : (index) -> memref<?xi64>
  %s = call @sum(%a) : (memref<?xi64>) -> i64
  return %s : i64
}

func.func @main() {
  %n = arith.constant 10 : index
  %1 = call @case1(%n) : (index) -> i64
  // CHECK: 220, 0, 0, 0
  // BLOCKS: 220, 0, 0, 0
  call @show(%1) : (i64) -> ()
  %2 = call @case2(%n) : (index) -> i64
  // CHECK-NEXT: 55, 0, 0, 0
  // BLOCKS-NEXT: 55, 0, 0, 0
  call @show(%2) : (i64) -> ()
  %5 = call @case3(%n) : (index) -> i64
  // CHECK-NEXT: 249, 0, 0, 0
  // BLOCKS-NEXT: 249, 0, 0, 0
  call @show(%5) : (i64) -> ()
  %7 = call @case4(%n) : (index) -> i64
  // CHECK-NEXT: 450, 0, 0, 0
  // BLOCKS-NEXT: 450, 0, 0, 0
  call @show(%7) : (i64) -> ()
  %8 = call @case5(%n) : (index) -> i64
  // CHECK-NEXT: 64, 0, 0, 0
  // BLOCKS-NEXT: 64, 0, 0, 0
  call @show(%8) : (i64) -> ()
  return
}
}
