// A buffer that a callee may return keeps its bytes while the result is needed, others do not: planned programs print the same as
// without the pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefix=BYTES
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify}),%to-llvm)' \
// RUN:   | %runner | FileCheck %s

func.func private @printF32(f32)
func.func private @printNewline()

func.func private @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// 1. It returns the first one.
func.func private @first(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  return %a : memref<8xf32>
}
// BYTES-LABEL: func @test_first()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_first() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @first(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 2. It returns the second one.
func.func private @second(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  return %b : memref<8xf32>
}
// BYTES-LABEL: func @test_second()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_second() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @second(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 3. It returns new memory, or the first one.
func.func private @new_or_first(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %new = memref.alloc() : memref<8xf32>
  memref.copy %b, %new : memref<8xf32> to memref<8xf32>
  %r = arith.select %c, %a, %new : memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_new_or_first()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_new_or_first() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @new_or_first(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 4. A choice.
func.func private @choice(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = arith.select %c, %a, %b : memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_choice()
// BYTES: memplan.arena} : memref<160xi8>
func.func @test_choice() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant false
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @choice(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 5. A global is none of both.
memref.global "private" constant @global_weights : memref<8xf32> = dense<4.0>
func.func private @global(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %g = memref.get_global @global_weights : memref<8xf32>
  %r = arith.select %c, %a, %g : memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_global()
// BYTES: memplan.arena} : memref<160xi8>
func.func @test_global() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant false
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @global(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 6. On one of several paths.
func.func private @paths(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  cf.cond_br %c, ^one, ^other
^one:
  return %a : memref<8xf32>
^other:
  cf.br ^end(%b : memref<8xf32>)
^end(%r: memref<8xf32>):
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_paths()
// BYTES: memplan.arena} : memref<160xi8>
func.func @test_paths() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant false
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @paths(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 7. Out of a loop, after some iterations.
func.func private @loop(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r, %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_loop()
// BYTES: memplan.arena} : memref<160xi8>
func.func @test_loop() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @loop(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 8. A loop that carries both, each by itself.
func.func private @carried(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    scf.yield %p, %q : memref<8xf32>, memref<8xf32>
  }
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_carried()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_carried() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @carried(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 9. A view of a view.
func.func private @view(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %v = memref.expand_shape %b [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  %r = memref.collapse_shape %v [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_view()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_view() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @view(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 10. Stored, and loaded again.
func.func private @box(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %box = memref.alloca() : memref<memref<8xf32>>
  memref.store %b, %box[] : memref<memref<8xf32>>
  %r = memref.load %box[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_box()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_box() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @box(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 11. Through a global, by way of two others.
memref.global "private" @global_box_box : memref<memref<8xf32>> = uninitialized
func.func private @global_box_put(%b: memref<8xf32>) {
  %box = memref.get_global @global_box_box : memref<memref<8xf32>>
  memref.store %b, %box[] : memref<memref<8xf32>>
  return
}
func.func private @global_box_get() -> memref<8xf32> {
  %box = memref.get_global @global_box_box : memref<memref<8xf32>>
  %r = memref.load %box[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
func.func private @global_box(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  call @global_box_put(%b) : (memref<8xf32>) -> ()
  %r = call @global_box_get() : () -> memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_global_box()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_global_box() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @global_box(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 12. Through another one, which returns its first argument.
func.func private @by_other_id(%x: memref<8xf32>, %y: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @by_other(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @by_other_id(%a, %b) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_by_other()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_by_other() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @by_other(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 13. The same, the other way around.
func.func private @by_other_second_id(%x: memref<8xf32>, %y: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @by_other_second(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @by_other_second_id(%b, %a) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_by_other_second()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_by_other_second() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @by_other_second(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 14. Recursion: arguments stay in their places.
func.func private @recursion(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = scf.if %c -> memref<8xf32> {
    %false = arith.constant false
    %s = func.call @recursion(%a, %b, %false) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_recursion()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_recursion() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @recursion(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 15. Recursion by way of another one, where they change places.
func.func private @swapped_swap(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = call @swapped(%b, %a, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func private @swapped(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %r = scf.if %c -> memref<8xf32> {
    %false = arith.constant false
    %s = func.call @swapped_swap(%a, %b, %false) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_swapped()
// BYTES: memplan.arena} : memref<160xi8>
func.func @test_swapped() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @swapped(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

func.func @main() {
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_first() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_second() : () -> ()
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_new_or_first() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_choice() : () -> ()
  // CHECK: 4
  // CHECK-NEXT: 3
  call @test_global() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_paths() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_loop() : () -> ()
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_carried() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_view() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_box() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_global_box() : () -> ()
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_by_other() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_by_other_second() : () -> ()
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_recursion() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_swapped() : () -> ()
  return
}
