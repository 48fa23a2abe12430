// Loops that carry older instances of a buffer: planned programs print the same as without the pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%upstream-dealloc,cse,canonicalize,%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}

func.func @sum(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<4xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. A loop that allocates, reads the carried buffer and yields the new one. In one slot it would double itself: 8.
// PLAN-LABEL: func @carried
// PLAN:         memplan.slots = array<i64: 0, 64>
func.func @carried() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<4xf32>
  call @fill(%x, %zero) : (memref<4xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %x) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    func.call @fill(%a, %one) : (memref<4xf32>, f32) -> ()
    %c4 = arith.constant 4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %p = memref.load %m[%j] : memref<4xf32>
      %q = memref.load %a[%j] : memref<4xf32>
      %s = arith.addf %p, %q : f32
      memref.store %s, %a[%j] : memref<4xf32>
    }
    scf.yield %a : memref<4xf32>
  }
  %s = call @sum(%r) : (memref<4xf32>) -> f32
  return %s : f32
}

// 2. Fibonacci: the iteration reads the buffers of the last two.
// PLAN-LABEL: func @two_older
// PLAN:         memplan.slots = array<i64: 0, 64, 128>
func.func @two_older() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  call @fill(%x, %zero) : (memref<4xf32>, f32) -> ()
  call @fill(%y, %one) : (memref<4xf32>, f32) -> ()
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %x, %n = %y) -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    func.call @fill(%a, %zero) : (memref<4xf32>, f32) -> ()
    %p = memref.load %m[%c0] : memref<4xf32>
    %q = memref.load %n[%c0] : memref<4xf32>
    %s = arith.addf %p, %q : f32
    func.call @fill(%a, %s) : (memref<4xf32>, f32) -> ()
    scf.yield %n, %a : memref<4xf32>, memref<4xf32>
  }
  %v = memref.load %r#1[%c0] : memref<4xf32>
  return %v : f32
}

// 3. The block that uses it last comes before the one that would overwrite it.
func.func @text_order() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  call @fill(%a, %one) : (memref<4xf32>, f32) -> ()
  cf.br ^first
^last:
  %s = call @sum(%a) : (memref<4xf32>) -> f32
  return %s : f32
^first:
  %b = memref.alloc() : memref<4xf32>
  call @fill(%b, %two) : (memref<4xf32>, f32) -> ()
  cf.br ^last
}

// 4. Sometimes the buffer of the iteration is passed on, sometimes the older one.
// PLAN-LABEL: func @sometimes
// PLAN:         memplan.slots = array<i64: 0, 64>
func.func @sometimes() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4xf32>
  call @fill(%x, %zero) : (memref<4xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%m = %x) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f32
    func.call @fill(%a, %f) : (memref<4xf32>, f32) -> ()
    %p = memref.load %m[%c0] : memref<4xf32>
    %q = memref.load %a[%c0] : memref<4xf32>
    %s = arith.addf %p, %q : f32
    %t = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %t, %c0 : index
    %o = arith.select %even, %a, %m : memref<4xf32>
    memref.store %s, %o[%c0] : memref<4xf32>
    scf.yield %o : memref<4xf32>
  }
  %v = memref.load %r[%c0] : memref<4xf32>
  return %v : f32
}

// 5. A part of the buffer of the last iteration is carried.
func.func @part() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4xf32>
  call @fill(%x, %one) : (memref<4xf32>, f32) -> ()
  %xv = memref.subview %x[2][2][1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%m = %xv) -> memref<2xf32, strided<[1], offset: 2>> {
    %a = memref.alloc() : memref<4xf32>
    func.call @fill(%a, %zero) : (memref<4xf32>, f32) -> ()
    %p = memref.load %m[%c1] : memref<2xf32, strided<[1], offset: 2>>
    %s = arith.addf %p, %p : f32
    func.call @fill(%a, %s) : (memref<4xf32>, f32) -> ()
    %v = memref.subview %a[2][2][1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    scf.yield %v : memref<2xf32, strided<[1], offset: 2>>
  }
  %v = memref.load %r[%c1] : memref<2xf32, strided<[1], offset: 2>>
  return %v : f32
}

func.func @main() {
  // CHECK: 12
  %a = call @carried() : () -> f32
  call @print(%a) : (f32) -> ()
  // CHECK-NEXT: 89
  %b = call @two_older() : () -> f32
  call @print(%b) : (f32) -> ()
  // CHECK-NEXT: 4
  %c = call @text_order() : () -> f32
  call @print(%c) : (f32) -> ()
  // CHECK-NEXT: 21
  %d = call @sometimes() : () -> f32
  call @print(%d) : (f32) -> ()
  // CHECK-NEXT: 32
  %e = call @part() : () -> f32
  call @print(%e) : (f32) -> ()
  return
}
