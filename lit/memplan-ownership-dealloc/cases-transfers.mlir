// Callees that free an argument on some paths, executed: what they do not free, the program frees itself, or receives back.
// Each line: the sum of what was read, allocations, most bytes held at once, bytes left, wrong frees. "nan": freed memory was read.
// RUN: split-file %s %t
// RUN: bash %S/Inputs/execute.sh %t %mlir_lib_dir %memplan-opt

//--- conditions.mlir
// CHECK: 30, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 2. It is used before.
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
// 6. It frees where the condition does not hold.
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
// 8. Two conditions together.
func.func private @both_8(%m: memref<4xf32>, %c: i1, %d: i1) {
  %a = arith.andi %c, %d : i1
  scf.if %a { memref.dealloc %m : memref<4xf32> }
  return
}
func.func private @case8(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    func.call @both_8(%m, %c, %h) : (memref<4xf32>, i1, i1) -> ()
    %a = arith.andi %c, %h : i1
    %na = arith.xori %a, %t : i1
    scf.if %na { memref.dealloc %m : memref<4xf32> }
  }
  return
}
// 9. Either of two.
func.func private @any_9(%m: memref<4xf32>, %c: i1, %d: i1) {
  %a = arith.ori %c, %d : i1
  scf.if %a { memref.dealloc %m : memref<4xf32> }
  return
}
func.func private @case9(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    func.call @any_9(%m, %c, %h) : (memref<4xf32>, i1, i1) -> ()
    %a = arith.ori %c, %h : i1
    %na = arith.xori %a, %t : i1
    scf.if %na { func.call @look(%m, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %m : memref<4xf32> }
  }
  return
}
// 10. A call in a loop frees in one iteration.
func.func private @case10(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
// 11. The loop is in the callee.
func.func private @run_11(%m: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %l = arith.cmpi eq, %i, %c2 : index
    scf.if %l { memref.dealloc %m : memref<4xf32> }
  }
  return
}
func.func private @case11(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
  call @run_11(%a, %c4) : (memref<4xf32>, index) -> ()
  call @run_11(%b, %c1) : (memref<4xf32>, index) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}
// 12. One of two memrefs.
func.func private @case12(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
// 13. What has been freed is returned, and not read.
func.func private @free_ret_13(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  scf.if %k { memref.dealloc %x : memref<4xf32> }
  return %x : memref<4xf32>
}
func.func private @case13(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
    %n = func.call @free_ret_13(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
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
  call @case13(%t, %acc) : (i1, memref<f32>) -> ()
  call @case13(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}

//--- owners.mlir
// CHECK: 192, {{[0-9]+}}, {{[0-9]+}}, 0, 0
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
// 5. It always frees the argument.
func.func private @grow_5(%x: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %x, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
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
    %n = func.call @grow_5(%m) : (memref<4xf32>) -> memref<4xf32>
    func.call @look(%n, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %n : memref<4xf32>
  }
  return
}
// 6. One argument is always freed, the other returned.
func.func private @keep_6(%x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  memref.dealloc %x : memref<4xf32>
  return %y : memref<4xf32>
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
    %n = func.call @mk(%v2) : (f32) -> memref<4xf32>
    %p = func.call @keep_6(%m, %n) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    func.call @look(%p, %acc) : (memref<4xf32>, memref<f32>) -> ()
    memref.dealloc %p : memref<4xf32>
  }
  return
}
// 7. A loop carries what the callee returns.
func.func private @swap_7(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  cf.cond_br %k, ^new, ^same
^new:
  %n = call @mk(%v) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
^same:
  return %x : memref<4xf32>
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
  %a = call @mk(%v1) : (f32) -> memref<4xf32>
  %r:2 = scf.while (%x = %a, %i = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %q = arith.cmpi ult, %i, %c4 : index
    scf.condition(%q) %x, %i : memref<4xf32>, index
  } do {
  ^bb0(%x: memref<4xf32>, %i: index):
    %o = arith.andi %i, %c1 : index
    %k = arith.cmpi eq, %o, %c0 : index
    %n = func.call @swap_7(%x, %k) : (memref<4xf32>, i1) -> memref<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %n, %j : memref<4xf32>, index
  }
  func.call @look(%r#0, %acc) : (memref<4xf32>, memref<f32>) -> ()
  memref.dealloc %r#0 : memref<4xf32>
  return
}
// 8. A function that calls itself passes it on.
func.func private @swap_8(%x: memref<4xf32>, %k: i1) -> memref<4xf32> {
  %v = arith.constant 9.0 : f32
  cf.cond_br %k, ^new, ^same
^new:
  %n = call @mk(%v) : (f32) -> memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %n : memref<4xf32>
^same:
  return %x : memref<4xf32>
}
func.func private @rec_8(%x: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %e, ^end, ^go
^end:
  return %x : memref<4xf32>
^go:
  %o = arith.andi %n, %c1 : index
  %k = arith.cmpi eq, %o, %c0 : index
  %y = call @swap_8(%x, %k) : (memref<4xf32>, i1) -> memref<4xf32>
  %p = arith.subi %n, %c1 : index
  %r = call @rec_8(%y, %p) : (memref<4xf32>, index) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @case8(%which: i1, %acc: memref<f32>) attributes {no_inline} {
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
  %r = call @rec_8(%a, %c4) : (memref<4xf32>, index) -> memref<4xf32>
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
  call @case5(%t, %acc) : (i1, memref<f32>) -> ()
  call @case5(%f, %acc) : (i1, memref<f32>) -> ()
  call @case6(%t, %acc) : (i1, memref<f32>) -> ()
  call @case6(%f, %acc) : (i1, memref<f32>) -> ()
  call @case7(%t, %acc) : (i1, memref<f32>) -> ()
  call @case7(%f, %acc) : (i1, memref<f32>) -> ()
  call @case8(%t, %acc) : (i1, memref<f32>) -> ()
  call @case8(%f, %acc) : (i1, memref<f32>) -> ()
  %x = memref.load %acc[] : memref<f32>
  return %x : f32
}
func.func @main() {
  llvm.call @heap_start() : () -> ()
  %x = call @case() : () -> f32
  call @heap_show(%x) : (f32) -> ()
  return
}
