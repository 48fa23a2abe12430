// Executed on a heap that counts: for each case the allocations, and the bytes that are left after it.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// On the module, without optimization: a loop that takes more stack in each iteration would overflow it.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-lower-dealloc,%to-llvm-counted)' \
// RUN:   | %runner -O0 | FileCheck %s
// On functions alone, simplified before.
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(func.func(memplan-simplify-dealloc,memplan-lower-dealloc),\
// RUN:   cse,canonicalize,%to-llvm-counted)' \
// RUN:   | %runner -O3 | FileCheck %s

module {
func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()

func.func @show() attributes {no_inline} {
  %a = llvm.call @heap_allocations() : () -> i64
  call @printI64(%a) : (i64) -> ()
  call @printComma() : () -> ()
  %l = llvm.call @heap_left() : () -> i64
  call @printI64(%l) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// 1. The condition of an alias counts, whatever those before it say: one allocation, and nothing is left.
func.func private @any_alias(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) attributes {no_inline} {
  bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%c, %d)
  return
}

// 2. A view that starts elsewhere is the memory that it is a view of: freed once, and not if it is retained.
func.func private @shifted(%a: memref<64xi8>, %v: memref<32xi8>, %c: i1) -> i1 attributes {no_inline} {
  %r = bufferization.dealloc (%v : memref<32xi8>) if (%c) retain (%a : memref<64xi8>)
  bufferization.dealloc (%a, %v : memref<64xi8>, memref<32xi8>) if (%r, %r)
  return %r : i1
}

// 3. Many comparisons, in a loop of a million iterations: no allocation but those that are freed.
func.func private @many(%n: index, %c: i1) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %s = arith.select %c, %a, %b : memref<8xf32>
    func.call @free_many(%a, %s, %b, %c, %false) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
  }
  return
}
func.func private @free_many(%a: memref<8xf32>, %s: memref<8xf32>, %b: memref<8xf32>, %c: i1, %d: i1) attributes {no_inline} {
  %true = arith.constant true
  %r:3 = bufferization.dealloc (%a, %s, %b, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%true, %c, %d, %d) retain (%s, %b, %b : memref<8xf32>, memref<8xf32>, memref<8xf32>) 
  bufferization.dealloc (%s, %b, %a, %b, %s, %a : memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>) if (%r#0, %true, %d, %d, %d, %d)
  return
}

// 4. A comparison in a loop of a million iterations, and in iterations that could run in parallel.
func.func private @iterations(%n: index, %a: memref<8xf32>, %b: memref<*xf32>, %c: i1) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b : memref<*xf32>)
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b : memref<*xf32>)
  }
  return
}

// 5. Another memory space.
func.func private @space(%a: memref<8xf32>, %b: memref<8xf32, 1>, %c: i1) -> i1 attributes {no_inline} {
  %r = bufferization.dealloc (%a : memref<8xf32>) if (%c) retain (%b : memref<8xf32, 1>)
  return %r : i1
}

// 6. Memory that was stored and loaded.
func.func private @loaded(%c: i1) attributes {no_inline} {
  %m = memref.alloca() : memref<memref<8xf32>>
  %a = memref.alloc() : memref<8xf32>
  memref.store %a, %m[] : memref<memref<8xf32>>
  %l = memref.load %m[] : memref<memref<8xf32>>
  bufferization.dealloc (%l, %a : memref<8xf32>, memref<8xf32>) if (%c, %c)
  return
}

// CHECK: 1, 0
// CHECK-NEXT: 1, 0
// CHECK-NEXT: 1, 0
// CHECK-NEXT: 2, 0
// CHECK-NEXT: 2000000, 0
// CHECK-NEXT: 1, 32
// CHECK-NEXT: 0, -32
// CHECK-NEXT: 1, 32
// CHECK-NEXT: 0, -32
// CHECK-NEXT: 1, 0
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c16 = arith.constant 16 : index
  %n = arith.constant 1000000 : index

  llvm.call @heap_start() : () -> ()
  %a = memref.alloc() : memref<8xf32>
  call @any_alias(%a, %a, %false, %true) : (memref<8xf32>, memref<8xf32>, i1, i1) -> ()
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  %b = memref.alloc() : memref<8xf32>
  call @any_alias(%b, %b, %true, %true) : (memref<8xf32>, memref<8xf32>, i1, i1) -> ()
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  %d = memref.alloc() : memref<64xi8>
  %v = memref.view %d[%c16][] : memref<64xi8> to memref<32xi8>
  %r = call @shifted(%d, %v, %true) : (memref<64xi8>, memref<32xi8>, i1) -> i1
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  %e = memref.alloc() : memref<64xi8>
  %f = memref.alloc() : memref<64xi8>
  %w = memref.view %f[%c16][] : memref<64xi8> to memref<32xi8>
  %s = call @shifted(%e, %w, %true) : (memref<64xi8>, memref<32xi8>, i1) -> i1
  memref.dealloc %e : memref<64xi8>
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  call @many(%n, %true) : (index, i1) -> ()
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  %g = memref.alloc() : memref<8xf32>
  %u = memref.cast %g : memref<8xf32> to memref<*xf32>
  call @iterations(%n, %g, %u, %true) : (index, memref<8xf32>, memref<*xf32>, i1) -> ()
  call @show() : () -> ()
  llvm.call @heap_start() : () -> ()
  memref.dealloc %g : memref<8xf32>
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  %h = memref.alloc() : memref<8xf32>
  %i = memref.memory_space_cast %h : memref<8xf32> to memref<8xf32, 1>
  %o = call @space(%h, %i, %true) : (memref<8xf32>, memref<8xf32, 1>, i1) -> i1
  call @show() : () -> ()
  llvm.call @heap_start() : () -> ()
  call @any_alias(%h, %h, %o, %false) : (memref<8xf32>, memref<8xf32>, i1, i1) -> ()
  call @show() : () -> ()

  llvm.call @heap_start() : () -> ()
  call @loaded(%true) : (i1) -> ()
  call @show() : () -> ()
  return
}
}
