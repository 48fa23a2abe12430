// Loops that may not run: with `min-trips=0`, no arena is held around a loop where the program would hold less without it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify min-trips=0})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ANY
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{min-trips=2})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG
// WRONG: min-trips

// 1. A buffer of a loop: each iteration allocates it.
// CHECK-LABEL: func @in_loop
// ONE:           memref.alloc()
// CHECK:         scf.for
// ANY:             memref.alloc(){{.*}}memplan.arena{{.*}} : memref<4096xi8>
// ANY:             memref.dealloc
// CHECK:         }
// ONE:           memref.dealloc
func.func @in_loop(%x: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    linalg.transpose ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
  }
  return
}

// 2. A loop that runs holds one arena, whatever the option says.
// CHECK-LABEL: func @runs
// CHECK:         memref.alloc() {{.*}}memplan.arena{{.*}} : memref<4096xi8>
// CHECK:         scf.for
// CHECK:         memref.dealloc
// CHECK:         return
func.func @runs(%x: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    linalg.transpose ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
  }
  return
}

// 3. If the program holds as much elsewhere, one arena stays.
// CHECK-LABEL: func @elsewhere
// CHECK:         memref.alloc() {{.*}}memplan.arena{{.*}} : memref<8192xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @elsewhere(%x: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<2048xf32>
  %z = arith.constant 1.0 : f32
  linalg.fill ins(%z : f32) outs(%b : memref<2048xf32>)
  %r = memref.load %b[%c0] : memref<2048xf32>
  memref.store %r, %x[%c0] : memref<1024xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1024xf32>
    linalg.transpose ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
  }
  return
}

// 4. A loop of blocks, and scf.while, whose body may not run.
// CHECK-LABEL: func @while
// ONE:           memref.alloc()
// CHECK:         scf.while
// ANY:           } do {
// ANY:             memref.alloc() {{.*}}memplan.arena
// CHECK:         return
func.func @while(%x: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %a = memref.alloc() : memref<1024xf32>
    linalg.transpose ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// CHECK-LABEL: func @blocks
// ONE:           memref.alloc()
// ONE:           cf.br
// ANY:           cf.cond_br
// ANY:           memref.alloc() {{.*}}memplan.arena
// CHECK:         return
func.func @blocks(%x: memref<1024xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %a = memref.alloc() : memref<1024xf32>
  linalg.transpose ins(%x : memref<1024xf32>) outs(%a : memref<1024xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<1024xf32>) outs(%x : memref<1024xf32>) permutation = [0]
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  return
}
