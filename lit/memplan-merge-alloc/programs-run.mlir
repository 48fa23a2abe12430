// Programs that are made for merging allocations, and those for which ranges of program points go wrong, print the same
// with the pass, whatever surrounds it. Straight-line code and choices.
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

// 1. Four layers with one weight: the third uses the place of the first, and the last is returned.
// PLAN-LABEL: func @layers
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
// PLAN:         memref.alloc() : memref<4x4xf32>
func.func @layers(%x: memref<4x4xf32>, %w: memref<4x4xf32>) -> memref<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<4x4xf32>)
  linalg.matmul ins(%x, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
  linalg.matmul ins(%b, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %d = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<4x4xf32>)
  linalg.matmul ins(%c, %w : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return %d : memref<4x4xf32>
}

// 2. The third is larger than the first: no hole that the first leaves is large enough, but a plan fits it.
// PLAN-LABEL: func @larger
// PLAN:         memref.alloc() {{.*}} : memref<192xi8>
func.func @larger() -> f32 {
  %c0 = arith.constant 0 : index
  %c31 = arith.constant 31 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %b = memref.alloc() : memref<16xf32>
  linalg.add ins(%a, %a : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<32xf32>
  %low = memref.subview %c[0][16][1] : memref<32xf32> to memref<16xf32>
  %high = memref.subview %c[16][16][1] : memref<32xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %b, %low : memref<16xf32> to memref<16xf32>
  memref.copy %b, %high : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  %x = memref.load %c[%c0] : memref<32xf32>
  %y = memref.load %c[%c31] : memref<32xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// 3. Other elements, one arena.
// PLAN-LABEL: func @elements
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @elements() -> f32 {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7 : i64
  %a = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  %b = memref.alloc() : memref<16xi64>
  linalg.fill ins(%seven : i64) outs(%b : memref<16xi64>)
  %x = memref.load %b[%c3] : memref<16xi64>
  %y = arith.sitofp %x : i64 to f32
  %z = arith.addf %s, %y : f32
  return %z : f32
}

// 4. One is made before the other is last used: they overlap, though neither contains the other.
// PLAN-LABEL: func @interleaved
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @interleaved() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  %t = call @sum(%b) : (memref<16xf32>) -> f32
  %u = arith.subf %t, %s : f32
  return %u : f32
}

// 5. Both are allocated first, but one is used after the other: one place.
// PLAN-LABEL: func @one_after_the_other
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @one_after_the_other() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %t = call @sum(%b) : (memref<16xf32>) -> f32
  %u = arith.subf %t, %s : f32
  return %u : f32
}

// 6. Used through views only after its name is used for the last time.
// PLAN-LABEL: func @through_views
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @through_views() -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %square = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %row = memref.subview %square[2, 0][1, 4][1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 8>>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %x = memref.load %row[%c3] : memref<4xf32, strided<[1], offset: 8>>
  %y = memref.load %b[%c0] : memref<16xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// 7. One of two: both are needed as long as the choice is.
// PLAN-LABEL: func @choice
// PLAN:         memref.alloc() {{.*}} : memref<192xi8>
func.func @choice(%which: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %m = arith.select %which, %a, %b : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  call @count(%c, %three) : (memref<16xf32>, f32) -> ()
  %s = call @sum(%m) : (memref<16xf32>) -> f32
  %t = call @sum(%c) : (memref<16xf32>) -> f32
  %u = arith.subf %t, %s : f32
  return %u : f32
}

// 8. ^bb1 stands before ^bb2 and runs after it: %a is needed while %b is written, though no range in the order of the
// text from its first to its last use holds that of %b.
// PLAN-LABEL: func @runs_later
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @runs_later() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  cf.br ^bb2
^bb1:
  %s = call @sum(%a) : (memref<16xf32>) -> f32
  %t = arith.subf %s, %x : f32
  return %t : f32
^bb2:
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %x = call @sum(%b) : (memref<16xf32>) -> f32
  cf.br ^bb1
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc() : memref<4x4xf32>
  %w = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%half : f32) outs(%x : memref<4x4xf32>)
  linalg.fill ins(%two : f32) outs(%w : memref<4x4xf32>)
  // CHECK: 2048
  %y = call @layers(%x, %w) : (memref<4x4xf32>, memref<4x4xf32>) -> memref<4x4xf32>
  %1 = memref.load %y[%c1, %c1] : memref<4x4xf32>
  call @print(%1) : (f32) -> ()
  // CHECK-NEXT: 34
  %2 = call @larger() : () -> f32
  call @print(%2) : (f32) -> ()
  // CHECK-NEXT: 143
  %3 = call @elements() : () -> f32
  call @print(%3) : (f32) -> ()
  // CHECK-NEXT: 16
  %4 = call @interleaved() : () -> f32
  call @print(%4) : (f32) -> ()
  // CHECK-NEXT: 16
  %5 = call @one_after_the_other() : () -> f32
  call @print(%5) : (f32) -> ()
  // CHECK-NEXT: 14
  %9 = call @through_views() : () -> f32
  call @print(%9) : (f32) -> ()
  // CHECK-NEXT: 32
  %10 = call @choice(%true) : (i1) -> f32
  call @print(%10) : (f32) -> ()
  // CHECK-NEXT: 16
  %11 = call @choice(%false) : (i1) -> f32
  call @print(%11) : (f32) -> ()
  // CHECK-NEXT: -16
  %13 = call @runs_later() : () -> f32
  call @print(%13) : (f32) -> ()
  return
}
