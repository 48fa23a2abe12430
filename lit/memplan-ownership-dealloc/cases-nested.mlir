// Memrefs that are stored in memrefs, executed: what is copied, nested, replaced or stored in a branch is freed once.
// Each line: the sum of what was read, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- copies.mlir
// CHECK: 18, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 1. What is copied is loaded from the copy, from either element.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<2xmemref<4xf32>>
  memref.store %a, %b[%c0] : memref<2xmemref<4xf32>>
  memref.store %a, %b[%c1] : memref<2xmemref<4xf32>>
  %u = memref.alloc() : memref<2xmemref<4xf32>>
  memref.copy %b, %u : memref<2xmemref<4xf32>> to memref<2xmemref<4xf32>>
  %q = memref.load %u[%c0] : memref<2xmemref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 2. A copy of a copy.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %u = memref.alloc() : memref<memref<4xf32>>
  memref.copy %b, %u : memref<memref<4xf32>> to memref<memref<4xf32>>
  %w = memref.alloc() : memref<memref<4xf32>>
  memref.copy %u, %w : memref<memref<4xf32>> to memref<memref<4xf32>>
  %q = memref.load %w[] : memref<memref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 3. What is replaced after it was copied comes back by another copy.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %a2 = func.call @mk(%v2) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %u = memref.alloc() : memref<memref<4xf32>>
  memref.copy %b, %u : memref<memref<4xf32>> to memref<memref<4xf32>>
  memref.store %a2, %b[] : memref<memref<4xf32>>
  %q = memref.load %u[] : memref<memref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  memref.copy %u, %b : memref<memref<4xf32>> to memref<memref<4xf32>>
  %r = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%r, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 4. Each iteration stores anew, and copies.
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
  %u = memref.alloc() : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %a, %b[] : memref<memref<4xf32>>
    memref.copy %b, %u : memref<memref<4xf32>> to memref<memref<4xf32>>
    %q = memref.load %u[] : memref<memref<4xf32>>
    func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  return
}
// 5. The last copy of a loop is loaded after it.
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
  %u = memref.alloc() : memref<memref<4xf32>>
  %s = func.call @mk(%v3) : (f32) -> memref<4xf32>
  memref.store %s, %u[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %a, %b[] : memref<memref<4xf32>>
    memref.copy %b, %u : memref<memref<4xf32>> to memref<memref<4xf32>>
  }
  %q = memref.load %u[] : memref<memref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
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
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}

//--- deeper.mlir
// CHECK: 12, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 1. A memref of memrefs is stored itself.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %c = memref.alloc() : memref<memref<memref<4xf32>>>
  memref.store %b, %c[] : memref<memref<memref<4xf32>>>
  %p = memref.load %c[] : memref<memref<memref<4xf32>>>
  %q = memref.load %p[] : memref<memref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 2. What is stored through a memref that was loaded is loaded by the other name.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %a2 = func.call @mk(%v2) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %c = memref.alloc() : memref<memref<memref<4xf32>>>
  memref.store %b, %c[] : memref<memref<memref<4xf32>>>
  %p = memref.load %c[] : memref<memref<memref<4xf32>>>
  memref.store %a2, %p[] : memref<memref<4xf32>>
  %q = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 3. Three deep.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  %c = memref.alloc() : memref<memref<memref<4xf32>>>
  memref.store %b, %c[] : memref<memref<memref<4xf32>>>
  %d = memref.alloc() : memref<memref<memref<memref<4xf32>>>>
  memref.store %c, %d[] : memref<memref<memref<memref<4xf32>>>>
  %p = memref.load %d[] : memref<memref<memref<memref<4xf32>>>>
  %q = memref.load %p[] : memref<memref<memref<4xf32>>>
  %r = memref.load %q[] : memref<memref<4xf32>>
  func.call @look(%r, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 4. Elements that are memrefs of memrefs.
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
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %b = memref.alloc() : memref<memref<4xf32>>
  %b2 = memref.alloc() : memref<memref<4xf32>>
  memref.store %a, %b[] : memref<memref<4xf32>>
  memref.store %a, %b2[] : memref<memref<4xf32>>
  %c = memref.alloc() : memref<2xmemref<memref<4xf32>>>
  memref.store %b, %c[%c0] : memref<2xmemref<memref<4xf32>>>
  memref.store %b2, %c[%c1] : memref<2xmemref<memref<4xf32>>>
  scf.for %i = %c0 to %c2 step %c1 {
    %p = memref.load %c[%i] : memref<2xmemref<memref<4xf32>>>
    %q = memref.load %p[] : memref<memref<4xf32>>
    func.call @look(%q, %acc) : (memref<4xf32>, memref<f32>) -> ()
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

//--- replaced.mlir
// CHECK: 244, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 4. What was there first is used after the loop by its own name.
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
// 7. Two loops.
func.func private @case7(%k: i1, %acc: memref<f32>) attributes {no_inline} {
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
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %o = memref.load %b[] : memref<memref<4xf32>>
      func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
      %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
      memref.store %n, %b[] : memref<memref<4xf32>>
    }
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 8. Two memrefs swap what they hold.
func.func private @case8(%k: i1, %acc: memref<f32>) attributes {no_inline} {
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
  %d = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  %a2 = func.call @mk(%v3) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  memref.store %a2, %d[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    %p = memref.load %d[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.store %p, %b[] : memref<memref<4xf32>>
    memref.store %o, %d[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 9. What one holds is moved to the other.
func.func private @case9(%k: i1, %acc: memref<f32>) attributes {no_inline} {
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
  %d = memref.alloc() : memref<memref<4xf32>>
  %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
  memref.store %a, %b[] : memref<memref<4xf32>>
  memref.store %a, %d[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    memref.store %o, %d[] : memref<memref<4xf32>>
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
    %p = memref.load %d[] : memref<memref<4xf32>>
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  %l = memref.load %d[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 10. By affine.load and affine.store.
func.func private @case10(%k: i1, %acc: memref<f32>) attributes {no_inline} {
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
  affine.store %a, %b[] : memref<memref<4xf32>>
  affine.for %i = 0 to 4 {
    %o = affine.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    affine.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = affine.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 11. The memref is allocated in each iteration of a loop around.
func.func private @case11(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    %b = memref.alloc() : memref<memref<4xf32>>
    %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %a, %b[] : memref<memref<4xf32>>
    scf.for %j = %c0 to %c2 step %c1 {
      %o = memref.load %b[] : memref<memref<4xf32>>
      func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
      %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
      memref.store %n, %b[] : memref<memref<4xf32>>
    }
    %l = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  return
}
// 12. The memref is on the stack.
func.func private @case12(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloca() : memref<memref<4xf32>>
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
  call @case8(%t, %acc) : (i1, memref<f32>) -> ()
  call @case8(%f, %acc) : (i1, memref<f32>) -> ()
  call @case9(%t, %acc) : (i1, memref<f32>) -> ()
  call @case9(%f, %acc) : (i1, memref<f32>) -> ()
  call @case10(%t, %acc) : (i1, memref<f32>) -> ()
  call @case10(%f, %acc) : (i1, memref<f32>) -> ()
  call @case11(%t, %acc) : (i1, memref<f32>) -> ()
  call @case11(%f, %acc) : (i1, memref<f32>) -> ()
  call @case12(%t, %acc) : (i1, memref<f32>) -> ()
  call @case12(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}

//--- branches.mlir
// CHECK: 50, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 1. One branch stores memory from before it, the other new memory.
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
  scf.if %k {
    memref.store %a, %b[] : memref<memref<4xf32>>
  } else {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 2. Both store new memory.
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
  scf.if %k {
    %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %a, %b[] : memref<memref<4xf32>>
  } else {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 3. What one stores is used later by its own name.
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
  scf.if %k {
    memref.store %a, %b[] : memref<memref<4xf32>>
  } else {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  func.call @look(%a, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 4. A branch without another one.
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
  scf.if %k {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 5. Where the branch is not taken nothing is stored, nor loaded.
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
  scf.if %k {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  scf.if %k {
    %l = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  }
  return
}
// 6. More than two.
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
  %i = arith.index_castui %k : i1 to index
  scf.index_switch %i
  case 0 {
    %a = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %a, %b[] : memref<memref<4xf32>>
    scf.yield
  }
  default {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  func.call @look(%l, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 7. What is loaded is returned.
func.func private @ret_7(%k: i1) -> memref<4xf32> {
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %b = memref.alloc() : memref<memref<4xf32>>
  scf.if %k {
    %n = func.call @mk(%v1) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  } else {
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  %l = memref.load %b[] : memref<memref<4xf32>>
  return %l : memref<4xf32>
}
func.func private @case7(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %x = func.call @ret_7(%k) : (i1) -> memref<4xf32>
  func.call @look(%x, %acc) : (memref<4xf32>, memref<f32>) -> ()
  return
}
// 8. A view is stored.
func.func private @case8(%k: i1, %acc: memref<f32>) attributes {no_inline} {
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
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v1 : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %w = memref.cast %s : memref<4xf32, strided<[1]>> to memref<4xf32>
  memref.store %w, %b[] : memref<memref<4xf32>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<4xf32>>
    func.call @look(%o, %acc) : (memref<4xf32>, memref<f32>) -> ()
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    memref.store %n, %b[] : memref<memref<4xf32>>
  }
  return
}
// 9. A view that starts elsewhere than its memory.
func.func private @case9(%k: i1, %acc: memref<f32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %t = arith.constant true
  %f = arith.constant false
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2.0 : f32
  %v3 = arith.constant 3.0 : f32
  %b = memref.alloc() : memref<memref<2xf32, strided<[1], offset: ?>>>
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v1 : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[%c4] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.store %s, %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
    %x = memref.load %o[%c0] : memref<2xf32, strided<[1], offset: ?>>
    func.call @add(%x, %acc) : (f32, memref<f32>) -> ()
    %n = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v2 : f32) outs(%n : memref<8xf32>)
    %q = memref.subview %n[%c4] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.store %q, %b[] : memref<memref<2xf32, strided<[1], offset: ?>>>
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
  call @case8(%t, %acc) : (i1, memref<f32>) -> ()
  call @case8(%f, %acc) : (i1, memref<f32>) -> ()
  call @case9(%t, %acc) : (i1, memref<f32>) -> ()
  call @case9(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
