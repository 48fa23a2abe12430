// Executed: calls that return a buffer of an arena or new memory. A plan that is verified after deallocation,
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

// The same by a branch.
func.func private @either(%a: memref<8xf32>, %d: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = scf.if %c -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    linalg.add ins(%a, %d : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
    scf.yield %b : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// Both of two memrefs, or one and new memory.
func.func private @two(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> (memref<8xf32>, memref<8xf32>) {
  %n = memref.alloc() : memref<8xf32>
  %k = arith.constant 3.0 : f32
  linalg.fill ins(%k : f32) outs(%n : memref<8xf32>)
  %s = arith.select %c, %a, %n : memref<8xf32>
  %t = arith.select %c, %n, %b : memref<8xf32>
  return %s, %t : memref<8xf32>, memref<8xf32>
}

// One of two memrefs, after recursion.
func.func private @deep(%a: memref<8xf32>, %b: memref<8xf32>, %n: index, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<8xf32> {
    scf.yield %a : memref<8xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %t = memref.alloc() : memref<8xf32>
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
    %p = func.call @pick(%t, %c) : (memref<8xf32>, i1) -> memref<8xf32>
    %q = func.call @deep(%b, %p, %m, %c) : (memref<8xf32>, memref<8xf32>, index, i1) -> memref<8xf32>
    scf.yield %q : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// 1. Conditions of the last iteration.
// CHECK:      224, 224, 336, 448,
func.func @late(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %o = %d) -> (memref<8xf32>, memref<8xf32>, i1) {
    linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
    %r = func.call @pick(%q, %o) : (memref<8xf32>, i1) -> memref<8xf32>
    %s = func.call @either(%p, %r, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %r, %s, %c : memref<8xf32>, memref<8xf32>, i1
  }
  memref.copy %r#1, %y : memref<8xf32> to memref<8xf32>
  return
}

// 2. Two results of one call.
// CHECK-NEXT: 112, 264, 248, 296,
func.func @two_results(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    %s:2 = func.call @two(%p, %q, %c) : (memref<8xf32>, memref<8xf32>, i1) -> (memref<8xf32>, memref<8xf32>)
    linalg.add ins(%s#0, %s#1 : memref<8xf32>, memref<8xf32>) outs(%s#1 : memref<8xf32>)
    scf.yield %s#1, %s#0 : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %y : memref<8xf32> to memref<8xf32>
  return
}

// 3. A branch in a loop.
// CHECK-NEXT: 112, 224, 280, 336,
func.func @branch(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %s = scf.if %d -> memref<8xf32> {
      %r = func.call @pick(%p, %c) : (memref<8xf32>, i1) -> memref<8xf32>
      linalg.add ins(%r, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
      scf.yield %r : memref<8xf32>
    } else {
      %t = memref.alloc() : memref<8xf32>
      linalg.add ins(%p, %b : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
      %r = func.call @pick(%t, %c) : (memref<8xf32>, i1) -> memref<8xf32>
      scf.yield %r : memref<8xf32>
    }
    scf.yield %s : memref<8xf32>
  }
  memref.copy %r, %y : memref<8xf32> to memref<8xf32>
  return
}

// 4. Results of calls are arguments of others.
// CHECK-NEXT: 700, 700, 700, 700,
func.func @calls(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %p = call @pick(%a, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  %q = call @pick(%p, %d) : (memref<8xf32>, i1) -> memref<8xf32>
  linalg.add ins(%q, %b : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r = call @either(%b, %q, %d) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  linalg.add ins(%p, %r : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 5. Recursion in a loop.
// CHECK-NEXT: 112, 224, 280, 476,
func.func @recursion(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    %r = func.call @deep(%p, %q, %i, %d) : (memref<8xf32>, memref<8xf32>, index, i1) -> memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    linalg.add ins(%r, %p : memref<8xf32>, memref<8xf32>) outs(%t : memref<8xf32>)
    %s = func.call @pick(%t, %c) : (memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s, %p : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %y : memref<8xf32> to memref<8xf32>
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
        func.call @late(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 1 {
        func.call @two_results(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 2 {
        func.call @branch(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 3 {
        func.call @calls(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 4 {
        func.call @recursion(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
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
  %kinds = arith.constant 5 : index
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
