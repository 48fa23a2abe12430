// Loops over elements: a memref takes the bytes of one that is read at the same or at later indices.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(lower-affine,memplan-merge-alloc{verify},memplan-verify)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{in-place=false verify})' \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,%to-llvm)' | %runner \
// RUN:   | FileCheck %s --check-prefix=VALUES
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=VALUES

func.func private @printF32(f32)
func.func private @printNewline()

// 1. Each sum reads an element and the next one: in place.
// CHECK-LABEL: func @forward(
// CHECK:         memref.alloc() {{.*}} : memref<32xi8>
// APART-LABEL: func @forward(
// APART:         memref.alloc() {{.*}} : memref<96xi8>
func.func @forward(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c7 step %c1 {
    %j = arith.addi %i, %c1 : index
    %p = memref.load %a[%i] : memref<8xf32>
    %q = memref.load %a[%j] : memref<8xf32>
    %s = arith.addf %p, %q : f32
    memref.store %s, %b[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c7 step %c1 {
    %p = memref.load %b[%i] : memref<8xf32>
    memref.store %p, %x[%i] : memref<8xf32>
  }
  return
}

// 2. An element and the one before it: the sum would overwrite what the next iteration reads.
// CHECK-LABEL: func @backward(
// CHECK:         memref.alloc() {{.*}} : memref<96xi8>
func.func @backward(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c1 to %c8 step %c1 {
    %j = arith.subi %i, %c1 : index
    %p = memref.load %a[%i] : memref<8xf32>
    %q = memref.load %a[%j] : memref<8xf32>
    %s = arith.addf %p, %q : f32
    memref.store %s, %b[%i] : memref<8xf32>
  }
  scf.for %i = %c1 to %c8 step %c1 {
    %p = memref.load %b[%i] : memref<8xf32>
    memref.store %p, %x[%i] : memref<8xf32>
  }
  return
}

// 3. Rows downwards may be read in any column; the time loop goes on in the same bytes.
// CHECK-LABEL: func @rows(
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
func.func @rows(%x: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %p = affine.load %x[%i, %j] : memref<4x4xf32>
      affine.store %p, %a[%i, %j] : memref<4x4xf32>
    }
  }
  %b = memref.alloc() : memref<4x4xf32>
  affine.for %i = 0 to 3 {
    affine.for %j = 1 to 4 {
      %p = affine.load %a[%i, %j] : memref<4x4xf32>
      %q = affine.load %a[%i + 1, %j - 1] : memref<4x4xf32>
      %s = arith.addf %p, %q : f32
      affine.store %s, %b[%i, %j] : memref<4x4xf32>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 1 to 4 {
      %p = affine.load %b[%i, %j] : memref<4x4xf32>
      affine.store %p, %x[%i, %j] : memref<4x4xf32>
    }
  }
  return
}

// 4. Loops that run one after another in another loop: one slice for both.
// CHECK-LABEL: func @time(
// CHECK:         memref.alloc() {{.*}} : memref<32xi8>
func.func @time(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %t = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      %p = memref.load %x[%i] : memref<8xf32>
      %s = arith.addf %p, %p : f32
      memref.store %s, %a[%i] : memref<8xf32>
    }
    %b = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c7 step %c1 {
      %j = arith.addi %i, %c1 : index
      %p = memref.load %a[%j] : memref<8xf32>
      memref.store %p, %b[%i] : memref<8xf32>
    }
    %c = memref.alloc() : memref<8xf32>
    scf.for %i = %c0 to %c7 step %c1 {
      %p = memref.load %b[%i] : memref<8xf32>
      %s = arith.negf %p : f32
      memref.store %s, %c[%i] : memref<8xf32>
    }
    scf.for %i = %c0 to %c7 step %c1 {
      %p = memref.load %c[%i] : memref<8xf32>
      memref.store %p, %x[%i] : memref<8xf32>
    }
  }
  return
}

// 5. A loop that may not run leaves what was there; iterations in parallel have no order.
// CHECK-LABEL: func @zero_trips(
// CHECK:         memref.alloc() {{.*}} : memref<68xi8>
// CHECK-LABEL: func @parallel(
// CHECK:         memref.alloc() {{.*}} : memref<96xi8>
func.func @zero_trips(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %a = memref.alloc() : memref<1xf32>
  memref.store %five, %a[%c0] : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  %p = memref.load %x[%c0] : memref<8xf32>
  memref.store %p, %b[%c0] : memref<1xf32>
  scf.for %i = %c0 to %n step %c1 {
    %q = memref.load %a[%i] : memref<1xf32>
    memref.store %q, %b[%i] : memref<1xf32>
  }
  %r = memref.load %b[%c0] : memref<1xf32>
  memref.store %r, %x[%c0] : memref<8xf32>
  return
}
func.func @parallel(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %p = memref.load %a[%j] : memref<8xf32>
    memref.store %p, %b[%i] : memref<8xf32>
    scf.reduce
  }
  scf.for %i = %c0 to %c7 step %c1 {
    %p = memref.load %b[%i] : memref<8xf32>
    memref.store %p, %x[%i] : memref<8xf32>
  }
  return
}

func.func @print(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %p = memref.load %x[%i] : memref<8xf32>
    func.call @printF32(%p) : (f32) -> ()
  }
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloca() : memref<8xf32>
  %m = memref.alloca() : memref<4x4xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    memref.store %k, %x[%i] : memref<8xf32>
    %row = arith.divui %i, %c4 : index
    %column = arith.remui %i, %c4 : index
    memref.store %k, %m[%row, %column] : memref<4x4xf32>
    %next = arith.addi %row, %c2 : index
    memref.store %k, %m[%next, %column] : memref<4x4xf32>
  }
  // VALUES:      1357911137
  call @forward(%x) : (memref<8xf32>) -> ()
  call @print(%x) : (memref<8xf32>) -> ()
  // VALUES-NEXT: 1481216202420
  call @backward(%x) : (memref<8xf32>) -> ()
  call @print(%x) : (memref<8xf32>) -> ()
  call @rows(%m) : (memref<4x4xf32>) -> ()
  %flat = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %first = memref.subview %flat[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %y = memref.alloca() : memref<8xf32>
  memref.copy %first, %y : memref<8xf32, strided<[1]>> to memref<8xf32>
  // VALUES-NEXT: 05794579
  call @print(%y) : (memref<8xf32>) -> ()
  // VALUES-NEXT: 324864809680-4020
  call @time(%x, %c2) : (memref<8xf32>, index) -> ()
  call @print(%x) : (memref<8xf32>) -> ()
  // VALUES-NEXT: 4864809680-402020
  call @zero_trips(%x, %c0) : (memref<8xf32>, index) -> ()
  call @parallel(%x) : (memref<8xf32>) -> ()
  call @print(%x) : (memref<8xf32>) -> ()
  return
}
