// A buffer that a callee may return keeps its bytes while the result is needed, others do not. Planned programs print
// the same as without the pass. Paths and loops.
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

// 1. On one of several paths.
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

// 2. Out of a loop, after some iterations.
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

// 3. A loop that carries both, each by itself.
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

func.func @main() {
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_paths() : () -> ()
  // CHECK: 2
  // CHECK-NEXT: 3
  call @test_loop() : () -> ()
  // CHECK: 1
  // CHECK-NEXT: 3
  call @test_carried() : () -> ()
  return
}
