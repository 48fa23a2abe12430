// Broadcasts, equal copies and copies of globals: the same values, executed before and after.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies,%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify,%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(linalg-generalize-named-ops),memplan,%to-llvm)' \
// RUN:   | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()
memref.global "private" constant @zero : memref<2x4xf32> = dense<0.0>
memref.global "private" constant @mixed : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// 1. A broadcast that is read, in another order, too.
func.func @kept(%b: memref<4xf32>, %y: memref<2x4xf32>) {
  %x = memref.alloc() : memref<2x4xf32>
  memref.copy %y, %x : memref<2x4xf32> to memref<2x4xf32>
  %t = memref.alloc() : memref<2x4xf32>
  linalg.broadcast ins(%b : memref<4xf32>) outs(%t : memref<2x4xf32>) dimensions = [0]
  %u = memref.alloc() : memref<2x4xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} ins(%b : memref<4xf32>) outs(%u : memref<2x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    linalg.yield %p : f32
  }
  %a = memref.alloc() : memref<2x4xf32>
  linalg.mul ins(%x, %t : memref<2x4xf32>, memref<2x4xf32>) outs(%a : memref<2x4xf32>)
  %c = memref.alloc() : memref<2x4xf32>
  linalg.mul ins(%x, %u : memref<2x4xf32>, memref<2x4xf32>) outs(%c : memref<2x4xf32>)
  %d = memref.alloc() : memref<2x4xf32>
  linalg.add ins(%t, %u : memref<2x4xf32>, memref<2x4xf32>) outs(%d : memref<2x4xf32>)
  linalg.add ins(%a, %d : memref<2x4xf32>, memref<2x4xf32>) outs(%d : memref<2x4xf32>)
  linalg.add ins(%c, %d : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  return
}

// 2. A broadcast that is copied, also in a loop.
func.func @copied(%b: memref<2xf32>, %y: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<2x4xf32>
  linalg.broadcast ins(%b : memref<2xf32>) outs(%t : memref<2x4xf32>) dimensions = [1]
  %s = memref.alloc() : memref<2x4xf32>
  memref.copy %y, %s : memref<2x4xf32> to memref<2x4xf32>
  scf.for %i = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<2x4xf32>
    memref.copy %t, %a : memref<2x4xf32> to memref<2x4xf32>
    linalg.add ins(%a, %s : memref<2x4xf32>, memref<2x4xf32>) outs(%a : memref<2x4xf32>)
    memref.copy %a, %s : memref<2x4xf32> to memref<2x4xf32>
  }
  memref.copy %s, %y : memref<2x4xf32> to memref<2x4xf32>
  return
}

// 3. Copies of one value before it changes, and after.
func.func @same(%x: memref<2x4xf32>, %y: memref<2x4xf32>) {
  %a = memref.alloc() : memref<2x4xf32>
  memref.copy %x, %a : memref<2x4xf32> to memref<2x4xf32>
  %b = memref.alloc() : memref<2x4xf32>
  memref.copy %x, %b : memref<2x4xf32> to memref<2x4xf32>
  linalg.negf ins(%x : memref<2x4xf32>) outs(%x : memref<2x4xf32>)
  %c = memref.alloc() : memref<2x4xf32>
  memref.copy %x, %c : memref<2x4xf32> to memref<2x4xf32>
  linalg.square ins(%x : memref<2x4xf32>) outs(%x : memref<2x4xf32>)
  linalg.mul ins(%a, %b : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  linalg.add ins(%c, %y : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  linalg.add ins(%a, %y : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  linalg.add ins(%x, %y : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  return
}

// 4. Globals: a fill, and a view.
func.func @constants(%x: memref<4xf32>, %y: memref<2x4xf32>) {
  %g = memref.get_global @zero : memref<2x4xf32>
  %b = memref.alloc() : memref<2x4xf32>
  memref.copy %g, %b : memref<2x4xf32> to memref<2x4xf32>
  %m = memref.get_global @mixed : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  %a = memref.alloc() : memref<1x4xf32>
  %e = memref.collapse_shape %a [[0, 1]] : memref<1x4xf32> into memref<4xf32>
  linalg.add ins(%x, %t : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
  %p = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  memref.copy %a, %p : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 4>>
  linalg.exp ins(%b : memref<2x4xf32>) outs(%b : memref<2x4xf32>)
  linalg.log ins(%b : memref<2x4xf32>) outs(%b : memref<2x4xf32>)
  linalg.round ins(%b : memref<2x4xf32>) outs(%b : memref<2x4xf32>)
  memref.copy %b, %y : memref<2x4xf32> to memref<2x4xf32>
  return
}
// 5. Rows of a memref whose strides are dynamic, in a loop.
func.func @rows(%x: memref<2x4xf32, strided<[?, ?], offset: ?>>, %y: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %sum = memref.alloc() : memref<2x4xf32>
  memref.copy %y, %sum : memref<2x4xf32> to memref<2x4xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    %s = memref.subview %x[%i, 0] [1, 4] [1, 1]
        : memref<2x4xf32, strided<[?, ?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
    %t = memref.alloc() : memref<2x4xf32>
    linalg.broadcast ins(%s : memref<4xf32, strided<[?], offset: ?>>) outs(%t : memref<2x4xf32>) dimensions = [0]
    %q = memref.alloc() : memref<2x4xf32>
    linalg.square ins(%t : memref<2x4xf32>) outs(%q : memref<2x4xf32>)
    linalg.add ins(%t, %q : memref<2x4xf32>, memref<2x4xf32>) outs(%q : memref<2x4xf32>)
    linalg.add ins(%sum, %q : memref<2x4xf32>, memref<2x4xf32>) outs(%sum : memref<2x4xf32>)
  }
  memref.copy %sum, %y : memref<2x4xf32> to memref<2x4xf32>
  return
}
func.func @print(%m: memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %x = memref.load %m[%i, %j] : memref<2x4xf32>
      func.call @printF32(%x) : (f32) -> ()
    }
  }
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %one = arith.constant 1.0 : f32
  %g = memref.get_global @mixed : memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  memref.copy %g, %b : memref<4xf32> to memref<4xf32>
  %h = memref.subview %b[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %c = memref.alloca() : memref<2xf32>
  memref.copy %h, %c : memref<2xf32, strided<[1]>> to memref<2xf32>
  %x = memref.alloca() : memref<2x4xf32>
  linalg.broadcast ins(%b : memref<4xf32>) outs(%x : memref<2x4xf32>) dimensions = [0]
  %y = memref.alloca() : memref<2x4xf32>
  linalg.fill ins(%one : f32) outs(%y : memref<2x4xf32>)

  // 1. y = 2yb + 2b = 4b
  // CHECK:      481216481216
  call @kept(%b, %y) : (memref<4xf32>, memref<2x4xf32>) -> ()
  call @print(%y) : (memref<2x4xf32>) -> ()
  // 2. y = y + 3c
  // CHECK-NEXT: 711151910141822
  call @copied(%c, %y) : (memref<2xf32>, memref<2x4xf32>) -> ()
  call @print(%y) : (memref<2x4xf32>) -> ()
  // 3. y = x * x - x + x + x * x
  // CHECK-NEXT: 281832281832
  call @same(%x, %y) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  call @print(%y) : (memref<2x4xf32>) -> ()
  // 4. A row of zeros, and the sum of two.
  // CHECK-NEXT: 00002468
  call @constants(%b, %y) : (memref<4xf32>, memref<2x4xf32>) -> ()
  call @print(%y) : (memref<2x4xf32>) -> ()
  // 5. y + x + x * x, for both rows of x, which are equal: 1, 4, 9 and 16.
  // CHECK-NEXT: 440180544644186552
  %d = memref.cast %x : memref<2x4xf32> to memref<2x4xf32, strided<[?, ?], offset: ?>>
  call @rows(%d, %y) : (memref<2x4xf32, strided<[?, ?], offset: ?>>, memref<2x4xf32>) -> ()
  call @print(%y) : (memref<2x4xf32>) -> ()
  return
}
