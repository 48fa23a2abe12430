// A buffer that a callee may return keeps its bytes while the result is needed, others do not. Planned programs print
// the same as without the pass. Arguments, new memory, views.
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

// 1. The callee returns its first argument.
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

// 2. The callee returns its second argument.
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

// 3. The callee returns new memory, or its first argument.
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

// 6. A view of a view.
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
  call @test_view() : () -> ()
  return
}
