// Callees that free an argument on some paths, executed: the caller frees the rest, or receives it back.
// Arguments that are always freed, loops and recursion.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- transfers-owners.mlir
// CHECK: 60, {{[0-9]+}}, {{[0-9]+}}, 0, 0
// UPSTREAM: {{.*}}

func.func private @add(%x: f32, %acc: memref<f32>) attributes {no_inline} {
  %a = memref.load %acc[] : memref<f32>
  %b = arith.addf %a, %x : f32
  memref.store %b, %acc[] : memref<f32>
  return
}
func.func private @look(%m: memref<4xf32>, %acc: memref<f32>) attributes {no_inline} {
  %c3 = arith.constant 3 : index
  %x = memref.load %m[%c3] : memref<4xf32>
  call @add(%x, %acc) : (f32, memref<f32>) -> ()
  return
}
func.func private @mk(%x: f32) -> memref<4xf32> attributes {no_inline} {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  return %m : memref<4xf32>
}

// 1. The callee always frees the argument.
func.func private @grow_1(%x: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %x, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
}
func.func private @case1(%which: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %o, %c1 : index
    %h = arith.cmpi ult, %i, %c2 : index
    %m = func.call @mk(%v1) : (f32) -> memref<4xf32>
    %nc = arith.xori %c, %t : i1
    %n = func.call @grow_1(%m) : (memref<4xf32>) -> memref<4xf32>
    func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %n : memref<4xf32>
  }
  return
}

// 2. One argument is always freed, the other returned.
func.func private @keep_2(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  memref.dealloc %x : memref<4xf32>
  return %y : memref<4xf32>
}
func.func private @case2(%which: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %o, %c1 : index
    %h = arith.cmpi ult, %i, %c2 : index
    %m = func.call @mk(%v1) : (f32) -> memref<4xf32>
    %nc = arith.xori %c, %t : i1
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    %p = func.call @keep_2(%m, %n) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %p : memref<4xf32>
  }
  return
}

// 3. A loop carries what the callee returns.
func.func private @swap_3(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  cf.cond_br %k, ^new, ^same
^new:
  %n = call @mk(%v) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
^same:
  return %x : memref<4xf32>
}
func.func private @case3(%which: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %a = call @mk(%v1) : (f32) -> memref<4xf32>
  %r:2 = scf.while (%x = %a, %i = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %q = arith.cmpi ult, %i, %c4 : index
    scf.condition(%q) %x, %i : memref<4xf32>, index
  } do {
  ^bb0(%x: memref<4xf32>, %i: index):
    %o = arith.andi %i, %c1 : index
    %k = arith.cmpi eq, %o, %c0 : index
    %n = func.call @swap_3(%x, %k) : (memref<4xf32>, i1) -> memref<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %n, %j : memref<4xf32>, index
  }
  func.call @look(%r#0, %acc) : (memref<4xf32>, memref<f32>) -> ()
  memref.dealloc %r#0 : memref<4xf32>
  return
}

// 4. A function that calls itself passes it on.
func.func private @swap_4(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  cf.cond_br %k, ^new, ^same
^new:
  %n = call @mk(%v) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
^same:
  return %x : memref<4xf32>
}
func.func private @rec_4(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %e, ^end, ^go
^end:
  return %x : memref<4xf32>
^go:
  %o = arith.andi %n, %c1 : index
  %k = arith.cmpi eq, %o, %c0 : index
  %y = call @swap_4(%x, %k) : (memref<4xf32>, i1) -> memref<4xf32>
  %p = arith.subi %n, %c1 : index
  %r = call @rec_4(%y, %p) : (memref<4xf32>, index) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @case4(%which: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %a = call @mk(%v1) : (f32) -> memref<4xf32>
  %r = call @rec_4(%a, %c4) : (memref<4xf32>, index) -> memref<4xf32>
  func.call @look(%r, %acc) : (memref<4xf32>, memref<f32>) -> ()
  memref.dealloc %r : memref<4xf32>
  return
}

func.func @case() -> f32 attributes {no_inline} {
  %t = arith.constant true
  %f = arith.constant false
  %zero = arith.constant 0.0 : f32
  %acc = memref.alloc() : memref<f32>
  memref.store %zero, %acc[] : memref<f32>
  call @case1(%t, %acc) : (i1, memref<f32>) -> ()
  call @case1(%f, %acc) : (i1, memref<f32>) -> ()
  call @case2(%t, %acc) : (i1, memref<f32>) -> ()
  call @case2(%f, %acc) : (i1, memref<f32>) -> ()
  call @case3(%t, %acc) : (i1, memref<f32>) -> ()
  call @case3(%f, %acc) : (i1, memref<f32>) -> ()
  call @case4(%t, %acc) : (i1, memref<f32>) -> ()
  call @case4(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}

func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
