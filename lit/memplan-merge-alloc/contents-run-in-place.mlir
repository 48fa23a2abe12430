// Operations that may work in place, and those that may not: planned programs print the same as without the pass.
// RUN: for pass in '' 'memplan-merge-alloc{verify},' 'memplan-merge-alloc{verify in-place=false},' \
// RUN:   'memplan-merge-alloc{verify planner=first-fit alignment=1},' \
// RUN:   'convert-scf-to-cf,memplan-merge-alloc{verify},' 'convert-linalg-to-loops,memplan-merge-alloc{verify},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=PLAN

func.func private @printF32(f32)
func.func private @printNewline()
#id = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (0)>
#square = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>

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

// Each element counts by its place, so that no two may change places.
func.func @checksum(%m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<16xf32>
    %i1 = arith.addi %i, %c1 : index
    %j = arith.index_cast %i1 : index to i32
    %k = arith.sitofp %j : i32 to f32
    %y = arith.mulf %x, %k : f32
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. In place is wrong for a broadcast: the first element is read for each of them, after it was written.
func.func @broadcast() -> f32 {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %two) : (memref<16xf32>, f32) -> ()
  linalg.generic {indexing_maps = [#id, #first, #id], iterator_types = ["parallel"]} ins(%a, %a : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    linalg.yield %p : f32
  }
  %s = call @checksum(%b) : (memref<16xf32>) -> f32
  return %s : f32
}

// 2. In place is wrong where elements get wider: the second would lie where the third and the fourth are still to be
// read.
func.func @wider() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf64>
  %c = memref.alloc() : memref<16xf32>
  call @count(%a, %two) : (memref<16xf32>, f32) -> ()
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<16xf64>) {
  ^bb0(%x: f32, %y: f64):
    %w = arith.extf %x : f32 to f64
    linalg.yield %w : f64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xf64>) outs(%c : memref<16xf32>) {
  ^bb0(%x: f64, %y: f32):
    %w = arith.truncf %x : f64 to f32
    linalg.yield %w : f32
  }
  %s = call @checksum(%c) : (memref<16xf32>) -> f32
  return %s : f32
}

// 3. In place is wrong where a row goes to each row, or where the sums of rows are written over the rows.
func.func @reduced() -> f32 {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %flat = memref.alloc() : memref<16xf32>
  call @count(%flat, %one) : (memref<16xf32>, f32) -> ()
  %a = memref.expand_shape %flat [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %sums = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<4xf32>)
  linalg.generic {indexing_maps = [#square, #column], iterator_types = ["parallel", "reduction"]} ins(%a : memref<4x4xf32>) outs(%sums : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  }
  %b = memref.alloc() : memref<16xf32>
  %rows = memref.expand_shape %b [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  linalg.generic {indexing_maps = [#row, #square], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<4xf32>) outs(%rows : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %s = call @checksum(%b) : (memref<16xf32>) -> f32
  return %s : f32
}

// 4. In place is wrong one element further: each would read the value that the one before has written.
func.func @next_element() -> f32 {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<17xf32>
  %low = memref.subview %a[0][16][1] : memref<17xf32> to memref<16xf32, strided<[1]>>
  %high = memref.subview %a[1][16][1] : memref<17xf32> to memref<16xf32, strided<[1], offset: 1>>
  %b = memref.alloc() : memref<16xf32>
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  memref.copy %b, %low : memref<16xf32> to memref<16xf32, strided<[1]>>
  memref.copy %b, %high : memref<16xf32> to memref<16xf32, strided<[1], offset: 1>>
  %c = memref.alloc() : memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%low, %high : memref<16xf32, strided<[1]>>, memref<16xf32, strided<[1], offset: 1>>) outs(%c : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %x : f32
    %q = arith.addf %p, %y : f32
    linalg.yield %q : f32
  }
  %s = call @checksum(%c) : (memref<16xf32>) -> f32
  return %s : f32
}

// 5. In place is right for a chain: %b and %c take over the bytes of %a, and the copy is erased.
// PLAN-LABEL: func @chain
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
// PLAN-NOT:     memref.copy
// PLAN:         return
func.func @chain() -> f32 {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  call @count(%a, %two) : (memref<16xf32>, f32) -> ()
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %p = arith.mulf %x, %x : f32
    linalg.yield %p : f32
  }
  %s = call @checksum(%c) : (memref<16xf32>) -> f32
  return %s : f32
}

func.func @main() {
  // CHECK: 3264
  %9 = call @broadcast() : () -> f32
  call @print(%9) : (f32) -> ()
  // CHECK-NEXT: 1632
  %10 = call @wider() : () -> f32
  call @print(%10) : (f32) -> ()
  // CHECK-NEXT: 4944
  %11 = call @reduced() : () -> f32
  call @print(%11) : (f32) -> ()
  // CHECK-NEXT: 20131
  %12 = call @next_element() : () -> f32
  call @print(%12) : (f32) -> ()
  // CHECK-NEXT: 21624
  %13 = call @chain() : () -> f32
  call @print(%13) : (f32) -> ()
  return
}
