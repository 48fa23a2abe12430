// Memrefs that are stored in memrefs. Executed on a heap that counts, with regions that are poisoned when they are
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

func.func @public(%n: index, %start: i64) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  func.call @fill(%a, %start) : (memref<?xi64>, i64) -> ()
  return %a : memref<?xi64>
}

// 1. A memref that is stored in memory which the function keeps to itself goes to a region; what the program frees
// does not.
func.func private @case1(%n: index) -> i64 {
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

// 2. Stored memrefs: of one iteration, of the function, and the result of a callee. The memref of memrefs itself is on
// the heap.
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
func.func private @case2(%n: index, %c: i1, %iterations: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %outer = memref.alloc() : memref<1xmemref<?xmemref<?xi64>>>
  %inner = memref.alloc(%iterations) : memref<?xmemref<?xi64>>
  memref.store %inner, %outer[%c0] : memref<1xmemref<?xmemref<?xi64>>>
  %first = func.call @from_one(%n, %c) : (index, i1) -> memref<?xi64>
  %in = memref.load %outer[%c0] : memref<1xmemref<?xmemref<?xi64>>>
  memref.store %first, %in[%c0] : memref<?xmemref<?xi64>>
  %s = scf.for %i = %c0 to %iterations step %c1 iter_args(%t = %zero) -> i64 {
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

// 3. Memory that iterations store in memory of the enclosing scope lives as long as that, and is in no region that
// iterations swap.
func.func private @case3(%n: index) -> i64 {
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
  %iterations = arith.constant 5 : index
  %true = arith.constant true
  %9 = call @case1(%n) : (index) -> i64
  // CHECK: 110, 1, 0, 0
  // BLOCKS: 110, 1, 0, 0
  call @show(%9) : (i64) -> ()
  %21 = call @case2(%n, %true, %iterations) : (index, i1, index) -> i64
  // CHECK-NEXT: 500050, 2, 0, 0
  // BLOCKS-NEXT: 500050, 2, 0, 0
  call @show(%21) : (i64) -> ()
  %22 = call @case3(%n) : (index) -> i64
  // CHECK-NEXT: 160, 0, 0, 0
  // BLOCKS-NEXT: 160, 0, 0, 0
  call @show(%22) : (i64) -> ()
  return
}
}
