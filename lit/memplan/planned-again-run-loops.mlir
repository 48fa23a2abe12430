// Executed: loops that carry buffers of an arena and new memory. A plan that is verified after deallocation,
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

// 1. Two memrefs swap places in a loop, and a call replaces one.
// CHECK:      112, 224, 336, 560,
func.func @swapped(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
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
  memref.copy %r#0, %y : memref<8xf32> to memref<8xf32>
  return
}

// 2. The same in `scf.while`.
// CHECK-NEXT: 112, 224, 336, 560,
func.func @swapped_while(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:3 = scf.while (%i = %c0, %p = %a, %q = %b) : (index, memref<8xf32>, memref<8xf32>) -> (index, memref<8xf32>, memref<8xf32>) {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %p, %q : index, memref<8xf32>, memref<8xf32>
  } do {
  ^bb0(%i: index, %p: memref<8xf32>, %q: memref<8xf32>):
    linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
    %r = func.call @pick(%q, %c) : (memref<8xf32>, i1) -> memref<8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %r, %p : index, memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#1, %y : memref<8xf32> to memref<8xf32>
  return
}

// 3. The same in blocks, with two paths.
// CHECK-NEXT: 112, 168, 224, 336,
func.func @blocks(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  cf.br ^loop(%c0, %a, %b : index, memref<8xf32>, memref<8xf32>)
^loop(%i: index, %p: memref<8xf32>, %q: memref<8xf32>):
  %go = arith.cmpi slt, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
  %j = arith.addi %i, %c1 : index
  cf.cond_br %d, ^one, ^other
^one:
  %r = func.call @pick(%q, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  cf.br ^loop(%j, %r, %p : index, memref<8xf32>, memref<8xf32>)
^other:
  %s = func.call @either(%q, %p, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  cf.br ^loop(%j, %p, %s : index, memref<8xf32>, memref<8xf32>)
^end:
  memref.copy %p, %y : memref<8xf32> to memref<8xf32>
  return
}

// 4. A loop in a loop.
// CHECK-NEXT: 112, 560, 784, 1232,
func.func @nested(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    %s:2 = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %q, %v = %p) -> (memref<8xf32>, memref<8xf32>) {
      linalg.add ins(%u, %u : memref<8xf32>, memref<8xf32>) outs(%v : memref<8xf32>)
      %r = func.call @pick(%v, %c) : (memref<8xf32>, i1) -> memref<8xf32>
      scf.yield %r, %u : memref<8xf32>, memref<8xf32>
    }
    %t = func.call @pick(%s#1, %d) : (memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s#0, %t : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %y : memref<8xf32> to memref<8xf32>
  return
}

// 5. Three memrefs change places.
// CHECK-NEXT: 560, 560, 728, 1120,
func.func @three(%n: index, %x: memref<8xf32>, %y: memref<8xf32>, %c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %e = memref.alloc() : memref<8xf32>
  linalg.add ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%e : memref<8xf32>)
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %o = %e) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
    linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
    %r = func.call @pick(%q, %c) : (memref<8xf32>, i1) -> memref<8xf32>
    %s = func.call @pick(%o, %d) : (memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %r, %s, %p : memref<8xf32>, memref<8xf32>, memref<8xf32>
  }
  linalg.add ins(%r#0, %r#1 : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  linalg.add ins(%y, %r#2 : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
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
        func.call @swapped(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 1 {
        func.call @swapped_while(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 2 {
        func.call @blocks(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 3 {
        func.call @nested(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
        scf.yield
      }
      case 4 {
        func.call @three(%n, %x, %y, %c, %d) : (index, memref<8xf32>, memref<8xf32>, i1, i1) -> ()
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
