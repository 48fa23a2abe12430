// Wherever arenas are, planned programs print the same as without the pass: alone, after upstream's deallocation, and
// planned twice. Callees and recursion.
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

// 1. A leaf with a buffer of its own, called from everywhere.
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

// 2. A buffer that is live across a call must not share bytes with those of the callee.
func.func @chain() -> f32 {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<8xf32>
  call @fill(%a, %one) : (memref<8xf32>, f32) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @fill(%b, %two) : (memref<8xf32>, f32) -> ()
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  %c = memref.alloc() : memref<8xf32>
  call @fill(%c, %two) : (memref<8xf32>, f32) -> ()
  linalg.add ins(%a, %c : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
  %s = call @sum(%c) : (memref<8xf32>) -> f32
  return %s : f32
}

// 3. Recursive: its buffer is live across both calls of itself.
func.func private @tree(%n: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %t = memref.alloc() : memref<8xf32>
  %f = arith.sitofp %n : i32 to f32
  func.call @fill(%t, %f) : (memref<8xf32>, f32) -> ()
  %small = arith.cmpi slt, %n, %two : i32
  %r = scf.if %small -> f32 {
    %v = memref.load %t[%c0] : memref<8xf32>
    scf.yield %v : f32
  } else {
    %n1 = arith.subi %n, %one : i32
    %n2 = arith.subi %n, %two : i32
    %a = func.call @tree(%n1) : (i32) -> f32
    %b = func.call @tree(%n2) : (i32) -> f32
    %v = memref.load %t[%c0] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    %w = arith.addf %s, %v : f32
    scf.yield %w : f32
  }
  return %r : f32
}

// 4. Two that call each other.
func.func private @even(%n: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = memref.alloc() : memref<8xf32>
  %f = arith.sitofp %n : i32 to f32
  call @fill(%t, %f) : (memref<8xf32>, f32) -> ()
  %done = arith.cmpi eq, %n, %zero : i32
  cf.cond_br %done, ^end, ^more
^end:
  %v = call @sum(%t) : (memref<8xf32>) -> f32
  return %v : f32
^more:
  %m = arith.subi %n, %one : i32
  %u = call @odd(%m) : (i32) -> f32
  %w = call @sum(%t) : (memref<8xf32>) -> f32
  %s = arith.addf %u, %w : f32
  return %s : f32
}

func.func private @odd(%n: i32) -> f32 {
  %one = arith.constant 1 : i32
  %t = memref.alloc() : memref<8xf32>
  %f = arith.sitofp %n : i32 to f32
  call @fill(%t, %f) : (memref<8xf32>, f32) -> ()
  %m = arith.subi %n, %one : i32
  %u = call @even(%m) : (i32) -> f32
  %w = call @sum(%t) : (memref<8xf32>) -> f32
  %s = arith.subf %u, %w : f32
  return %s : f32
}

// 5. Its address is taken: its arguments stay as they are.
func.func private @taken(%v: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  call @fill(%a, %v) : (memref<8xf32>, f32) -> ()
  %s = call @sum(%a) : (memref<8xf32>) -> f32
  return %s : f32
}

func.func @indirect(%v: f32) -> f32 {
  %f = func.constant @taken : (f32) -> f32
  %a = memref.alloc() : memref<8xf32>
  call @fill(%a, %v) : (memref<8xf32>, f32) -> ()
  %r = func.call_indirect %f(%v) : (f32) -> f32
  %s = call @sum(%a) : (memref<8xf32>) -> f32
  %t = arith.addf %r, %s : f32
  return %t : f32
}

func.func @main() attributes {memplan.arena_in = "alloc"} {
  %one = arith.constant 1.0 : f32
  %n = arith.constant 6 : i32
  // CHECK: 80
  %a = call @chain() : () -> f32
  call @print(%a) : (f32) -> ()
  // CHECK-NEXT: 92
  %c = call @tree(%n) : (i32) -> f32
  call @print(%c) : (f32) -> ()
  // CHECK-NEXT: 48
  %d = call @even(%n) : (i32) -> f32
  call @print(%d) : (f32) -> ()
  // CHECK-NEXT: 32
  %f = call @indirect(%one) : (f32) -> f32
  call @print(%f) : (f32) -> ()
  return
}
