// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc,canonicalize)' -verify-diagnostics \
// RUN:   | FileCheck %s

// A borrowed result is not copied, and there is no remark; other results are copied.
// CHECK-LABEL: func.func private @returns_borrowed
// CHECK-NOT: {{memref.copy|bufferization.clone}}
// CHECK-NOT: memref.dealloc
// CHECK: return %arg0, %{{.*}} : memref<?xf32>, memref<?xf32>
func.func private @returns_borrowed(%a: memref<?xf32>, %n: index) -> (memref<?xf32> {memplan.borrowed}, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}

// A borrowed result of a call is never freed, also through branches; the other results are the caller's.
// CHECK-LABEL: func.func @borrows
// CHECK: %[[R:.*]]:2 = call @returns_borrowed
// CHECK-NOT: memref.dealloc %[[R]]#0
// CHECK: memref.dealloc %[[R]]#1
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @borrows(%a: memref<?xf32>, %n: index) {
  %r:2 = call @returns_borrowed(%a, %n) {memplan.borrowed_results = array<i64: 1, 0>} : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  memref.copy %r#0, %r#1 : memref<?xf32> to memref<?xf32>
  return
}

// It may meet what the function owns: that is freed, and no more than that.
// CHECK-LABEL: func.func @meets
// CHECK: %[[R:.*]]:2 = call @returns_borrowed
// CHECK-DAG: %[[OWN:.*]] = memref.alloc
// CHECK-DAG: memref.dealloc %[[OWN]]
// CHECK-DAG: memref.dealloc %[[R]]#1
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @meets(%a: memref<?xf32>, %n: index, %c: i1) {
  %r:2 = call @returns_borrowed(%a, %n) {memplan.borrowed_results = array<i64: 1, 0>} : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  %own = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %own, %r#0 : memref<?xf32>
  memref.copy %s, %a : memref<?xf32> to memref<?xf32>
  return
}

// The attributes of a call stay valid where some results are removed, as long as they are all the same.
func.func private @returns_both_borrowed(%a: memref<?xf32>) -> (memref<?xf32> {memplan.borrowed}, i32, memref<?xf32> {memplan.borrowed}) {
  %c = arith.constant 1 : i32
  return %a, %c, %a : memref<?xf32>, i32, memref<?xf32>
}
// CHECK-LABEL: func.func @borrows_both
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @borrows_both(%a: memref<?xf32>) {
  %r:3 = call @returns_both_borrowed(%a) {memplan.borrowed_results = array<i64: 1, 1>} : (memref<?xf32>) -> (memref<?xf32>, i32, memref<?xf32>)
  memref.copy %r#0, %r#2 : memref<?xf32> to memref<?xf32>
  return
}

// A borrowed result may be an argument, which is not freed before the last use of the result: the one that the body
// returns, or any.
// CHECK-LABEL: func.func @borrows_own
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]]:2 = call @returns_borrowed(%[[A]]
// CHECK: memref.load %[[R]]#0
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func @borrows_own(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r:2 = call @returns_borrowed(%a, %n) : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  memref.copy %a, %r#1 : memref<?xf32> to memref<?xf32>
  %x = memref.load %r#0[%c0] : memref<?xf32>
  return %x : f32
}
// CHECK-LABEL: func.func @borrows_own_of_declared
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = call @declared_borrowed(%[[A]])
// CHECK: memref.load %[[R]]
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func private @declared_borrowed(memref<?xf32>) -> (memref<?xf32> {memplan.borrowed})
func.func @borrows_own_of_declared(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = call @declared_borrowed(%a) : (memref<?xf32>) -> memref<?xf32>
  %x = memref.load %r[%c0] : memref<?xf32>
  return %x : f32
}
// Through two calls, and said at the call.
// CHECK-LABEL: func.func @borrows_through
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[R:.*]] = call @passes_borrowed_on(%[[A]])
// CHECK: memref.load %[[R]]
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func private @passes_borrowed_on(%a: memref<?xf32>) -> (memref<?xf32> {memplan.borrowed}) {
  %r = call @declared_borrowed(%a) {memplan.borrowed_results = array<i64: 1>} : (memref<?xf32>) -> memref<?xf32>
  return %r : memref<?xf32>
}
func.func @borrows_through(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = call @passes_borrowed_on(%a) {memplan.borrowed_results = array<i64: 1>} : (memref<?xf32>) -> memref<?xf32>
  %x = memref.load %r[%c0] : memref<?xf32>
  return %x : f32
}
// A mark that is false is none.
// CHECK-LABEL: func.func @not_borrowed
// CHECK: %[[R:.*]] = call @new_memory()
// CHECK: memref.dealloc %[[R]]
func.func private @new_memory() -> (memref<?xf32> {memplan.borrowed = false})
func.func @not_borrowed() -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @new_memory() : () -> memref<?xf32>
  %x = memref.load %r[%c0] : memref<?xf32>
  return %x : f32
}
