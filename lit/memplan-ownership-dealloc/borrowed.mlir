// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' -verify-diagnostics | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},memplan-simplify-dealloc,memplan-lower-dealloc,canonicalize)' -verify-diagnostics | FileCheck %s

// What a function lends is not copied, and nothing is said of it; what it gives otherwise is.
// CHECK-LABEL: func.func private @lends
// CHECK-NOT: {{memref.copy|bufferization.clone}}
// CHECK-NOT: memref.dealloc
// CHECK: return %arg0, %{{.*}} : memref<?xf32>, memref<?xf32>
func.func private @lends(%a: memref<?xf32>, %n: index) -> (memref<?xf32> {memplan.borrowed}, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}

// What a call lends is nobody's to free, and goes through branches as such; its other results are the caller's.
// CHECK-LABEL: func.func @borrows
// CHECK: %[[R:.*]]:2 = call @lends
// CHECK-NOT: memref.dealloc %[[R]]#0
// CHECK: memref.dealloc %[[R]]#1
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @borrows(%a: memref<?xf32>, %n: index) {
  %r:2 = call @lends(%a, %n) {memplan.borrowed_results = array<i64: 1, 0>} : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  memref.copy %r#0, %r#1 : memref<?xf32> to memref<?xf32>
  return
}

// It may meet what the function owns: that is freed, and no more than that.
// CHECK-LABEL: func.func @meets
// CHECK: %[[R:.*]]:2 = call @lends
// CHECK-DAG: %[[OWN:.*]] = memref.alloc
// CHECK-DAG: memref.dealloc %[[OWN]]
// CHECK-DAG: memref.dealloc %[[R]]#1
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @meets(%a: memref<?xf32>, %n: index, %c: i1) {
  %r:2 = call @lends(%a, %n) {memplan.borrowed_results = array<i64: 1, 0>} : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  %own = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %own, %r#0 : memref<?xf32>
  memref.copy %s, %a : memref<?xf32> to memref<?xf32>
  return
}

// What a call says of its results stays true where some are taken away, as long as they are all the same.
func.func private @lends_both(%a: memref<?xf32>) -> (memref<?xf32> {memplan.borrowed}, i32, memref<?xf32> {memplan.borrowed}) {
  %c = arith.constant 1 : i32
  return %a, %c, %a : memref<?xf32>, i32, memref<?xf32>
}
// CHECK-LABEL: func.func @borrows_both
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @borrows_both(%a: memref<?xf32>) {
  %r:3 = call @lends_both(%a) {memplan.borrowed_results = array<i64: 1, 1>} : (memref<?xf32>) -> (memref<?xf32>, i32, memref<?xf32>)
  memref.copy %r#0, %r#2 : memref<?xf32> to memref<?xf32>
  return
}
