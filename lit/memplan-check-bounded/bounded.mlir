// Bounded programs that need a second look: no remark, they are counted, and the program is unchanged.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded)' --verify-diagnostics -o %t.2
// RUN: %memplan-opt %s -o %t.1 && cmp %t.1 %t.2
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{report=-})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s

// 1. Recursion, and a loop without end, in blocks that control never comes to: one path, with nothing but its return.
// CHECK: {"name":"unreachable",{{.*}}"loops":[],"operations":6,"expanded":"1","tree":"1","paths":"1"}
func.func @unreachable(%c: i1) {
  return
^never:
  call @unreachable(%c) : (i1) -> ()
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  cf.br ^never
}

// 2. Loops whose iterations run in parallel, with bounds that are constant or that depend on an enclosing counted
// loop. Such a loop is one step. Written out are the 4 iterations of the outer loop, with its number, the inner loop,
// and the end of that in each.
// CHECK: {"name":"parallel",{{.*}}"loops":{{\[\[}}"{{.*}}bounded.mlir:[[#@LINE+13]]:3",4]],"operations":16,"expanded":"24","tree":"24","paths":"1"}
func.func @parallel(%m: memref<8x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.addi %c4, %c4 : index
  affine.parallel (%i, %j) = (0, 0) to (8, min(8, symbol(%n))) step (1, 2) {
    affine.store %v, %m[%i, %j] : memref<8x8xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  scf.forall (%i) = (0) to (%n) step (1) {
  }
  scf.for %k = %c0 to %c4 step %c1 {
    scf.parallel (%i) = (%c0) to (%k) step (%c1) {
    }
  }
  return
}

// 3. Memrefs whose size is not in their type, but in that of their base.
// CHECK: {"name":"views",{{.*}}"loops":[],"operations":8,"expanded":"8","tree":"8","paths":"1"}
func.func @views(%n: index, %v: f32, %to: memref<9xf32>) {
  %a = memref.alloc() : memref<9xf32>
  %b = memref.cast %a : memref<9xf32> to memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %c = memref.subview %a[0] [%n] [1] : memref<9xf32> to memref<?xf32, strided<[1]>>
  %d = memref.subview %to[0] [%n] [1] : memref<9xf32> to memref<?xf32, strided<[1]>>
  memref.copy %c, %d : memref<?xf32, strided<[1]>> to memref<?xf32, strided<[1]>>
  return
}
