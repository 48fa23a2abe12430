// Values that are computed in place of a copy, or read through a view, are the same: executed before and after.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-elide-copies{guard=none},memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(convert-scf-to-cf,memplan-elide-copies{guard=none},\
// RUN:   memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

#id = affine_map<(d0) -> (d0)>

// Numbers from %x on.
func.func @count(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %y = arith.addf %x, %k : f32
    memref.store %y, %m[%i] : memref<4xf32>
  }
  return
}
func.func @print(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %m[%i] : memref<8xf32>
    func.call @printF32(%x) : (f32) -> ()
  }
  call @printNewline() : () -> ()
  return
}

// 1. A pad of a chain.
func.func @pad(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.square ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %r = memref.alloc() : memref<4xf32>
  linalg.negf ins(%a : memref<4xf32>) outs(%r : memref<4xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  %p = memref.subview %b[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.copy %r, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// 2. Every other element, and the ones between.
func.func @comb(%x: memref<4xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.square ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %c = memref.alloc() : memref<4xf32>
  linalg.negf ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[2]>>
  %q = memref.subview %b[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  memref.copy %c, %q : memref<4xf32> to memref<4xf32, strided<[2], offset: 1>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// 3. The operation that computes the buffer reads the part of the larger buffer that it goes to.
func.func @reads_part(%x: memref<4xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %j = arith.addi %i, %c4 : index
    %back = arith.subi %c4, %i : index
    %v = memref.load %b[%back] : memref<8xf32>
    %u = memref.load %x[%i] : memref<4xf32>
    %s = arith.addf %u, %v : f32
    memref.store %s, %a[%i] : memref<4xf32>
  }
  %p = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// 4. A second fill in between.
func.func @refilled(%x: memref<4xf32>, %y: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.square ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
  %c = memref.alloc() : memref<4xf32>
  linalg.negf ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  %b = memref.alloc() : memref<8xf32>
  %p = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1]>>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %q = memref.subview %b[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %c, %q : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}

// 5. Both arguments may be the same memory, and here are.
func.func @same(%x: memref<8xf32>, %y: memref<8xf32>) {
  %two = arith.constant 2.0 : f32
  %c = memref.alloc() : memref<8xf32>
  memref.copy %x, %c : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%two : f32) outs(%y : memref<8xf32>)
  linalg.add ins(%c, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 6. Rows in a loop, and a matrix read across.
func.func @rows(%x: memref<4xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = memref.alloc() : memref<2x4xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<4xf32>
    linalg.square ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
    %r = memref.load %a[%i] : memref<4xf32>
    memref.store %r, %a[%c0] : memref<4xf32>
    %p = memref.subview %b[%i, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %a, %p : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  }
  %t = memref.alloc() : memref<4x2xf32>
  linalg.transpose ins(%b : memref<2x4xf32>) outs(%t : memref<4x2xf32>) permutation = [1, 0]
  %z = memref.expand_shape %y [[0, 1]] output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>
  linalg.negf ins(%t : memref<4x2xf32>) outs(%z : memref<4x2xf32>)
  return
}

// 7. A pad by linalg.copy, of what is computed through casts: one of the shape, one of the strides.
func.func @casts(%x: memref<4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %d = memref.cast %a : memref<4xf32> to memref<?xf32>
  %e = memref.cast %x : memref<4xf32> to memref<?xf32>
  linalg.square ins(%e : memref<?xf32>) outs(%d : memref<?xf32>)
  %o = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  linalg.negf ins(%o : memref<4xf32, strided<[?], offset: ?>>) outs(%o : memref<4xf32, strided<[?], offset: ?>>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<8xf32>)
  %p = memref.subview %b[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  linalg.copy ins(%a : memref<4xf32>) outs(%p : memref<4xf32, strided<[2], offset: 1>>)
  linalg.copy ins(%b : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 8. A copy whose source is written through a pointer before the copy is read.
func.func @pointer(%x: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9.0 : f32
  %i = memref.extract_aligned_pointer_as_index %x : memref<4xf32> -> index
  %n = arith.index_cast %i : index to i64
  %p = llvm.inttoptr %n : i64 to !llvm.ptr
  %c = memref.alloc() : memref<4xf32>
  memref.copy %x, %c : memref<4xf32> to memref<4xf32>
  llvm.store %nine, %p : f32, !llvm.ptr
  %r = memref.load %c[%c0] : memref<4xf32>
  return %r : f32
}

// 9. A copy of what is filled with bytes, seen as other elements: 63, four times, is 0x3f3f3f3f.
func.func @bytes() -> f32 {
  %c0 = arith.constant 0 : index
  %byte = arith.constant 63 : i8
  %a = memref.alloc() : memref<16xi8>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%byte : i8) outs(%a : memref<16xi8>)
  %v = memref.view %a[%c0][] : memref<16xi8> to memref<4xf32>
  memref.copy %v, %b : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%byte : i8) outs(%a : memref<16xi8>)
  %r = memref.load %b[%c0] : memref<4xf32>
  return %r : f32
}

func.func @main() {
  %one = arith.constant 1.0 : f32
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<8xf32>
  call @count(%x, %one) : (memref<4xf32>, f32) -> ()
  // CHECK: 00-1-4-9-1600
  call @pad(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 1-14-29-316-4
  call @comb(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 23451111
  call @reads_part(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 2222-1-2-3-4
  call @refilled(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 444410-1-2
  call @same(%y, %y) : (memref<8xf32>, memref<8xf32>) -> ()
  // CHECK-NEXT: -1-4-4-4-9-9-16-16
  call @print(%y) : (memref<8xf32>) -> ()
  call @rows(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 0-10-40-90-16
  call @casts(%x, %y) : (memref<4xf32>, memref<8xf32>) -> ()
  call @print(%y) : (memref<8xf32>) -> ()
  // CHECK-NEXT: 1{{$}}
  %p = call @pointer(%x) : (memref<4xf32>) -> f32
  call @printF32(%p) : (f32) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 0.747059
  %b = call @bytes() : () -> f32
  call @printF32(%b) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %y : memref<8xf32>
  return
}
