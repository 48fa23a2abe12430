// Callees of private functions that return flags, and what they do with their arguments.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership})' -o %t
// RUN: %memplan-opt %t --pass-pipeline='builtin.module(memplan-dealloc-pipeline{private-function-dynamic-ownership})' \
// RUN:   | diff %t -
// RUN: %memplan-opt %t --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' | diff %t -

// 1. A callee frees its argument through a function that returns it: the caller does not free it.
// CHECK-LABEL: func @returns_through_callee(
// CHECK:         call @frees_through_callee
// CHECK-NOT:     dealloc
// CHECK:         return
func.func private @returns_argument(%a: memref<16xf32>) -> memref<16xf32> {
  return %a : memref<16xf32>
}
func.func private @frees_through_callee(%a: memref<16xf32>) {
  %b = call @returns_argument(%a) : (memref<16xf32>) -> memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}
func.func @returns_through_callee() {
  %a = memref.alloc() : memref<16xf32>
  call @frees_through_callee(%a) : (memref<16xf32>) -> ()
  return
}

// 2. Memory that a flag says is new is freed; a later run, too, does not confuse it with the argument.
// CHECK-LABEL: func @gives_new_or_back(
// CHECK:         call @uses_new_or_back
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @new_or_back(%c: i1, %a: memref<16xf32>) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %n = memref.alloc() : memref<16xf32>
    memref.copy %a, %n : memref<16xf32> to memref<16xf32>
    scf.yield %n : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @uses_new_or_back(%c: i1, %a: memref<16xf32>) {
  %i = arith.constant 0 : index
  %b = call @new_or_back(%c, %a) : (i1, memref<16xf32>) -> memref<16xf32>
  %v = memref.load %b[%i] : memref<16xf32>
  memref.store %v, %a[%i] : memref<16xf32>
  return
}
func.func @gives_new_or_back(%c: i1) {
  %a = memref.alloc() : memref<16xf32>
  call @uses_new_or_back(%c, %a) : (i1, memref<16xf32>) -> ()
  return
}
