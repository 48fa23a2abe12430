// A buffer that is read after it was copied to a part of another one: the same values, executed before and after.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,%to-llvm)' | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

func.func @written(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.negf ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  linalg.negf ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  %a = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %a, %t : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%t : memref<4xf32, strided<[1], offset: 4>>)
  linalg.negf ins(%a : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  return
}

func.func @parts(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.negf ins(%x : memref<4xf32>) outs(%t : memref<4xf32, strided<[1], offset: 4>>)
  linalg.add ins(%x, %s : memref<4xf32>, memref<4xf32, strided<[1]>>) outs(%w : memref<4xf32>)
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %w, %in : memref<4xf32> to memref<4xf32>
  return
}

func.func @twice(%in: memref<4xf32>, %y: memref<8xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  return
}

// A part of what an operation reads element by element is read by it in another order.
func.func @in_another_order(%in: memref<4xf32>, %y: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<6xf32>
  linalg.fill ins(%z : f32) outs(%b : memref<6xf32>)
  %s = memref.subview %b[1] [4] [1] : memref<6xf32> to memref<4xf32, strided<[1], offset: 1>>
  memref.copy %a, %s : memref<4xf32> to memref<4xf32, strided<[1], offset: 1>>
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<8xf32>)
  %v = memref.subview %c[0] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1]>>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (2)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%b, %a : memref<6xf32>, memref<4xf32>) outs(%v : memref<6xf32, strided<[1]>>) {
  ^bb0(%e: f32, %third: f32, %o: f32):
    %sum = arith.addf %e, %third : f32
    linalg.yield %sum : f32
  }
  memref.copy %c, %y : memref<8xf32> to memref<8xf32>
  return
}

func.func @nested(%in: memref<4xf32>, %y: memref<16xf32>, %w: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t = memref.subview %p[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  %q = memref.alloc() : memref<16xf32>
  %u = memref.subview %q[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %p, %u : memref<8xf32> to memref<8xf32, strided<[1]>>
  linalg.fill ins(%z : f32) outs(%q : memref<16xf32>)
  linalg.negf ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  memref.copy %q, %y : memref<16xf32> to memref<16xf32>
  return
}

func.func @loop(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.alloc() : memref<4xf32>
    linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
    %p = memref.alloc() : memref<8xf32>
    linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
    %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
    linalg.add ins(%p, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
    linalg.add ins(%x, %w : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
    linalg.negf ins(%w : memref<4xf32>) outs(%in : memref<4xf32>)
  }
  return
}

func.func @other_block(%in: memref<4xf32>, %y: memref<8xf32>, %w: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  linalg.negf ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
  %p = memref.alloc() : memref<8xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%p : memref<8xf32>)
  %s = memref.subview %p[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %x, %s : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  cf.br ^next
^next:
  linalg.negf ins(%x : memref<4xf32>) outs(%w : memref<4xf32>)
  return
}

func.func @fill(%m: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %y = arith.addf %x, %k : f32
    memref.store %y, %m[%i] : memref<?xf32>
  }
  return
}
func.func @print(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    func.call @printF32(%x) : (f32) -> ()
  }
  func.call @printNewline() : () -> ()
  return
}
func.func @main() {
  %in = memref.alloca() : memref<4xf32>
  %y = memref.alloca() : memref<8xf32>
  %q = memref.alloca() : memref<16xf32>
  %w = memref.alloca() : memref<4xf32>
  %ind = memref.cast %in : memref<4xf32> to memref<?xf32>
  %yd = memref.cast %y : memref<8xf32> to memref<?xf32>
  %qd = memref.cast %q : memref<16xf32> to memref<?xf32>
  %wd = memref.cast %w : memref<4xf32> to memref<?xf32>
  %one = arith.constant 1.0 : f32
  %ten = arith.constant 10.0 : f32
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%yd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @written(%in, %y, %w) : (memref<4xf32>, memref<8xf32>, memref<4xf32>) -> ()
  // 1. Writes before the last read.
  // CHECK:      -1-2-3-4-1-2-3-4
  // CHECK-NEXT: 1234
  call @print(%yd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%yd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @parts(%in, %y, %w) : (memref<4xf32>, memref<8xf32>, memref<4xf32>) -> ()
  // 2. Another part is written.
  // CHECK:      -1-2-3-41234
  // CHECK-NEXT: -3-6-9-12
  call @print(%yd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%yd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @twice(%in, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  // 3. Two copies to parts of one buffer.
  // CHECK:      -1-2-3-4-1-2-3-4
  // CHECK-NEXT: 10111213
  call @print(%yd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%qd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @nested(%in, %q, %w) : (memref<4xf32>, memref<16xf32>, memref<4xf32>) -> ()
  // 4. A part of a part.
  // CHECK:      0000000000000000
  // CHECK-NEXT: 1234
  call @print(%qd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%yd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @loop(%in, %y, %w) : (memref<4xf32>, memref<8xf32>, memref<4xf32>) -> ()
  // 5. In a loop.
  // CHECK:      7272727214151617
  // CHECK-NEXT: 72727272
  call @print(%yd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @fill(%yd, %ten) : (memref<?xf32>, f32) -> ()
  call @fill(%wd, %ten) : (memref<?xf32>, f32) -> ()
  call @other_block(%in, %y, %w) : (memref<4xf32>, memref<8xf32>, memref<4xf32>) -> ()
  // 6. Read in another block.
  // CHECK:      -1-2-3-40000
  // CHECK-NEXT: 1234
  call @print(%yd) : (memref<?xf32>) -> ()
  call @print(%wd) : (memref<?xf32>) -> ()
  call @fill(%ind, %one) : (memref<?xf32>, f32) -> ()
  call @in_another_order(%in, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  // 7. In another order.
  // CHECK:      -3-4-5-6-7-300
  call @print(%yd) : (memref<?xf32>) -> ()
  return
}
