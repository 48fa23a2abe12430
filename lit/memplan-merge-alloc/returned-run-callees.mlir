// A buffer that a callee may return keeps its bytes while the result is needed, others do not. Planned programs print
// the same as without the pass. Other callees, and recursion.
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

// 1. The callee returns the result of another one, which returns its first argument.
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

// 2. The same with the arguments swapped.
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

// 3. Recursion: arguments stay in their places.
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

// 4. Recursion through another function, where they change places.
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
