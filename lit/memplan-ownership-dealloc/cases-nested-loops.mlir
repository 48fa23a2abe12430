// Memrefs that are stored in memrefs, executed: iterations of a loop replace them.
// Each line: the result, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- nested-loops.mlir
// CHECK: 118, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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

// 1. Each iteration replaces what the memref holds.
func.func private @case1(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 2. The same in a loop with a condition.
func.func private @case2(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %r = scf.while (%i = %c0) : (index) -> index {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %q = arith.cmpi ult, %i, %c4 : index
    scf.condition(%q) %i : index
  } do {
  ^bb0(%i: index):
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 3. Only some iterations do.
func.func private @case3(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = arith.andi %i, %c1 : index
    %e = arith.cmpi eq, %o, %c0 : index
    scf.if %e {
      %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
      memref.store %n, %b[] : memref<memref<4xf32>>
    }
    %p = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 4. The initial memref is used after the loop by its own name.
func.func private @case4(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  func.call @look(%a, %acc) : (memref<4xf32>, memref<f32>) -> ()
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 5. One iteration stores memory from outside of the loop, which is used after it.
func.func private @case5(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %d = func.call @mk(%v3) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %e = arith.cmpi eq, %i, %c2 : index
    scf.if %e {
      memref.store %d, %b[] : memref<memref<4xf32>>
    } else {
      %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
      memref.store %n, %b[] : memref<memref<4xf32>>
    }
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  func.call @look(%d, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}

// 6. Nothing is there in the first iteration.
func.func private @case6(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %e = arith.cmpi ne, %i, %c0 : index
    scf.if %e {
      %o = memref.load %b[] : memref<memref<4xf32>>
      func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    }
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
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
