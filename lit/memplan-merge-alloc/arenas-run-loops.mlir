// Wherever arenas are, planned programs print the same as without the pass: alone, after upstream's deallocation, and
// planned twice. Parallel loops, and slots that rotate.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: for options in arena=alloca arena=arg scope=module 'scope=module arena=alloca' 'scope=module arena=arg' \
// RUN:   hoist-parallel=24 'hoist-parallel=4 arena=alloca' 'hoist-parallel=24 arena=arg' \
// RUN:   'hoist-parallel=24 scope=module free=false' 'arena=arg alignment=1 planner=first-fit' \
// RUN:   'scope=module min-size=33' 'scope=module alignment=256'; do \
// RUN:   echo "$options"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options},%to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: for options in arena=alloca arena=arg scope=module 'hoist-parallel=24 scope=module' 'scope=module \
// RUN:     free=false'; do \
// RUN:   echo "$options, deallocated"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options},%upstream-dealloc,cse,\
// RUN:     canonicalize,%to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: for options in arena=alloca arena=arg scope=module 'scope=module arena=arg' 'hoist-parallel=24 arena=arg'; do \
// RUN:   echo "$options, twice"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options})" > %t.once || exit 1; \
// RUN:   %memplan-opt %t.once \
// RUN:     --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options})" > %t.twice || exit 1; \
// RUN:   diff %t.once %t.twice || exit 1; \
// RUN: done

func.func private @printF32(f32)
func.func private @printNewline()

func.func private @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @fill(%m: memref<8xf32>, %v: f32) {
  %t = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%t : memref<8xf32>)
  linalg.add ins(%t, %t : memref<8xf32>, memref<8xf32>) outs(%m : memref<8xf32>)
  return
}

func.func private @sum(%m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
    %x = memref.load %m[%i] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// 1. Bodies that run in parallel: each iteration has its own buffer, which its calls borrow; a reduction needs a value
// from the body.
func.func @parallel() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c18 = arith.constant 18 : index
  %zero = arith.constant 0.0 : f32
  %out = memref.alloc() : memref<8x3xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<8x3xf32>)
  scf.parallel (%i, %j) = (%c2, %c0) to (%c18, %c3) step (%c2, %c1) {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %n = arith.muli %i, %c3 : index
    %m = arith.addi %n, %j : index
    %k = arith.index_cast %m : index to i32
    %f = arith.sitofp %k : i32 to f32
    func.call @fill(%a, %f) : (memref<8xf32>, f32) -> ()
    func.call @fill(%b, %f) : (memref<8xf32>, f32) -> ()
    %v = memref.load %a[%c3] : memref<8xf32>
    %w = memref.load %b[%c4] : memref<8xf32>
    %x = arith.addf %v, %w : f32
    %h = arith.divui %i, %c2 : index
    %ii = arith.subi %h, %c1 : index
    memref.store %x, %out[%ii, %j] : memref<8x3xf32>
    scf.reduce
  }
  %s = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    %a = memref.alloc() : memref<8xf32>
    %v = memref.load %out[%i, %c1] : memref<8x3xf32>
    func.call @fill(%a, %v) : (memref<8xf32>, f32) -> ()
    %w = memref.load %a[%c1] : memref<8xf32>
    scf.reduce(%w : f32) {
    ^bb0(%l: f32, %r: f32):
      %y = arith.addf %w, %zero : f32
      %q = arith.addf %l, %r : f32
      %z = arith.subf %w, %y : f32
      %u = arith.addf %q, %z : f32
      scf.reduce.return %u : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.alloc() : memref<8xf32>
    %v = memref.load %out[%i, %c2] : memref<8x3xf32>
    func.call @fill(%a, %v) : (memref<8xf32>, f32) -> ()
    %w = memref.load %a[%c1] : memref<8xf32>
    memref.store %w, %out[%i, %c2] : memref<8x3xf32>
    scf.reduce
  }
  %x = memref.load %out[%c3, %c2] : memref<8x3xf32>
  %y = arith.addf %x, %s : f32
  return %y : f32
}

// 2. Slots that rotate, in whatever the arena is.
func.func private @rotating() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %x = memref.alloc() : memref<8xf32>
  call @fill(%x, %zero) : (memref<8xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %x) -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    func.call @fill(%a, %half) : (memref<8xf32>, f32) -> ()
    linalg.add ins(%m, %a : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
    scf.yield %a : memref<8xf32>
  }
  %s = call @sum(%r) : (memref<8xf32>) -> f32
  return %s : f32
}

// 3. Iterations that run at the same time, of bounds that are affine maps: each row of the result is its own.
func.func @maps() -> f32 {
  %m = memref.alloc() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<8xf32>)
  affine.parallel (%i, %j) = (max(0, 1), 2) to (min(4, 6), 8) step (1, 3) {
    %v = arith.index_cast %i : index to i32
    %w = arith.sitofp %v : i32 to f32
    %t = memref.alloc() : memref<8xf32>
    func.call @fill(%t, %w) : (memref<8xf32>, f32) -> ()
    %s = func.call @sum(%t) : (memref<8xf32>) -> f32
    affine.store %s, %m[%i + %j floordiv 4] : memref<8xf32>
  }
  %s = call @sum(%m) : (memref<8xf32>) -> f32
  return %s : f32
}

func.func @main() attributes {memplan.arena_in = "alloc"} {
  // CHECK: 720
  %b = call @parallel() : () -> f32
  call @print(%b) : (f32) -> ()
  // CHECK-NEXT: 24
  %e = call @rotating() : () -> f32
  call @print(%e) : (f32) -> ()
  // CHECK-NEXT: 144
  %g = call @maps() : () -> f32
  call @print(%g) : (f32) -> ()
  return
}
