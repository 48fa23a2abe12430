// What is copied to memory of the caller is computed there: the same values, executed before and after.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies,%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,%to-llvm)' | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

// Both arguments may be one memref, or overlap.
func.func private @negated(%x: memref<4xf32, strided<[1], offset: ?>>, %y: memref<4xf32, strided<[1], offset: ?>>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.negf ins(%x : memref<4xf32, strided<[1], offset: ?>>) outs(%a : memref<4xf32>)
  linalg.add ins(%a, %x : memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) outs(%b : memref<4xf32>)
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  memref.copy %b, %y : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}

// The argument's last element is kept until the copy, which is not reached if it is zero.
func.func private @early(%y: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<4xf32>)
  linalg.negf ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
  %last = memref.load %y[%c3] : memref<4xf32>
  %is_zero = arith.cmpf oeq, %last, %zero : f32
  cf.cond_br %is_zero, ^out, ^copy
^copy:
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  cf.br ^out
^out:
  return
}

// An update in place, and a buffer that is read after it was copied.
func.func private @update(%w: memref<4xf32>, %g: memref<4xf32> {llvm.noalias}, %y: memref<8xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<4xf32>
  linalg.sub ins(%w, %g : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
  linalg.negf ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
  memref.copy %b, %w : memref<4xf32> to memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.add ins(%b, %g : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
  %p = memref.subview %y[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %c, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %q = memref.subview %y[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %b, %q : memref<4xf32> to memref<4xf32, strided<[1]>>
  return
}

// Each row is read before it is replaced.
func.func private @rows(%y: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %b = memref.alloc() : memref<4xf32>
    %row = memref.subview %y[%i, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    %first = memref.subview %y[0, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1]>>
    linalg.negf ins(%row : memref<4xf32, strided<[1], offset: ?>>) outs(%b : memref<4xf32>)
    linalg.add ins(%b, %first : memref<4xf32>, memref<4xf32, strided<[1]>>) outs(%b : memref<4xf32>)
    memref.copy %b, %row : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  return
}

func.func private @fill(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    memref.store %f, %a[%i] : memref<8xf32>
  }
  return
}

func.func private @print(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xf32>
    func.call @printF32(%v) : (f32) -> ()
  }
  func.call @printNewline() : () -> ()
  return
}

// A transposition is copied element by element.
func.func private @transposed(%x: memref<2x4xf32>, %y: memref<4x2xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<2x4xf32>
  linalg.negf ins(%x : memref<2x4xf32>) outs(%b : memref<2x4xf32>)
  %c = memref.transpose %b (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  memref.copy %c, %y : memref<4x2xf32, strided<[1, 4]>> to memref<4x2xf32>
  return
}

func.func @main() {
  %a = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  %low = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 0>>
  %x = memref.cast %low : memref<4xf32, strided<[1], offset: 0>> to memref<4xf32, strided<[1], offset: ?>>
  %shifted = memref.subview %a[1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 1>>
  %y = memref.cast %shifted : memref<4xf32, strided<[1], offset: 1>> to memref<4xf32, strided<[1], offset: ?>>

  // 1. Overlapping arguments, in both orders, and one memref twice: y = -x + (-x + x) = -x.
  // CHECK: 00-1-2-3567
  call @fill(%a) : (memref<8xf32>) -> ()
  call @negated(%x, %y) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -1-2-3-44567
  call @fill(%a) : (memref<8xf32>) -> ()
  call @negated(%y, %x) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 0-1-2-34567
  call @fill(%a) : (memref<8xf32>) -> ()
  call @negated(%x, %x) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()

  // 2. The copy is not reached, then reached.
  %whole = memref.cast %low : memref<4xf32, strided<[1], offset: 0>> to memref<4xf32>
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  // CHECK-NEXT: 01204567
  call @fill(%a) : (memref<8xf32>) -> ()
  memref.store %zero, %a[%c3] : memref<8xf32>
  call @early(%whole) : (memref<4xf32>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()
  // CHECK-NEXT: -1-1-1-14567
  call @fill(%a) : (memref<8xf32>) -> ()
  call @early(%whole) : (memref<4xf32>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()

  // 3. w = g - w, y = (w, w + g).
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<4xf32>)
  %two = arith.constant 2.0 : f32
  memref.store %two, %e[%c3] : memref<4xf32>
  // CHECK-NEXT: -0-1-2-14567
  // CHECK-NEXT: -0-1-2-10-1-21
  call @fill(%a) : (memref<8xf32>) -> ()
  call @update(%whole, %e, %d) : (memref<4xf32>, memref<4xf32>, memref<8xf32>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()
  call @print(%d) : (memref<8xf32>) -> ()

  // 4. Rows: row 0 = 0, row 1 = -row 1.
  // CHECK-NEXT: 0000-4-5-6-7
  %rows = memref.expand_shape %a [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  call @fill(%a) : (memref<8xf32>) -> ()
  call @rows(%rows) : (memref<2x4xf32>) -> ()
  call @print(%a) : (memref<8xf32>) -> ()

  // 5. Columns in place of rows: -0 -4 -1 -5 and so on.
  // CHECK-NEXT: -0-4-1-5-2-6-3-7
  %columns = memref.expand_shape %d [[0, 1]] output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>
  call @fill(%a) : (memref<8xf32>) -> ()
  call @transposed(%rows, %columns) : (memref<2x4xf32>, memref<4x2xf32>) -> ()
  call @print(%d) : (memref<8xf32>) -> ()
  return
}
