// A parallel loop compares allocated pointers in scopes of stack memory. A plan is verified after deallocation, and again.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan,memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},memplan{verify})' | FileCheck %s

func.func private @pick(%a: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %b = memref.alloc() : memref<8xf32>
  %k = arith.constant 7.0 : f32
  linalg.fill ins(%k : f32) outs(%b : memref<8xf32>)
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %s : memref<8xf32>
}

// CHECK-LABEL: func.func @parallel
// CHECK:         scf.parallel
// CHECK:           memref.alloca_scope.return %{{.*}}, %{{.*}} : i64, i64
// CHECK:           arith.cmpi eq, %{{.*}}, %{{.*}} : i64
// CHECK:           memref.dealloc %{{.*}} : memref<f32>
func.func @parallel(%n: index, %x: memref<8xf32>, %y: memref<?x8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %t = memref.alloc() : memref<8xf32>
    %u = memref.alloc() : memref<8xf32>
    memref.copy %x, %t : memref<8xf32> to memref<8xf32>
    memref.copy %x, %u : memref<8xf32> to memref<8xf32>
    %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%p = %t, %q = %u) -> (memref<8xf32>, memref<8xf32>) {
      linalg.add ins(%p, %p : memref<8xf32>, memref<8xf32>) outs(%q : memref<8xf32>)
      %s = func.call @pick(%q, %c) : (memref<8xf32>, i1) -> memref<8xf32>
      scf.yield %s, %p : memref<8xf32>, memref<8xf32>
    }
    %row = memref.subview %y[%i, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %r#0, %row : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
    scf.reduce
  }
  return
}
