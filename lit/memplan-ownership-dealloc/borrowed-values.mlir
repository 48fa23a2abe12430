// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},memplan-simplify-dealloc,\
// RUN:   memplan-lower-dealloc)' -verify-diagnostics \
// RUN:   | FileCheck %s

// Attributes of functions that are called as values.

// 1. A declaration says that its result is borrowed.
func.func private @peek() -> (memref<?xi64> {memplan.borrowed})
// CHECK-LABEL: func.func @declared
// CHECK: call_indirect
// CHECK-NOT: dealloc
// CHECK: return
func.func @declared() -> i64 {
  %c0 = arith.constant 0 : index
  %f = func.constant @peek : () -> memref<?xi64>
  %p = func.call_indirect %f() : () -> memref<?xi64>
  %x = memref.load %p[%c0] : memref<?xi64>
  return %x : i64
}

// -----

// 2. So does a function with a body, of the second result only; the value goes through a block argument.
memref.global "private" @table : memref<4xi64> = dense<7>
func.func @both() -> (memref<4xi64>, memref<4xi64> {memplan.borrowed}) {
  %n = memref.alloc() : memref<4xi64>
  %r = memref.get_global @table : memref<4xi64>
  memref.copy %r, %n : memref<4xi64> to memref<4xi64>
  return %n, %r : memref<4xi64>, memref<4xi64>
}
// CHECK-LABEL: func.func @with_body
// CHECK: %[[R:.*]]:2 = call_indirect
// CHECK-NOT: dealloc %[[R]]#1
// CHECK: memref.dealloc %[[R]]#0
// CHECK-NOT: dealloc
// CHECK: return
func.func @with_body() -> i64 {
  %c0 = arith.constant 0 : index
  %f = func.constant @both : () -> (memref<4xi64>, memref<4xi64>)
  cf.br ^call(%f : () -> (memref<4xi64>, memref<4xi64>))
^call(%g: () -> (memref<4xi64>, memref<4xi64>)):
  %p:2 = func.call_indirect %g() : () -> (memref<4xi64>, memref<4xi64>)
  %x = memref.load %p#0[%c0] : memref<4xi64>
  %y = memref.load %p#1[%c0] : memref<4xi64>
  %s = arith.addi %x, %y : i64
  return %s : i64
}

// -----

// 3. The result may be the argument, which is freed after the last use of the result.
func.func private @same(memref<4xi64>) -> (memref<4xi64> {memplan.borrowed})
// CHECK-LABEL: func.func @argument
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = call_indirect
// CHECK: memref.load %[[R]]
// CHECK-NOT: dealloc %[[R]]
// CHECK: memref.dealloc %[[A]]
// CHECK-NOT: dealloc
// CHECK: return
func.func @argument(%v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  memref.store %v, %a[%c0] : memref<4xi64>
  %f = func.constant @same : (memref<4xi64>) -> memref<4xi64>
  %p = func.call_indirect %f(%a) : (memref<4xi64>) -> memref<4xi64>
  %x = memref.load %p[%c0] : memref<4xi64>
  return %x : i64
}

// -----

// 4. Functions of another type are others; what they return is new.
func.func private @peek() -> (memref<?xi64> {memplan.borrowed})
func.func private @make(index) -> memref<?xi64>
// CHECK-LABEL: func.func @another_type
// CHECK: %[[R:.*]] = call_indirect
// CHECK: memref.dealloc %[[R]]
// CHECK: return
func.func @another_type(%n: index) -> i64 {
  %p = func.constant @peek : () -> memref<?xi64>
  %f = func.constant @make : (index) -> memref<?xi64>
  %m = func.call_indirect %f(%n) : (index) -> memref<?xi64>
  %x = memref.load %m[%n] : memref<?xi64>
  return %x : i64
}

// -----

// 5. Of functions that do not agree, nothing is freed.
func.func private @peek() -> (memref<?xi64> {memplan.borrowed})
func.func private @make() -> memref<?xi64>
// CHECK-LABEL: func.func @disagree
// CHECK: call_indirect
// CHECK-NOT: dealloc
// CHECK: return
func.func @disagree(%c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %p = func.constant @peek : () -> memref<?xi64>
  %m = func.constant @make : () -> memref<?xi64>
  %f = arith.select %c, %p, %m : () -> memref<?xi64>
  // expected-warning @below {{its result is not freed: some possible callees say that it is borrowed, and others do not [memplan-W301]}}
  %r = func.call_indirect %f() : () -> memref<?xi64>
  %x = memref.load %r[%c0] : memref<?xi64>
  return %x : i64
}

// -----

// 6. A function that returns memory that it borrowed copies it.
func.func private @peek() -> (memref<4xi64> {memplan.borrowed})
// CHECK-LABEL: func.func @passes_on
// CHECK: %[[R:.*]] = call_indirect
// CHECK: %[[N:.*]] = memref.alloc
// CHECK: memref.copy %[[R]], %[[N]]
// CHECK: return %[[N]]
func.func @passes_on(%n: index) -> memref<4xi64> {
  %f = func.constant @peek : () -> memref<4xi64>
  %p = func.call_indirect %f() : () -> memref<4xi64>
  // expected-warning @below {{returns memory that the function does not own}}
  return %p : memref<4xi64>
}
