// Programs that are made for merging allocations, and those for which ranges of program points go wrong, print the same
// with the pass, whatever surrounds it. Loops.
// RUN: for pass in '' 'memplan-merge-alloc{verify},' 'memplan-merge-alloc{verify in-place=false},' \
// RUN:   'memplan-merge-alloc{verify planner=first-fit alignment=1},' \
// RUN:   'convert-linalg-to-loops,memplan-merge-alloc{verify},' \
// RUN:   'convert-linalg-to-loops,scf-forall-to-for,convert-scf-to-cf,memplan-merge-alloc{verify},' \
// RUN:   'memplan-merge-alloc{verify scope=module},' 'func.func(memplan-merge-alloc{verify}),'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass convert-linalg-to-loops,scf-forall-to-for,%to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false})' \
// RUN:   | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// The numbers from %x on.
func.func @count(%m: memref<16xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %y = arith.addf %x, %k : f32
    memref.store %y, %m[%i] : memref<16xf32>
  }
  return
}

func.func @sum(%m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<16xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. Two buffers from outside of a loop, which returns to the first: contents that one iteration leaves in it, the
// next one reads.
// PLAN-LABEL: func @from_outside
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @from_outside() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %one) -> f32 {
    %x = memref.load %a[%c3] : memref<16xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%c3] : memref<16xf32>
    func.call @count(%b, %two) : (memref<16xf32>, f32) -> ()
    %s = func.call @sum(%b) : (memref<16xf32>) -> f32
    %t = arith.addf %sum, %s : f32
    scf.yield %t : f32
  }
  %z = memref.load %a[%c3] : memref<16xf32>
  %w = arith.addf %r, %z : f32
  return %w : f32
}

// 2. Allocated in the loop: the buffers of an iteration are dead when it ends, so one place is enough.
// PLAN-LABEL: func @in_the_loop
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @in_the_loop() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %one) -> f32 {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    func.call @count(%a, %sum) : (memref<16xf32>, f32) -> ()
    %x = memref.load %a[%c3] : memref<16xf32>
    func.call @count(%b, %x) : (memref<16xf32>, f32) -> ()
    %y = memref.load %b[%c3] : memref<16xf32>
    scf.yield %y : f32
  }
  return %r : f32
}

// 3. Scopes: what a sequential loop allocates joins the function's, what each parallel body allocates has its own.
// PLAN-LABEL: func @scopes
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
// PLAN:         scf.for
// PLAN-NOT:       memref.alloc
// PLAN:         scf.forall
// PLAN:           memref.alloc() {{.*}} : memref<64xi8>
// PLAN:           scf.forall
// PLAN:             memref.alloc() {{.*}} : memref<64xi8>
// PLAN-NOT:     memref.alloc
// PLAN:         return
func.func @scopes() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %out = memref.alloc() : memref<16xf32>
  call @count(%out, %one) : (memref<16xf32>, f32) -> ()
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc() : memref<16xf32>
    func.call @count(%t, %one) : (memref<16xf32>, f32) -> ()
    linalg.add ins(%out, %t : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  }
  scf.forall (%i) in (4) {
    %t = memref.alloc() : memref<16xf32>
    %x = memref.load %out[%i] : memref<16xf32>
    func.call @count(%t, %x) : (memref<16xf32>, f32) -> ()
    scf.forall (%j) in (3) {
      %u = memref.alloc() : memref<16xf32>
      %y = memref.load %t[%j] : memref<16xf32>
      func.call @count(%u, %y) : (memref<16xf32>, f32) -> ()
      %z = memref.load %u[%c4] : memref<16xf32>
      %n = arith.muli %i, %c4 : index
      %m = arith.addi %n, %j : index
      memref.store %z, %out[%m] : memref<16xf32>
    }
  }
  %s = call @sum(%out) : (memref<16xf32>) -> f32
  return %s : f32
}

// 4. Each iteration passes on its own buffer or the one that it received.
func.func @passed_on() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%m = %a) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    %x = memref.load %m[%i] : memref<16xf32>
    func.call @count(%b, %x) : (memref<16xf32>, f32) -> ()
    %y = memref.load %m[%c2] : memref<16xf32>
    memref.store %y, %b[%c7] : memref<16xf32>
    %rest = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %n = arith.select %even, %m, %b : memref<16xf32>
    scf.yield %n : memref<16xf32>
  }
  %s = call @sum(%r) : (memref<16xf32>) -> f32
  return %s : f32
}

// 5. A block that precedes another one in the text and follows it in execution order, in a loop: ^bb1 runs after each
// ^bb2, and before the next.
// PLAN-LABEL: func @runs_later_each_iteration
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @runs_later_each_iteration() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  cf.br ^bb3(%c0, %one : index, f32)
^bb1(%before: f32):
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  %t = arith.addf %before, %s : f32
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %c3 : index
  cf.cond_br %more, ^bb3(%j, %t : index, f32), ^bb4
^bb2:
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %x = call @sum(%b) : (memref<16xf32>) -> f32
  %y = arith.addf %so_far, %x : f32
  cf.br ^bb1(%y : f32)
^bb3(%i: index, %so_far: f32):
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  cf.br ^bb2
^bb4:
  return %t : f32
}

func.func @main() {
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4x4xf32>
  %w = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%half : f32) outs(%x : memref<4x4xf32>)
  linalg.fill ins(%two : f32) outs(%w : memref<4x4xf32>)
  // CHECK: 489
  %6 = call @from_outside() : () -> f32
  call @print(%6) : (f32) -> ()
  // CHECK-NEXT: 19
  %7 = call @in_the_loop() : () -> f32
  call @print(%7) : (f32) -> ()
  // CHECK-NEXT: 398
  %8 = call @scopes() : () -> f32
  call @print(%8) : (f32) -> ()
  // CHECK-NEXT: 270
  %12 = call @passed_on() : () -> f32
  call @print(%12) : (f32) -> ()
  // CHECK-NEXT: 865
  %14 = call @runs_later_each_iteration() : () -> f32
  call @print(%14) : (f32) -> ()
  return
}
