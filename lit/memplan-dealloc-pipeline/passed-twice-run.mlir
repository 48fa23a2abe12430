// One memref that is passed twice, executed: what upstream's canonicalization makes wrong code of, or does not get
// through.
// RUN: sed '$d' %s > %t.mlir \
// RUN:   && cat %S/../memplan-merge-alloc/Inputs/counting-heap.mlir >> %t.mlir && echo '}' >> %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | timeout 20 %runner -O0 | FileCheck %s --check-prefixes=CHECK,HEAP
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-dealloc-pipeline,%to-llvm-counted)' \
// RUN:   | timeout 20 %runner -O0 | FileCheck %s --check-prefixes=CHECK,HEAP
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan,%to-llvm-counted)' \
// RUN:   | timeout 20 %runner -O0 | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-fold-merges,%to-llvm-counted)' \
// RUN:   | timeout 20 %runner -O0 | FileCheck %s

module {
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%x: i64) attributes {no_inline} {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
// The bytes that are left on the heap.
func.func private @left() attributes {no_inline} {
  %l = llvm.call @heap_left() : () -> i64
  call @printI64(%l) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func private @new(%v: i64) -> memref<1xi64> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = memref.alloc() : memref<1xi64>
  memref.store %v, %n[%c0] : memref<1xi64>
  return %n : memref<1xi64>
}

// 1. scf.condition passes on %b twice, and what the iteration began with.
func.func private @condition() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %v0 = arith.constant 0 : i64
  %v1 = arith.constant 1 : i64
  %v3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<1xi64>
  memref.store %v0, %a[%c0] : memref<1xi64>
  %r:3 = scf.while (%m = %a) : (memref<1xi64>) -> (memref<1xi64>, memref<1xi64>, memref<1xi64>) {
    %v = memref.load %m[%c0] : memref<1xi64>
    %c = arith.cmpi slt, %v, %v3 : i64
    %b = scf.if %c -> memref<1xi64> {
      %n = memref.alloc() : memref<1xi64>
      %w = arith.addi %v, %v1 : i64
      memref.store %w, %n[%c0] : memref<1xi64>
      scf.yield %n : memref<1xi64>
    } else {
      scf.yield %m : memref<1xi64>
    }
    scf.condition(%c) %b, %b, %m : memref<1xi64>, memref<1xi64>, memref<1xi64>
  } do {
  ^bb0(%p: memref<1xi64>, %q: memref<1xi64>, %o: memref<1xi64>):
    %x = memref.load %p[%c0] : memref<1xi64>
    %y = memref.load %o[%c0] : memref<1xi64>
    %s = arith.addi %x, %y : i64
    func.call @show(%s) : (i64) -> ()
    scf.yield %q : memref<1xi64>
  }
  %x = memref.load %r#0[%c0] : memref<1xi64>
  %y = memref.load %r#1[%c0] : memref<1xi64>
  %w = memref.load %r#2[%c0] : memref<1xi64>
  call @show(%x) : (i64) -> ()
  call @show(%y) : (i64) -> ()
  call @show(%w) : (i64) -> ()
  return
}

// 2. A loop starts with one memref twice; then its places are different ones, and the last iterations swap them.
func.func private @loop(%n: index) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v0 = arith.constant 0 : i64
  %v10 = arith.constant 10 : i64
  %a = func.call @new(%v0) : (i64) -> memref<1xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a) -> (memref<1xi64>, memref<1xi64>) {
    %early = arith.cmpi slt, %i, %c2 : index
    %s:2 = scf.if %early -> (memref<1xi64>, memref<1xi64>) {
      %v = memref.load %p[%c0] : memref<1xi64>
      %w = arith.addi %v, %v10 : i64
      %b = func.call @new(%w) : (i64) -> memref<1xi64>
      scf.yield %b, %p : memref<1xi64>, memref<1xi64>
    } else {
      scf.yield %q, %p : memref<1xi64>, memref<1xi64>
    }
    scf.yield %s#0, %s#1 : memref<1xi64>, memref<1xi64>
  }
  %x = memref.load %r#0[%c0] : memref<1xi64>
  %y = memref.load %r#1[%c0] : memref<1xi64>
  call @show(%x) : (i64) -> ()
  call @show(%y) : (i64) -> ()
  return
}

// 3. Branches pass one memref twice to a block that leads to itself, with another one the second time.
func.func private @blocks() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %v0 = arith.constant 0 : i64
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %a = func.call @new(%v0) : (i64) -> memref<1xi64>
  cf.br ^again(%a, %a : memref<1xi64>, memref<1xi64>)
^again(%p: memref<1xi64>, %q: memref<1xi64>):
  %v = memref.load %p[%c0] : memref<1xi64>
  %u = memref.load %q[%c0] : memref<1xi64>
  %s = arith.addi %v, %u : i64
  func.call @show(%s) : (i64) -> ()
  %w = arith.addi %v, %v1 : i64
  %b = func.call @new(%w) : (i64) -> memref<1xi64>
  %c = arith.cmpi slt, %w, %v2 : i64
  cf.cond_br %c, ^again(%b, %p : memref<1xi64>, memref<1xi64>), ^end(%b, %b : memref<1xi64>, memref<1xi64>)
^end(%k: memref<1xi64>, %l: memref<1xi64>):
  %x = memref.load %k[%c0] : memref<1xi64>
  %y = memref.load %l[%c0] : memref<1xi64>
  %z = arith.addi %x, %y : i64
  func.call @show(%z) : (i64) -> ()
  return
}

// CHECK:      1{{$}}
// CHECK-NEXT: 3{{$}}
// CHECK-NEXT: 5{{$}}
// CHECK-NEXT: 3{{$}}
// CHECK-NEXT: 3{{$}}
// CHECK-NEXT: 3{{$}}
// CHECK-NEXT: 20{{$}}
// CHECK-NEXT: 10{{$}}
// CHECK-NEXT: 10{{$}}
// CHECK-NEXT: 20{{$}}
// CHECK-NEXT: 0{{$}}
// CHECK-NEXT: 1{{$}}
// CHECK-NEXT: 4{{$}}
// HEAP-NEXT:  0{{$}}
func.func @main() {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  llvm.call @heap_start() : () -> ()
  call @condition() : () -> ()
  call @loop(%c4) : (index) -> ()
  call @loop(%c5) : (index) -> ()
  call @blocks() : () -> ()
  call @left() : () -> ()
  return
}
}
