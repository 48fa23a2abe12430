// A module in which nothing is called, with functions that could return flags.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func private @never_called(
// CHECK-NOT:     memref.copy
// CHECK:         return %arg0, %{{.*}} : memref<i64>, i1
// CHECK-LABEL: func.func @frees(
// CHECK:         memref.store
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @never_called(%a: memref<i64>) -> memref<i64> {
  return %a : memref<i64>
}
func.func @frees(%v: i64) {
  %m = memref.alloc() : memref<i64>
  memref.store %v, %m[] : memref<i64>
  return
}
