// Callees that free an argument on some paths, executed: the caller frees the rest, or receives it back.
// Results that are the argument or new memory.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- transfers-results.mlir
// CHECK: 132, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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

// 1. The callee frees its argument and returns new memory, or returns the argument.
func.func private @swap_1(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  cf.cond_br %k, ^new, ^same
^new:
  %n = call @mk(%v) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
^same:
  return %x : memref<4xf32>
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
    %n = func.call @swap_1(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %n : memref<4xf32>
  }
  return
}

// 2. The same by regions.
func.func private @swap_2(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  %r = scf.if %k -> memref<4xf32> {
    %n = func.call @mk(%v) : (f32) -> memref<4xf32>
    memref.dealloc %x : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
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
    %n = func.call @swap_2(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %n : memref<4xf32>
  }
  return
}

// 3. The caller does not free the result.
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
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %o, %c1 : index
    %h = arith.cmpi ult, %i, %c2 : index
    %m = func.call @mk(%v1) : (f32) -> memref<4xf32>
    %nc = arith.xori %c, %t : i1
    %n = func.call @swap_3(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  return
}

// 4. Of two arguments one is freed, the other returned.
func.func private @pick_4(%x: memref<4xf32>, %y: memref<4xf32>, %k: i1) -> memref<4xf32> {
  cf.cond_br %k, ^one, ^two
^one:
  memref.dealloc %y : memref<4xf32>
  return %x : memref<4xf32>
^two:
  memref.dealloc %x : memref<4xf32>
  return %y : memref<4xf32>
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
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %o, %c1 : index
    %h = arith.cmpi ult, %i, %c2 : index
    %m = func.call @mk(%v1) : (f32) -> memref<4xf32>
    %nc = arith.xori %c, %t : i1
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    %p = func.call @pick_4(%m, %n, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %p : memref<4xf32>
  }
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
