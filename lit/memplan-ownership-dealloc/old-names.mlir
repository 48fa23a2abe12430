// Attributes that the version before wrote are read under their old names, with a remark.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -verify-diagnostics | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc))' -verify-diagnostics \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func private @returns_borrowed
// CHECK-NOT: {{memref.copy|bufferization.clone|memref.dealloc}}
// CHECK: return %arg0, %{{.*}} : memref<?xf32>, memref<?xf32>
// expected-remark @below {{`memplan.lent` was renamed to `memplan.borrowed`: the next version does not accept the old name [memplan-R001]}}
func.func private @returns_borrowed(%a: memref<?xf32>, %n: index) -> (memref<?xf32> {memplan.lent}, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @borrows
// CHECK: %[[R:.*]]:2 = call @returns_borrowed
// CHECK-NOT: memref.dealloc %[[R]]#0
// CHECK: memref.dealloc %[[R]]#1
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @borrows(%a: memref<?xf32>, %n: index) {
  // expected-remark @below {{`memplan.lent_results` was renamed to `memplan.borrowed_results`: the next version does not accept the old name [memplan-R001]}}
  %r:2 = call @returns_borrowed(%a, %n) {memplan.lent_results = array<i64: 1, 0>} : (memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  memref.copy %r#0, %r#1 : memref<?xf32> to memref<?xf32>
  return
}
