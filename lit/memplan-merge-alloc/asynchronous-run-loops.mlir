// Programs with asynchronous bodies print the same with and without the pass: loops.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%async-to-llvm)' | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%async-to-llvm)' \
// RUN:   | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false},%async-to-llvm)' \
// RUN:   | %runner-async | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()

func.func @sum(%m: memref<1024xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c1024 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<1024xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// Waits, without sleeping, until a flag is set. There are two: the first lets the background write, the second says
// that it has.
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

func.func @write(%m: memref<1024xf32>, %x: f32, %flags: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  func.call @until(%flags, %c0) : (memref<2xi32>, index) -> ()
  linalg.fill ins(%x : f32) outs(%m : memref<1024xf32>)
  memref.atomic_rmw ori %up, %flags[%c1] : (i32, memref<2xi32>) -> i32
  return
}

// The sum of what was there before what was started has written, as it is then.
func.func @sum_later(%m: memref<1024xf32>, %flags: memref<2xi32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %up = arith.constant 1 : i32
  memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
  func.call @until(%flags, %c1) : (memref<2xi32>, index) -> ()
  %r = func.call @sum(%m) : (memref<1024xf32>) -> f32
  return %r : f32
}

func.func @lower(%flags: memref<2xi32>) {
  %down = arith.constant 0 : i32
  linalg.fill ins(%down : i32) outs(%flags : memref<2xi32>)
  return
}

// 1. In a loop of blocks: awaited in another block than the one that starts it, before the next iteration.
// PLAN-LABEL: func @iterations
// PLAN:         memref.alloc() {{.*}} : memref<12288xi8>
func.func @iterations() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %up = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant 0.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  func.call @lower(%flags) : (memref<2xi32>) -> ()
  %first = memref.alloc() : memref<1024xf32>
  %second = memref.alloc() : memref<1024xf32>
  %meanwhile = memref.alloc() : memref<1024xf32>
  %after = memref.alloc() : memref<1024xf32>
  cf.br ^iteration(%c0, %zero : index, f32)
^iteration(%i: index, %sum: f32):
  func.call @lower(%flags) : (memref<2xi32>) -> ()
  linalg.fill ins(%zero : f32) outs(%first : memref<1024xf32>)
  linalg.fill ins(%zero : f32) outs(%second : memref<1024xf32>)
  %t = async.execute {
    func.call @write(%first, %one, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %u = async.execute [%t] {
    func.call @write(%second, %one, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %parity = arith.remui %i, %c2 : index
  %is_even = arith.cmpi eq, %parity, %c0 : index
  cf.cond_br %is_even, ^even, ^odd
^even:
  linalg.fill ins(%two : f32) outs(%meanwhile : memref<1024xf32>)
  %r = func.call @sum_later(%meanwhile, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  async.await %u : !async.token
  cf.br ^next(%r : f32)
^odd:
  memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
  async.await %u : !async.token
  linalg.fill ins(%one : f32) outs(%after : memref<1024xf32>)
  %a = func.call @sum_later(%after, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  cf.br ^next(%a : f32)
^next(%x: f32):
  %s = arith.addf %sum, %x : f32
  %j = arith.addi %i, %c1 : index
  %goes_on = arith.cmpi ult, %j, %c7 : index
  cf.cond_br %goes_on, ^iteration(%j, %s : index, f32), ^end(%s : f32)
^end(%all: f32):
  call @printF32(%all) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

// 2. A group that a loop adds to; bodies with buffers of their own.
// PLAN-LABEL: func @group
// PLAN:         memref.alloc() {{.*}} : memref<8192xi8>
// PLAN:         async.execute
// PLAN:           memref.alloc() {{.*}} : memref<4096xi8>
// PLAN:           memref.dealloc
func.func @group() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  func.call @lower(%flags) : (memref<2xi32>) -> ()
  %sums = memref.alloc() : memref<1024xf32>
  %meanwhile = memref.alloc() : memref<1024xf32>
  %after = memref.alloc() : memref<1024xf32>
  linalg.fill ins(%one : f32) outs(%sums : memref<1024xf32>)
  %group = async.create_group %c8 : !async.group
  scf.for %i = %c0 to %c8 step %c1 {
    %token = async.execute {
      %own = memref.alloc() : memref<1024xf32>
      func.call @write(%own, %two, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
      %r = func.call @sum(%own) : (memref<1024xf32>) -> f32
      memref.dealloc %own : memref<1024xf32>
      %again = memref.alloc() : memref<1024xf32>
      linalg.fill ins(%r : f32) outs(%again : memref<1024xf32>)
      %s = func.call @sum_later(%again, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
      memref.dealloc %again : memref<1024xf32>
      memref.store %s, %sums[%i] : memref<1024xf32>
      async.yield
    }
    %rank = async.add_to_group %token, %group : !async.token
  }
  linalg.fill ins(%three : f32) outs(%meanwhile : memref<1024xf32>)
  %m = func.call @sum_later(%meanwhile, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  async.await_all %group
  %b = func.call @sum(%sums) : (memref<1024xf32>) -> f32
  linalg.fill ins(%one : f32) outs(%after : memref<1024xf32>)
  %a = func.call @sum_later(%after, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  call @printF32(%m) : (f32) -> ()
  call @printF32(%b) : (f32) -> ()
  call @printF32(%a) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

func.func @main() {
  // CHECK: 11264
  call @iterations() : () -> ()
  // CHECK-NEXT: 30721.67772e+071024
  call @group() : () -> ()
  return
}
