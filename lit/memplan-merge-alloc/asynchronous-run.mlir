// Programs with asynchronous bodies print the same with and without the pass: straight-line code and branches.
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

// 1. Three buffers: what is made in the background, what is used meanwhile, and what comes after the wait.
// PLAN-LABEL: func @straight
// PLAN:         memref.alloc() {{.*}} : memref<8192xi8>
func.func @straight() {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  func.call @lower(%flags) : (memref<2xi32>) -> ()
  %background = memref.alloc() : memref<1024xf32>
  %meanwhile = memref.alloc() : memref<1024xf32>
  %after = memref.alloc() : memref<1024xf32>
  %first = async.execute {
    func.call @write(%background, %one, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %second = async.execute [%first] {
    async.yield
  }
  linalg.fill ins(%two : f32) outs(%meanwhile : memref<1024xf32>)
  %m = func.call @sum_later(%meanwhile, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  async.await %second : !async.token
  linalg.fill ins(%three : f32) outs(%after : memref<1024xf32>)
  %a = func.call @sum_later(%after, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  %b = func.call @sum(%background) : (memref<1024xf32>) -> f32
  call @printF32(%m) : (f32) -> ()
  call @printF32(%a) : (f32) -> ()
  call @printF32(%b) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

// 2. Awaited in both branches, in one of them late; what is written is not read.
// PLAN-LABEL: func @branches
// PLAN:         memref.alloc() {{.*}} : memref<8192xi8>
func.func @branches(%which: i1) {
  %c0 = arith.constant 0 : index
  %up = arith.constant 1 : i32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %flags = memref.alloc() {memplan.keep} : memref<2xi32>
  func.call @lower(%flags) : (memref<2xi32>) -> ()
  %background = memref.alloc() : memref<1024xf32>
  %meanwhile = memref.alloc() : memref<1024xf32>
  %after = memref.alloc() : memref<1024xf32>
  %token = async.execute {
    func.call @write(%background, %one, %flags) : (memref<1024xf32>, f32, memref<2xi32>) -> ()
    async.yield
  }
  %m = scf.if %which -> f32 {
    linalg.fill ins(%two : f32) outs(%meanwhile : memref<1024xf32>)
    %r = func.call @sum_later(%meanwhile, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
    async.await %token : !async.token
    scf.yield %r : f32
  } else {
    memref.atomic_rmw ori %up, %flags[%c0] : (i32, memref<2xi32>) -> i32
    async.await %token : !async.token
    linalg.fill ins(%two : f32) outs(%meanwhile : memref<1024xf32>)
    %r = func.call @sum_later(%meanwhile, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
    scf.yield %r : f32
  }
  linalg.fill ins(%three : f32) outs(%after : memref<1024xf32>)
  %a = func.call @sum_later(%after, %flags) : (memref<1024xf32>, memref<2xi32>) -> f32
  call @printF32(%m) : (f32) -> ()
  call @printF32(%a) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %flags : memref<2xi32>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 204830721024
  call @straight() : () -> ()
  // CHECK-NEXT: 20483072
  call @branches(%true) : (i1) -> ()
  // CHECK-NEXT: 20483072
  call @branches(%false) : (i1) -> ()
  return
}
