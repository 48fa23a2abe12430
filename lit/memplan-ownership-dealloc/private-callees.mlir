// What callees of private functions that return flags do with what they are given.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' | FileCheck %s

// 1. A callee frees its argument by way of a function that gives it back: the caller does not.
// CHECK-LABEL: func @gives_by_way(
// CHECK:         call @frees_by_way
// CHECK-NOT:     dealloc
// CHECK:         return
func.func private @gives_back(%a: memref<16xf32>) -> memref<16xf32> {
  return %a : memref<16xf32>
}
func.func private @frees_by_way(%a: memref<16xf32>) {
  %b = call @gives_back(%a) : (memref<16xf32>) -> memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
func.func @gives_by_way() {
  %a = memref.alloc() : memref<16xf32>
  call @frees_by_way(%a) : (memref<16xf32>) -> ()
  return
}
