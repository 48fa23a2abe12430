// Executed: views of buffers of an arena or of new memory. A plan that is verified after deallocation,
// and one that is planned again, compute the same.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify,%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},memplan{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s -o %t.blocks.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf,memplan{verify})'
// RUN: %memplan-opt %t.blocks.mlir -o %t.again.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-verify,canonicalize,memplan{verify})'
// RUN: %memplan-opt %t.again.mlir --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printComma()
func.func private @printNewline()

// The argument or new memory.
func.func private @pick(%a: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  %k = arith.constant 7.0 : f32
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %s : memref<8xf32>
}

// 1. Views that start after their allocation.
// CHECK:      40, 152, 244, 392,
func.func @views(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %k = arith.constant 9.0 : f32
  %v = memref.subview %a[%c1] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %w = memref.subview %b[%c2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %v, %q = %w) -> (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) {
    linalg.add ins(%p, %q : memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) outs(%q : memref<4xf32, strided<[1], offset: ?>>)
    %t = memref.alloc() : memref<8xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<8xf32>)
    %u = memref.subview %t[%c0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    %s = arith.select %c, %u, %p : memref<4xf32, strided<[1], offset: ?>>
    scf.yield %q, %s : memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>
  }
  %z = memref.subview %y[%c2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  memref.copy %r#0, %z : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  return
}

// 2. Views with other strides.
// CHECK-NEXT: 112, 336, 456, 688,
func.func @strides(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %v = memref.reinterpret_cast %a to offset: [0], sizes: [4, 2], strides: [1, 4] : memref<8xf32> to memref<4x2xf32, strided<[1, 4]>>
  %w = memref.reinterpret_cast %b to offset: [0], sizes: [4, 2], strides: [1, 4] : memref<8xf32> to memref<4x2xf32, strided<[1, 4]>>
  %k = arith.constant 4.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %v, %q = %w) -> (memref<4x2xf32, strided<[1, 4]>>, memref<4x2xf32, strided<[1, 4]>>) {
    linalg.add ins(%p, %q : memref<4x2xf32, strided<[1, 4]>>, memref<4x2xf32, strided<[1, 4]>>) outs(%q : memref<4x2xf32, strided<[1, 4]>>)
    %t = memref.alloc() : memref<8xf32>
    linalg.fill ins(%k : f32) outs(%t : memref<8xf32>)
    %tv = memref.reinterpret_cast %t to offset: [0], sizes: [4, 2], strides: [1, 4] : memref<8xf32> to memref<4x2xf32, strided<[1, 4]>>
    %s = arith.select %c, %tv, %p : memref<4x2xf32, strided<[1, 4]>>
    scf.yield %q, %s : memref<4x2xf32, strided<[1, 4]>>, memref<4x2xf32, strided<[1, 4]>>
  }
  %z = memref.reinterpret_cast %y to offset: [0], sizes: [4, 2], strides: [1, 4] : memref<8xf32> to memref<4x2xf32, strided<[1, 4]>>
  memref.copy %r#0, %z : memref<4x2xf32, strided<[1, 4]>> to memref<4x2xf32, strided<[1, 4]>>
  return
}

// 3. A loop continues with the result of another.
// CHECK-NEXT: 336, 448, 896, 2016,
func.func @loops(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
    %r = func.call @pick(%q, %c) : (memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %r, %p : memref<8xf32>, memref<8xf32>
  }
  %e = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%e : memref<8xf32>)
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %r#1, %q = %e) -> (memref<8xf32>, memref<8xf32>) {
    linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
    %u = func.call @pick(%q, %d) : (memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %u, %p : memref<8xf32>, memref<8xf32>
  }
  linalg.add ins(%s#0, %r#0 : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

func.func private @print_sums(%kind: index, %x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.for %n = %c0 to %c4 step %c1 {
    %sum = scf.for %m = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f32 {
      %c = arith.cmpi slt, %m, %c2 : index
      %low = arith.remsi %m, %c2 : index
      %d = arith.cmpi eq, %low, %c1 : index
      linalg.fill ins(%zero : f32) outs(%y : memref<8xf32>)
      scf.index_switch %kind
      case 0 {
        func.call @views(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 1 {
        func.call @strides(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 2 {
        func.call @loops(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      default {
      }
      %t = scf.for %i = %c0 to %c8 step %c1 iter_args(%u = %s) -> f32 {
        %v = memref.load %y[%i] : memref<8xf32>
        %w = arith.addf %u, %v : f32
        scf.yield %w : f32
      }
      scf.yield %t : f32
    }
    func.call @printF32(%sum) : (f32) -> ()
    func.call @printComma() : () -> ()
  }
  func.call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %kinds = arith.constant 3 : index
  %x = memref.alloc() : memref<8xf32>
  %y = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %k = arith.index_cast %i : index to i32
    %v = arith.sitofp %k : i32 to f32
    memref.store %v, %x[%i] : memref<8xf32>
  }
  scf.for %kind = %c0 to %kinds step %c1 {
    func.call @print_sums(%kind, %x, %y) : (index, memref<8xf32>, memref<8xf32>) -> ()
  }
  return
}
