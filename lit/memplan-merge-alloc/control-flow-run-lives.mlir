// Holes in live ranges, swaps, exclusive branches and scf.while: planned programs print the same as without the pass.
// RUN: for pass in '' 'memplan-merge-alloc{verify},' 'memplan-merge-alloc{verify in-place=false},' \
// RUN:   'memplan-merge-alloc{verify planner=first-fit alignment=1 arena=alloca},' \
// RUN:   'convert-linalg-to-loops,convert-scf-to-cf,memplan-merge-alloc{verify},' \
// RUN:   'memplan-merge-alloc{verify scope=module},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()

func.func @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill(%m: memref<16xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)
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

// 1. A hole in a live range: a buffer that is overwritten has no contents before, and the old ones are read earlier.
// %b fits in between.
// PLAN-LABEL: func @hole
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @hole() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  linalg.fill ins(%two : f32) outs(%b : memref<16xf32>)
  %t = call @sum(%b) : (memref<16xf32>) -> f32
  linalg.fill ins(%t : f32) outs(%a : memref<16xf32>)
  %u = call @sum(%a) : (memref<16xf32>) -> f32
  %v = arith.addf %s, %u : f32
  return %v : f32
}

// 2. Two buffers that change places in each iteration, one of them written.
func.func @swapped() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @fill(%a, %one) : (memref<16xf32>, f32) -> ()
  call @fill(%b, %two) : (memref<16xf32>, f32) -> ()
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.add ins(%m, %n : memref<16xf32>, memref<16xf32>) outs(%m : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %s = call @sum(%r#0) : (memref<16xf32>) -> f32
  %t = call @sum(%r#1) : (memref<16xf32>) -> f32
  %u = arith.subf %t, %s : f32
  return %u : f32
}

// 3. Branches that exclude each other make one buffer each, in regions and in blocks: one place for both.
// PLAN-LABEL: func @exclusive
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @exclusive(%which: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %m = scf.if %which -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%two : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  linalg.add ins(%m, %m : memref<16xf32>, memref<16xf32>) outs(%m : memref<16xf32>)
  %s = call @sum(%m) : (memref<16xf32>) -> f32
  cf.cond_br %which, ^left, ^right
^left:
  %c = memref.alloc() : memref<16xf32>
  call @fill(%c, %one) : (memref<16xf32>, f32) -> ()
  cf.br ^end(%c : memref<16xf32>)
^right:
  %d = memref.alloc() : memref<16xf32>
  call @fill(%d, %s) : (memref<16xf32>, f32) -> ()
  cf.br ^end(%d : memref<16xf32>)
^end(%n: memref<16xf32>):
  %t = call @sum(%n) : (memref<16xf32>) -> f32
  %u = arith.addf %s, %t : f32
  return %u : f32
}

// 4. A while loop hands what its condition made to its body, and what the body made back.
func.func @while() -> f32 {
  %c0 = arith.constant 0 : index
  %ten = arith.constant 10.0 : f32
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<16xf32>)
  %r = scf.while (%m = %a) : (memref<16xf32>) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%m, %m : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    %x = memref.load %b[%c0] : memref<16xf32>
    %more = arith.cmpf olt, %x, %ten : f32
    scf.condition(%more) %b : memref<16xf32>
  } do {
  ^bb0(%n: memref<16xf32>):
    %c = memref.alloc() : memref<16xf32>
    linalg.fill ins(%one : f32) outs(%c : memref<16xf32>)
    linalg.add ins(%n, %c : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
    scf.yield %c : memref<16xf32>
  }
  %s = call @sum(%r) : (memref<16xf32>) -> f32
  return %s : f32
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 528
  %7 = call @hole() : () -> f32
  call @print(%7) : (f32) -> ()
  // CHECK-NEXT: 128
  %9 = call @swapped() : () -> f32
  call @print(%9) : (f32) -> ()
  // CHECK-NEXT: 48
  %10 = call @exclusive(%true) : (i1) -> f32
  call @print(%10) : (f32) -> ()
  // CHECK-NEXT: 1088
  %11 = call @exclusive(%false) : (i1) -> f32
  call @print(%11) : (f32) -> ()
  // CHECK-NEXT: 224
  %12 = call @while() : () -> f32
  call @print(%12) : (f32) -> ()
  return
}
