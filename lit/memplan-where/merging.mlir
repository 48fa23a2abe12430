// Passes run on the functions in which the types of values show that one may be any of several memrefs.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-where-merging{passes=cse,canonicalize})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-where-merging{passes=cse,canonicalize}))' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-where-merging{passes=canonicalize})' --dump-pass-pipeline 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-where-merging{passes=none-such})' 2>&1 | FileCheck %s --check-prefix=NO-PASS

// DUMP: memplan-where-merging{passes=canonicalize}
// NO-PASS: memplan-where-merging: option 'passes' takes passes as in a pipeline [memplan-E002]
// NO-PASS: none-such

// CHECK-LABEL: @result
// CHECK-NOT: arith.addi
// CHECK: arith.select
func.func @result(%a: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %unused = arith.addi %a, %a : index
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %x : memref<4xf32>
  } else {
    scf.yield %y : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// CHECK-LABEL: @select
// CHECK-NOT: arith.addi
// CHECK: return
func.func @select(%a: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %unused = arith.addi %a, %a : index
  %r = arith.select %c, %x, %y : memref<4xf32>
  return %r : memref<4xf32>
}

// CHECK-LABEL: @argument
// CHECK-NOT: arith.addi
// CHECK: return
func.func @argument(%a: index, %x: memref<4xf32>) -> memref<4xf32> {
  %unused = arith.addi %a, %a : index
  cf.br ^next(%x : memref<4xf32>)
^next(%m: memref<4xf32>):
  return %m : memref<4xf32>
}

// Loops are followed as they are.
// CHECK-LABEL: @carried
// CHECK: arith.addi
func.func @carried(%a: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %unused = arith.addi %a, %a : index
  %r = scf.for %i = %a to %a step %a iter_args(%m = %x) -> (memref<4xf32>) {
    scf.yield %y : memref<4xf32>
  }
  %w = scf.while (%m = %r) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %m : memref<4xf32>
  } do {
  ^bb0(%m: memref<4xf32>):
    scf.yield %y : memref<4xf32>
  }
  return %w : memref<4xf32>
}

// Arguments of the function, views, what reads and writes, and regions that give no memrefs: each value is one memref.
// CHECK-LABEL: @neither
// CHECK: arith.addi
func.func @neither(%a: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<2xf32> {
  %unused = arith.addi %a, %a : index
  %r = memref.subview %x[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  scf.if %c {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  %m = memref.alloc() : memref<2xf32>
  memref.copy %r, %m : memref<2xf32, strided<[1], offset: 2>> to memref<2xf32>
  return %m : memref<2xf32>
}
