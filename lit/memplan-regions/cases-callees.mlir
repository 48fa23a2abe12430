// Regions that callers pass to callees.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' > %t.once
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | diff %t.once -

// 1. A temporary that goes to the caller is in no region of the function; the caller passes the region of its own
// caller.
// CHECK-LABEL: func.func private @makes
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination}) -> (memref<4xf32> {memplan.borrowed}) attributes {memplan.regions}
// CHECK: call @memplan_region_allocate(%[[DESTINATION]],
func.func private @makes(%x: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  return %t : memref<4xf32>
}
// CHECK-LABEL: func.func private @passes
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination})
// CHECK: call @makes(%{{.*}}, %[[DESTINATION]]) {memplan.borrowed_results = array<i64: 1>}
func.func private @passes(%x: memref<4xf32>) -> memref<4xf32> {
  %t = call @makes(%x) : (memref<4xf32>) -> memref<4xf32>
  return %t : memref<4xf32>
}
// CHECK-LABEL: func.func @uses
// CHECK: %[[REGION:.*]] = call @memplan_region_make()
// CHECK: call @passes(%{{.*}}, %[[REGION]])
// CHECK: call @memplan_region_release(%[[REGION]])
func.func @uses(%x: memref<4xf32>) {
  %t = call @passes(%x) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %t, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// 2. A public function stays as it is; calls from here call another version.
// CHECK-LABEL: func.func @public(
// CHECK: memref.alloc(
// CHECK-LABEL: func.func private @public_in_region(
// CHECK-SAME: i64 {memplan.destination}
// CHECK: call @memplan_region_allocate
func.func @public(%n: index) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32>
  return %t : memref<?xf32>
}
func.func private @public_in_region_0()
// CHECK-LABEL: func.func @calls
// CHECK: call @public_in_region(
func.func @calls(%n: index, %x: memref<?xf32>) {
  %t = call @public(%n) : (index) -> memref<?xf32>
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 3. A name that exists is not used again. Memory whose owner frees it comes from the heap.
// CHECK-LABEL: func.func private @helper(
// CHECK: memref.alloc(
// CHECK: func.func private @helper_in_region_0(
// CHECK: call @memplan_region_allocate
func.func private @helper(%n: index) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32>
  return %t : memref<?xf32>
}
func.func private @helper_in_region()
// CHECK-LABEL: func.func @gives
// CHECK: call @helper(
func.func @gives(%n: index) -> memref<?xf32> {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  return %t : memref<?xf32>
}
// CHECK-LABEL: func.func @frees
// CHECK: %[[T:.*]] = call @helper(
// CHECK: memref.dealloc %[[T]]
func.func @frees(%n: index) {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}
// CHECK-LABEL: func.func @keeps
// CHECK: call @helper_in_region_0(
func.func @keeps(%n: index, %x: memref<?xf32>) {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 4. A function that calls only itself keeps up with its callees. The attributes of a call have a place for the
// region.
// CHECK-LABEL: func.func @says_of_arguments(
// CHECK: call @makes(%{{.*}}, %{{.*}}) {arg_attrs = [{llvm.noundef}, {}], memplan.borrowed_results
// CHECK-LABEL: func.func private @only_itself(
// CHECK: call @makes(%{{.*}}, %{{.*}}) {memplan.borrowed_results
func.func private @makes(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @says_of_arguments(%n: index) -> f32 {
  %a = call @makes(%n) {arg_attrs = [{llvm.noundef}]} : (index) -> memref<?xf32>
  %v = memref.load %a[%n] : memref<?xf32>
  return %v : f32
}
func.func private @only_itself(%n: index) {
  %a = call @makes(%n) : (index) -> memref<?xf32>
  call @only_itself(%n) : (index) -> ()
  return
}

// -----

// 5. A coroutine is left at each suspension: what it makes is left alone.
// CHECK-LABEL: func.func @coroutine(
// CHECK: memref.alloc(
// CHECK-NOT: memplan_region
func.func private @use(memref<?xf32>)
func.func @coroutine(%n: index) -> !async.token {
  %t = memref.alloc(%n) : memref<?xf32>
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %saved, ^suspended, ^resumed, ^cleanup
^resumed:
  call @use(%t) : (memref<?xf32>) -> ()
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %token : !async.token
}

// 6. Memory that a function does not need any more when it calls itself is freed before, or it would be there once
// for each level.
// CHECK-LABEL: func.func private @calls_itself(
// CHECK:         %[[OWN:.*]] = call @memplan_region_make()
// CHECK:         call @memplan_region_allocate(%[[OWN]],
// CHECK:         memref.load
// CHECK:         call @memplan_region_empty(%[[OWN]])
// CHECK:         func.call @calls_itself
// CHECK:         call @memplan_region_release(%[[OWN]])
func.func private @calls_itself(%depth: index, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  %more = arith.cmpi ugt, %depth, %c0 : index
  %r = scf.if %more -> f32 {
    %less = arith.subi %depth, %c1 : index
    %z = func.call @calls_itself(%less, %n, %y) : (index, index, f32) -> f32
    scf.yield %z : f32
  } else {
    scf.yield %y : f32
  }
  return %r : f32
}
