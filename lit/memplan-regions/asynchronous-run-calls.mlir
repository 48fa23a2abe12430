// Programs with asynchronous bodies print the same with and without the pass. Regions are poisoned when they are
// released. The background writes when a flag is set, and sets another one when it has: nothing that is printed is a
// race. Groups and callees.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-dealloc-pipeline,async-func-to-async-runtime,%async-to-llvm)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-async-regions | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions,memplan-dealloc-pipeline,\
// RUN:   async-func-to-async-runtime,%async-to-llvm)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-async-regions | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{release=last-use},memplan-dealloc-pipeline,\
// RUN:   async-func-to-async-runtime,%async-to-llvm)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-async-regions | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{loops=per-iteration},memplan-dealloc-pipeline,\
// RUN:   async-func-to-async-runtime,%async-to-llvm)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-async-regions | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{loops=checkpoint sizes=all},\
// RUN:   memplan-dealloc-pipeline,async-func-to-async-runtime,%async-to-llvm)' \
// RUN:   | MEMPLAN_REGION_DEBUG=1 %runner-async-regions | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{release=last-use})' \
// RUN:   | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printComma()
func.func private @printNewline()

func.func @sum(%m: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

func.func @until(%flags: memref<2xi32>, %which: index) {
  scf.while : () -> () {
    %zero = arith.constant 0 : i32
    // A loop that only reads would be taken for dead.
    %flag = memref.atomic_rmw addi %zero, %flags[%which] : (i32, memref<2xi32>) -> i32
    %down = arith.cmpi eq, %flag, %zero : i32
    scf.condition(%down)
  } do {
    scf.yield
  }
  return
}

func.func @write(%m: memref<?xf32>, %x: f32, %flags: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  func.call @until(%flags, %c0) : (memref<2xi32>, index) -> ()
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  memref.atomic_rmw ori %up, %flags[%c1] : (i32, memref<2xi32>) -> i32
  return
}

// The sum of what was there before what was started has written, as it is then.
func.func @sum_later(%m: memref<?xf32>, %flags: memref<2xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
  func.call @until(%flags, %c1) : (memref<2xi32>, index) -> ()
  %r = func.call @sum(%m) : (memref<?xf32>) -> f32
  return %r : f32
}

// 1. A group that an iteration adds to.
// PLAN-LABEL: func @group
// PLAN-NOT:     memref.alloc(%
// PLAN:         async.await_all
// PLAN:         call @memplan_region_empty
func.func @group(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc(%n) : memref<?xf32>
  %group = async.create_group %c1 : !async.group
  scf.for %i = %c0 to %c1 step %c1 {
  %t = async.execute {
      func.call @write(%a, %two, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> ()
      async.yield
    }
    async.add_to_group %t, %group : !async.token
  }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
  %meanwhile = func.call @sum_later(%b, %flags) : (memref<?xf32>, memref<2xi32>) -> f32
  async.await_all %group
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
  %after = func.call @sum(%c) : (memref<?xf32>) -> f32
  call @printF32(%meanwhile) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF32(%after) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

// 2. A callee that is pending after the call.
// PLAN-LABEL: func.func @called
// PLAN-NOT:     memref.alloc(%
// PLAN:         async.call
// PLAN:         async.await
// PLAN:         call @memplan_region_empty
async.func @writes(%m: memref<?xf32>, %x: f32, %flags: memref<2xi32>) -> !async.token {
  // Up to here, it runs before the call returns.
  %t = async.execute {
    func.call @write(%m, %x, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  async.await %t : !async.token
  return
}

func.func @called(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc(%n) : memref<?xf32>
  %t = async.call @writes(%a, %two, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> !async.token
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
  %meanwhile = func.call @sum_later(%b, %flags) : (memref<?xf32>, memref<2xi32>) -> f32
  async.await %t : !async.token
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
  %after = func.call @sum(%c) : (memref<?xf32>) -> f32
  call @printF32(%meanwhile) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF32(%after) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

func.func @main() {
  %n = arith.constant 1024 : index
  // CHECK: 3072, 1024
  call @group(%n) : (index) -> ()
  // CHECK-NEXT: 3072, 1024
  call @called(%n) : (index) -> ()
  return
}
