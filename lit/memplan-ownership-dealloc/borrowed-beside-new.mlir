// A result that is marked as borrowed, beside one that is an argument or new: the function returns no flags, and the second
// one is copied where it is the argument.
// RUN: %memplan-opt %s 2> /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership=true})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o /dev/null

// CHECK-LABEL: func private @f
// CHECK-SAME:    -> (memref<8xf32>, memref<8xf32> {memplan.borrowed})
// CHECK-LABEL: func @g
// CHECK:         %[[R:.*]]:2 = call @f
// CHECK:         memref.dealloc %[[R]]#0
func.func private @f(%a: memref<8xf32>, %c: i1) -> (memref<8xf32>, memref<8xf32> {memplan.borrowed}) {
  %n = memref.alloc() : memref<8xf32>
  memref.copy %a, %n : memref<8xf32> to memref<8xf32>
  %r = arith.select %c, %a, %n : memref<8xf32>
  return %r, %a : memref<8xf32>, memref<8xf32>
}
func.func @g(%a: memref<8xf32>, %c: i1, %y: memref<8xf32>) {
  %r:2 = call @f(%a, %c) : (memref<8xf32>, i1) -> (memref<8xf32>, memref<8xf32>)
  memref.copy %r#0, %y : memref<8xf32> to memref<8xf32>
  memref.copy %r#1, %y : memref<8xf32> to memref<8xf32>
  return
}
