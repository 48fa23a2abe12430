// Programs with asynchronous bodies print the same with and without the pass. Regions are poisoned when they are
// released. The background writes when a flag is set, and sets another one when it has: nothing that is printed is a
// race. Loops and branches.
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

// 1. A buffer that is used meanwhile has other bytes, in each iteration of a loop.
// PLAN-LABEL: func @loop
// PLAN:         scf.for
// PLAN-NOT:       memref.alloc(%
// PLAN:         return
func.func @loop(%n: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  scf.for %i = %c0 to %count step %c1 {
    linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
    %t = async.execute {
      func.call @write(%a, %two, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> ()
      async.yield
    }
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
    %meanwhile = func.call @sum_later(%b, %flags) : (memref<?xf32>, memref<2xi32>) -> f32
    async.await %t : !async.token
    %c = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
    %after = func.call @sum(%c) : (memref<?xf32>) -> f32
    func.call @printF32(%meanwhile) : (f32) -> ()
    func.call @printComma() : () -> ()
    func.call @printF32(%after) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  memref.dealloc %flags : memref<2xi32>
  return
}

// 2. The buffer is used by what was started alone: the last use that stands in the text comes before the wait.
// PLAN-LABEL: func @last_use
// PLAN:         async.execute
// PLAN:         call @memplan_region_allocate
// PLAN:         async.await
// PLAN:         call @memplan_region_empty
func.func @last_use(%n: index) {
  %down = arith.constant 0 : i32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc(%n) : memref<?xf32>
  %t = async.execute {
    func.call @write(%a, %two, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
  %meanwhile = func.call @sum_later(%b, %flags) : (memref<?xf32>, memref<2xi32>) -> f32
  async.await %t : !async.token
  call @printF32(%meanwhile) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

// 3. Each branch waits.
// PLAN-LABEL: func @branches
// PLAN-NOT:     memref.alloc(%
// PLAN:         scf.if
// PLAN:         async.await
// PLAN:         async.await
// PLAN:         call @memplan_region_empty
func.func @branches(%n: index, %which: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %down = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
  %a = memref.alloc(%n) : memref<?xf32>
  %t = async.execute {
    func.call @write(%a, %two, %flags) : (memref<?xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%three : f32) outs(%b : memref<?xf32>)
  %meanwhile = func.call @sum_later(%b, %flags) : (memref<?xf32>, memref<2xi32>) -> f32
  scf.if %which {
    async.await %t : !async.token
  } else {
    async.await %t : !async.token
  }
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
  %count = arith.constant 3 : index
  // CHECK: 3072, 1024
  // CHECK-NEXT: 3072, 1024
  // CHECK-NEXT: 3072, 1024
  call @loop(%n, %count) : (index, index) -> ()
  // CHECK-NEXT: 3072
  call @last_use(%n) : (index) -> ()
  %true = arith.constant true
  // CHECK-NEXT: 3072, 1024
  call @branches(%n, %true) : (index, i1) -> ()
  return
}
