// One arena of dynamic size is freed after its last use where a result, or a callee, takes memory after that.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc)' -o %t.once
// RUN: %memplan-opt %t.once --pass-pipeline='builtin.module(memplan-merge-alloc)' | diff %t.once -
func.func private @use(memref<?xi64>)

// 1. A result that is allocated when all buffers are dead.
// CHECK-LABEL: func.func @result(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena}
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK:         %[[RESULT:.*]] = memref.alloc(
// CHECK:         return %[[RESULT]]
func.func @result(%n: index, %m: index) -> memref<?xi64> {
  %a = memref.alloc(%n) : memref<?xi64>
  call @use(%a) : (memref<?xi64>) -> ()
  %b = memref.alloc(%n) : memref<?xi64>
  call @use(%b) : (memref<?xi64>) -> ()
  %r = memref.alloc(%m) : memref<?xi64>
  call @use(%r) : (memref<?xi64>) -> ()
  return %r : memref<?xi64>
}

// 2. Buffers of two sizes, and one of static size.
// CHECK-LABEL: func.func @sizes(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena}
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK:         %[[RESULT:.*]] = memref.alloc(
// CHECK:         return %[[RESULT]]
func.func @sizes(%n: index, %m: index) -> memref<?xi64> {
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @use(%a) : (memref<?xi64>) -> ()
  %s = memref.alloc() : memref<8xi64>
  linalg.fill ins(%one : i64) outs(%s : memref<8xi64>)
  %b = memref.alloc(%m) : memref<?xi64>
  call @use(%b) : (memref<?xi64>) -> ()
  %r = memref.alloc(%n) : memref<?xi64>
  call @use(%r) : (memref<?xi64>) -> ()
  return %r : memref<?xi64>
}

// 3. A callee that allocates.
// CHECK-LABEL: func.func @callee(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena}
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK:         call @allocates
func.func private @allocates(%n: index) {
  %a = memref.alloc(%n) : memref<?xi64>
  call @use(%a) : (memref<?xi64>) -> ()
  memref.dealloc %a : memref<?xi64>
  return
}
func.func @callee(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?xi64>
  call @use(%a) : (memref<?xi64>) -> ()
  %b = memref.alloc(%n) : memref<?xi64>
  call @use(%b) : (memref<?xi64>) -> ()
  call @allocates(%m) : (index) -> ()
  return
}

// 4. Where nothing takes memory after the last use, it is freed at the end.
// CHECK-LABEL: func.func @nothing(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena}
// CHECK:         memref.store
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NEXT:    return
func.func @nothing(%n: index, %y: memref<i64>) {
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  call @use(%a) : (memref<?xi64>) -> ()
  %b = memref.alloc(%n) : memref<?xi64>
  call @use(%b) : (memref<?xi64>) -> ()
  memref.store %one, %y[] : memref<i64>
  return
}
