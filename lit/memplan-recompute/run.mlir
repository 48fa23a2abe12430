// Programs in which buffers are computed again print the same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=100},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=100},\
// RUN:   memplan{verify=true},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=100},\
// RUN:   memplan-reorder,memplan-merge-alloc{verify=true},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// Each function except the last one has operations that are repeated.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=100})' \
// RUN:   | FileCheck %s --check-prefix=AGAIN

func.func private @printF32(f32)
func.func private @printNewline()

// A chain, whose first buffer is overwritten in between.
// AGAIN-LABEL: func.func private @chain(
// AGAIN:      memplan.recomputed
func.func private @chain(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.square ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  linalg.add ins(%z, %b : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.add ins(%z, %b : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// Views, early and late.
// AGAIN-LABEL: func.func private @views(
// AGAIN:      memplan.recomputed
func.func private @views(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<2x4xf32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%flat : memref<8xf32>)
  %part = memref.subview %flat[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %low = memref.subview %z[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  linalg.add ins(%z, %flat : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.add ins(%low, %part : memref<4xf32, strided<[1]>>, memref<4xf32, strided<[1], offset: 2>>) outs(%low : memref<4xf32, strided<[1]>>)
  return
}

// In a loop, with a buffer from outside that the late use writes.
// AGAIN-LABEL: func.func private @loop(
// AGAIN:      memplan.recomputed
func.func private @loop(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.negf ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
    %c = memref.alloc() : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
    linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
    %d = memref.alloc() : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
    linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
    linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
    linalg.add ins(%a, %x : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
    linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  }
  return
}

// A late use in a branch, which is not taken the second time.
// AGAIN-LABEL: func.func private @branch(
// AGAIN:      memplan.recomputed
func.func private @branch(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %first = memref.load %x[%c0] : memref<8xf32>
  %p = arith.cmpf ogt, %first, %zero : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  scf.if %p {
    linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  }
  return
}

// A fill and a sum of rows.
// AGAIN-LABEL: func.func private @reduction(
// AGAIN:      memplan.recomputed
func.func private @reduction(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
  linalg.reduce ins(%w : memref<8x8xf32>) outs(%a : memref<8xf32>) dimensions = [0]
    (%e: f32, %o: f32) {
      %s = arith.addf %e, %o : f32
      linalg.yield %s : f32
    }
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// With deallocations of the program.
// AGAIN-LABEL: func.func private @freed(
// AGAIN:      memplan.recomputed
func.func private @freed(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  memref.dealloc %c : memref<8xf32>
  memref.dealloc %d : memref<8xf32>
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}

// The argument may be the memory that is written: nothing is computed again.
// AGAIN-LABEL: func.func private @aliased(
// AGAIN-NOT:  memplan.recomputed
func.func private @aliased(%x: memref<8xf32>, %w: memref<8x8xf32>, %zero: f32, %z: memref<8xf32> {memplan.noalias}, %v: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.negf ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.matvec ins(%w, %x : memref<8x8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<8xf32>)
  linalg.matvec ins(%w, %c : memref<8x8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  linalg.add ins(%z, %d : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%v : memref<8xf32>)
  linalg.add ins(%z, %a : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>)
  return
}

// AGAIN-LABEL: func.func private @print(
func.func private @print(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xf32>
    func.call @printF32(%v) : (f32) -> ()
    vector.print punctuation <comma>
  }
  func.call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<8xf32>
  %w = memref.alloc() : memref<8x8xf32>
  %z = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %one = arith.constant 1.0 : f32
    %g = arith.addf %f, %one : f32
    memref.store %g, %x[%i] : memref<8xf32>
    scf.for %j = %c0 to %c8 step %c1 {
      %p = arith.muli %i, %j : index
      %q = arith.remui %p, %c3 : index
      %m = arith.index_cast %q : index to i32
      %h = arith.sitofp %m : i32 to f32
      memref.store %h, %w[%i, %j] : memref<8x8xf32>
    }
  }
  // CHECK: 2, 263, 294, 32, 305, 348, 98, 383,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @chain(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -4, 249, 268, -10, 250, 270, -7, 247,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @views(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -3, 759, 819, -12, 750, 810, -21, 741,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @loop(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -2, 251, 270, -8, 245, 264, -14, 239,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @branch(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 0, 253, 273, -4, 250, 270, -7, 247,
  %kept = memref.load %x[%c0] : memref<8xf32>
  memref.store %zero, %x[%c0] : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @branch(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  memref.store %kept, %x[%c0] : memref<8xf32>
  // CHECK-NEXT: 0, 269, 292, 0, 269, 292, 0, 269,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @reduction(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -2, 251, 270, -8, 245, 264, -14, 239,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @freed(%x, %w, %zero, %z) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -2, 251, 270, -8, 245, 264, -14, 239,
  linalg.fill ins(%zero : f32) outs(%z : memref<8xf32>)
  call @aliased(%x, %w, %zero, %z, %x) : (memref<8xf32>, memref<8x8xf32>, f32, memref<8xf32>, memref<8xf32>) -> ()
  call @print(%z) : (memref<8xf32>) -> ()
  memref.dealloc %x : memref<8xf32>
  memref.dealloc %w : memref<8x8xf32>
  memref.dealloc %z : memref<8xf32>
  return
}
