// A long chain of calls is named by its first calls and by where it ends.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded)' -o /dev/null 2> %t.errors
// RUN: FileCheck %s < %t.errors

// 1. Down to what is wrong.
// CHECK:      error: memplan-check-bounded: it calls @f1, which is not bounded [memplan-E609]
// CHECK:      note: @f1 calls @f2 here
// CHECK:      note: @f2 calls @f3 here
// CHECK:      note: @f3 calls @f4 here
// CHECK:      note: @f4 calls @f5 here
// CHECK:      note: @f5 calls @f6 here
// CHECK:      note: @f6 calls @f7 here
// CHECK:      note: @f7 calls @f8 here
// CHECK-NOT:  note: @f8
// CHECK:      note: and so on, to @f10
// CHECK:      note: @unseen has no body
// CHECK-NOT:  note:
// CHECK:      error: memplan-check-bounded: it calls @f2,
func.func @f0() {
  call @f1() : () -> ()
  return
}
func.func @f1() {
  call @f2() : () -> ()
  return
}
func.func @f2() {
  call @f3() : () -> ()
  return
}
func.func @f3() {
  call @f4() : () -> ()
  return
}
func.func @f4() {
  call @f5() : () -> ()
  return
}
func.func @f5() {
  call @f6() : () -> ()
  return
}
func.func @f6() {
  call @f7() : () -> ()
  return
}
func.func @f7() {
  call @f8() : () -> ()
  return
}
func.func @f8() {
  call @f9() : () -> ()
  return
}
func.func @f9() {
  call @f10() : () -> ()
  return
}
func.func private @unseen()
func.func @f10() {
  call @unseen() : () -> ()
  return
}

// 2. In a circle.
// CHECK:      error: memplan-check-bounded: it calls @r1, which is not bounded [memplan-E609]
// CHECK:      note: @r1 calls @r2 here
// CHECK:      note: @r2 calls @r3 here
// CHECK:      note: @r3 calls @r4 here
// CHECK:      note: @r4 calls @r5 here
// CHECK:      note: @r5 calls @r6 here
// CHECK:      note: @r6 calls @r7 here
// CHECK:      note: @r7 calls @r8 here
// CHECK:      note: and so on, to the recursive call
// CHECK-NOT:  note:
// CHECK:      error: memplan-check-bounded: it calls @r2,
func.func @r0() {
  call @r1() : () -> ()
  return
}
func.func @r1() {
  call @r2() : () -> ()
  return
}
func.func @r2() {
  call @r3() : () -> ()
  return
}
func.func @r3() {
  call @r4() : () -> ()
  return
}
func.func @r4() {
  call @r5() : () -> ()
  return
}
func.func @r5() {
  call @r6() : () -> ()
  return
}
func.func @r6() {
  call @r7() : () -> ()
  return
}
func.func @r7() {
  call @r8() : () -> ()
  return
}
func.func @r8() {
  call @r9() : () -> ()
  return
}
func.func @r9() {
  call @r0() : () -> ()
  return
}
