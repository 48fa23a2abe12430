// Callees that free an argument on some paths, executed: the caller frees the rest, or receives it back.
// Conditions of callers and callees.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- transfers-conditions.mlir
// CHECK: 24, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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

// 1. The caller frees what the callee does not.
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
    func.call @iff(%m, %c) : (memref<4xf32>, i1) -> ()
    scf.if %nc { memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 2. The buffer is used before the call.
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
    func.call @iff(%m, %c) : (memref<4xf32>, i1) -> ()
    scf.if %nc { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 3. In the other branch.
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
    func.call @iff(%m, %c) : (memref<4xf32>, i1) -> ()
    scf.if %c { } else { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 4. The callee says whether it has freed it.
func.func private @try_4(%m: memref<4xf32>, %c: i1) -> i1 {
  scf.if %c { memref.dealloc %m : memref<4xf32> }
  return %c : i1
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
    %fr = func.call @try_4(%m, %c) : (memref<4xf32>, i1) -> i1
    %k = arith.xori %fr, %t : i1
    scf.if %k { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 5. The callee passes the condition on.
func.func private @outer_5(%acc: memref<f32>, %m: memref<4xf32>, %c: i1) {
  func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
  call @iff(%m, %c) : (memref<4xf32>, i1) -> ()
  return
}
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
    func.call @outer_5(%acc, %m, %c) : (memref<f32>, memref<4xf32>, i1) -> ()
    scf.if %nc { memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 6. The callee frees where the condition does not hold.
func.func private @unless_6(%m: memref<4xf32>, %c: i1) {
  scf.if %c { } else { memref.dealloc %m : memref<4xf32> }
  return
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
    func.call @unless_6(%m, %c) : (memref<4xf32>, i1) -> ()
    scf.if %c { memref.dealloc %m : memref<4xf32> }
  }
  return
}

// 7. The condition is computed for a callee.
func.func private @unless_7(%m: memref<4xf32>, %c: i1) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  call @iff(%m, %n) : (memref<4xf32>, i1) -> ()
  return
}
func.func private @case7(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    func.call @unless_7(%m, %c) : (memref<4xf32>, i1) -> ()
    scf.if %c { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
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
  call @case7(%t, %acc) : (i1, memref<f32>) -> ()
  call @case7(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}

func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
