// Callees that free an argument on some paths, executed: the caller frees the rest, or receives it back.
// Two conditions, loops, and choices of memrefs.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- transfers-paths.mlir
// CHECK: 6, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
func.func private @iff(%m: memref<4xf32>, %c: i1) attributes {no_inline} {
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
  }
  return
}

// 1. Two conditions together.
func.func private @both_1(%m: memref<4xf32>, %c: i1, %d: i1) {
  %a = arith.andi %c, %d : i1
  scf.if %a { memref.dealloc %m : memref<4xf32> }
  return
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
    func.call @both_1(%m, %c, %h) : (memref<4xf32>, i1, i1) -> ()
    %a = arith.andi %c, %h : i1
    %na = arith.xori %a, %t : i1
    scf.if %na { memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 2. Either of two conditions.
func.func private @any_2(%m: memref<4xf32>, %c: i1, %d: i1) {
  %a = arith.ori %c, %d : i1
  scf.if %a { memref.dealloc %m : memref<4xf32> }
  return
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
    func.call @any_2(%m, %c, %h) : (memref<4xf32>, i1, i1) -> ()
    %a = arith.ori %c, %h : i1
    %na = arith.xori %a, %t : i1
    scf.if %na { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 3. A call in a loop frees in one iteration.
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
  scf.for %i = %c0 to %c4 step %c1 {
    %l = arith.cmpi eq, %i, %c2 : index
    func.call @iff(%a, %l) : (memref<4xf32>, i1) -> ()
  }
  return
}

// 4. The loop is in the callee.
func.func private @run_4(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %l = arith.cmpi eq, %i, %c2 : index
    scf.if %l { memref.dealloc %m : memref<4xf32> }
  }
  return
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
  %b = call @mk(%v1) : (f32) -> memref<4xf32>
  call @run_4(%a, %c4) : (memref<4xf32>, index) -> ()
  call @run_4(%b, %c1) : (memref<4xf32>, index) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}

// 5. One of two memrefs.
func.func private @case5(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    %s = arith.select %c, %m, %n : memref<4xf32>
    func.call @iff(%s, %h) : (memref<4xf32>, i1) -> ()
    %nh = arith.xori %h, %t : i1
    scf.if %nh { memref.dealloc %s : memref<4xf32> }
    %r = arith.select %c, %n, %m : memref<4xf32>
    memref.dealloc %r : memref<4xf32>
  }
  return
}

// 6. Freed memory is returned, and not read.
func.func private @free_ret_6(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  scf.if %k { memref.dealloc %x : memref<4xf32> }
  return %x : memref<4xf32>
}
func.func private @case6(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    %n = func.call @free_ret_6(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.if %nc { func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %n : memref<4xf32> }
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
  call @case5(%t, %acc) : (i1, memref<f32>) -> ()
  call @case5(%f, %acc) : (i1, memref<f32>) -> ()
  call @case6(%t, %acc) : (i1, memref<f32>) -> ()
  call @case6(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}

func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
