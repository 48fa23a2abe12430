// Writes that end the contents of a buffer, and writes that do not: planned programs print the same as without the
// pass.
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
#square = affine_map<(d0, d1) -> (d0, d1)>
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

// 1. Each iteration overwrites both with new contents: one place, though both are from outside.
// PLAN-LABEL: func @again
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @again() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %one) -> f32 {
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    %y = memref.load %a[%i] : memref<16xf32>
    %z = arith.addf %y, %one : f32
    linalg.fill ins(%z : f32) outs(%b : memref<16xf32>)
    %w = memref.load %b[%i] : memref<16xf32>
    %v = arith.addf %w, %z : f32
    scf.yield %v : f32
  }
  return %r : f32
}

// 2. Each iteration writes a part: the other elements are those of earlier iterations.
// PLAN-LABEL: func @parts
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @parts() -> f32 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<16xf32>)
  %r = scf.for %i = %c0 to %c16 step %c4 iter_args(%x = %zero) -> f32 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    func.call @count(%b, %f) : (memref<16xf32>, f32) -> ()
    %from = memref.subview %b[0][4][1] : memref<16xf32> to memref<4xf32, strided<[1]>>
    %to = memref.subview %a[%i][4][1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %from, %to : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: ?>>
    %s = func.call @checksum(%a) : (memref<16xf32>) -> f32
    %t = arith.addf %x, %s : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 3. With a mask: what the mask leaves out stays.
// PLAN-LABEL: func @masked
// PLAN:         memref.alloc() {{.*}} : memref<128xi8>
func.func @masked() -> f32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %v = arith.constant dense<9.0> : vector<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %mask = vector.create_mask %c5 : vector<16xi1>
  vector.transfer_write %v, %a[%c0], %mask {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  %s = call @checksum(%a) : (memref<16xf32>) -> f32
  %t = call @checksum(%b) : (memref<16xf32>) -> f32
  %u = arith.subf %s, %t : f32
  return %u : f32
}

// 4. Without a mask, all of it is new, and until then the place is free for the other.
// PLAN-LABEL: func @whole_vector
// PLAN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @whole_vector() -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %v = arith.constant dense<9.0> : vector<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  %r = call @checksum(%a) : (memref<16xf32>) -> f32
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %t = call @checksum(%b) : (memref<16xf32>) -> f32
  vector.transfer_write %v, %a[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  %s = call @checksum(%a) : (memref<16xf32>) -> f32
  %u = arith.subf %s, %t : f32
  %x = arith.addf %u, %r : f32
  return %x : f32
}

// 5. A loop over nothing writes nothing, though its map covers all: what was there before is read.
func.func @over_nothing(%n: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %nothing = memref.alloc(%n) : memref<16x?xf32>
  linalg.fill ins(%two : f32) outs(%nothing : memref<16x?xf32>)
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %s = call @checksum(%b) : (memref<16xf32>) -> f32
  linalg.generic {indexing_maps = [#square, #column], iterator_types = ["parallel", "reduction"]} ins(%nothing : memref<16x?xf32>) outs(%a : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %t = call @checksum(%a) : (memref<16xf32>) -> f32
  memref.dealloc %nothing : memref<16x?xf32>
  %u = arith.subf %s, %t : f32
  return %u : f32
}

// 6. Written all over through one of two: the other keeps what it has.
func.func @one_of_two(%which: i1) -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  call @count(%a, %one) : (memref<16xf32>, f32) -> ()
  call @count(%b, %two) : (memref<16xf32>, f32) -> ()
  %m = arith.select %which, %a, %b : memref<16xf32>
  call @count(%c, %three) : (memref<16xf32>, f32) -> ()
  %r = call @checksum(%c) : (memref<16xf32>) -> f32
  linalg.fill ins(%three : f32) outs(%m : memref<16xf32>)
  %s = call @checksum(%a) : (memref<16xf32>) -> f32
  %t = call @checksum(%b) : (memref<16xf32>) -> f32
  %u = arith.subf %t, %s : f32
  %v = arith.addf %u, %r : f32
  return %v : f32
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 46
  %1 = call @again() : () -> f32
  call @print(%1) : (f32) -> ()
  // CHECK-NEXT: 2120
  %2 = call @parts() : () -> f32
  call @print(%2) : (f32) -> ()
  // CHECK-NEXT: -56
  %3 = call @masked() : () -> f32
  call @print(%3) : (f32) -> ()
  // CHECK-NEXT: 1088
  %4 = call @whole_vector() : () -> f32
  call @print(%4) : (f32) -> ()
  // CHECK-NEXT: 136
  %5 = call @over_nothing(%c0) : (index) -> f32
  call @print(%5) : (f32) -> ()
  // CHECK-NEXT: 1360
  %6 = call @over_nothing(%c1) : (index) -> f32
  call @print(%6) : (f32) -> ()
  // CHECK-NEXT: 2992
  %7 = call @one_of_two(%true) : (i1) -> f32
  call @print(%7) : (f32) -> ()
  // CHECK-NEXT: 680
  %8 = call @one_of_two(%false) : (i1) -> f32
  call @print(%8) : (f32) -> ()
  return
}
