// A buffer that a callee may return keeps its bytes while the result is needed, others do not. Planned programs print
// the same as without the pass. Stored memrefs.
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

// 1. Stored, and loaded again.
func.func private @nested(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %nested = memref.alloca() : memref<memref<8xf32>>
  memref.store %b, %nested[] : memref<memref<8xf32>>
  %r = memref.load %nested[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_nested()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_nested() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @nested(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

// 2. Through a global, by two other functions.
memref.global "private" @global_nested_memref : memref<memref<8xf32>> = uninitialized
func.func private @global_nested_put(%b: memref<8xf32>) {
  %nested = memref.get_global @global_nested_memref : memref<memref<8xf32>>
  memref.store %b, %nested[] : memref<memref<8xf32>>
  return
}
func.func private @global_nested_get() -> memref<8xf32> {
  %nested = memref.get_global @global_nested_memref : memref<memref<8xf32>>
  %r = memref.load %nested[] : memref<memref<8xf32>>
  return %r : memref<8xf32>
}
func.func private @global_nested(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) -> memref<8xf32> {
  call @global_nested_put(%b) : (memref<8xf32>) -> ()
  %r = call @global_nested_get() : () -> memref<8xf32>
  return %r : memref<8xf32>
}
// BYTES-LABEL: func @test_global_nested()
// BYTES: memplan.arena} : memref<96xi8>
func.func @test_global_nested() attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<8xf32>)
  %r = call @global_nested(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  linalg.fill ins(%three : f32) outs(%d : memref<8xf32>)
  %x = memref.load %r[%c0] : memref<8xf32>
  call @print(%x) : (f32) -> ()
  %y = memref.load %d[%c0] : memref<8xf32>
  call @print(%y) : (f32) -> ()
  return
}

func.func @main() {
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_nested() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_global_nested() : () -> ()
  return
}
