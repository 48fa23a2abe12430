// Arenas of parallel loops with few iterations lie in the enclosing arena, a slice for each iteration.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify hoist-parallel=24})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify hoist-parallel=23})' \
// RUN:   | FileCheck %s --check-prefix=FEWER
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s --check-prefix=OFF
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify hoist-parallel=24 arena=alloca}))' \
// RUN:   | FileCheck %s --check-prefix=STACK
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify hoist-parallel=24},\
// RUN:   memplan-merge-alloc{verify hoist-parallel=24})' \
// RUN:   | FileCheck %s

// 1. Iterations are numbered, the last dimension fastest: ((i - 2) / 2) * 3 + j.
// CHECK-LABEL: func @two_dimensions
// CHECK:         %[[ARENA:[0-9a-z_]+]] = memref.alloc() {{{.*}}memplan.arena} : memref<1568xi8>
// CHECK:         scf.parallel (%[[I:[0-9a-z_]+]], %[[J:[0-9a-z_]+]]) =
// CHECK:           %[[LOWER:[0-9a-z_]+]] = arith.constant 2 : index
// CHECK:           %[[FROM:[0-9a-z_]+]] = arith.subi %[[I]], %[[LOWER]]
// CHECK:           %[[STEP:[0-9a-z_]+]] = arith.constant 2 : index
// CHECK:           %[[ROW:[0-9a-z_]+]] = arith.divui %[[FROM]], %[[STEP]]
// CHECK:           %[[C192:[0-9a-z_]+]] = arith.constant 192 : index
// CHECK:           %[[BYTES:[0-9a-z_]+]] = arith.muli %[[ROW]], %[[C192]]
// CHECK:           arith.addi %{{.*}}, %[[BYTES]]
// CHECK:           %[[C64:[0-9a-z_]+]] = arith.constant 64 : index
// CHECK:           arith.muli %[[J]], %[[C64]]
// CHECK:           %[[PART:[0-9a-z_]+]] = memref.view %[[ARENA]][%{{.*}}][] {memplan.arena = 64 : i64, {{.*}}memplan.iterations = array<i64: {{[0-9]+}}, 64, 24>} : memref<1568xi8> to memref<32xi8>
// CHECK:           memref.view %[[PART]]
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.reduce
// FEWER-LABEL: func @two_dimensions
// FEWER:         scf.parallel
// FEWER:           memref.alloc() {{{.*}}memplan.arena} : memref<32xi8>
// FEWER:           memref.dealloc
// OFF-NOT:     memplan.iterations
func.func @two_dimensions(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c17 = arith.constant 17 : index
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  scf.parallel (%i, %j) = (%c2, %c0) to (%c17, %c3) step (%c2, %c1) {
    %b = memref.alloc() : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    %v = memref.load %b[%j] : memref<8xf32>
    memref.store %v, %x[%j] : memref<8xf32>
    scf.reduce
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 2. A buffer that is dead before the loop, and one that is allocated after it, share bytes with the iterations.
// CHECK-LABEL: func @shared
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<256xi8>
// CHECK:         scf.forall
// CHECK:           memplan.iterations = array<i64: 0, 64, 4>
func.func @shared(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  scf.forall (%i) in (4) {
    %b = memref.alloc() : memref<16xf32>
    %u = memref.load %x[%i] : memref<64xf32>
    memref.store %u, %b[%i] : memref<16xf32>
    %v = memref.load %b[%i] : memref<16xf32>
    memref.store %v, %x[%i] : memref<64xf32>
  }
  %c = memref.alloc() : memref<64xf32>
  memref.copy %x, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %x : memref<64xf32> to memref<64xf32>
  return
}

// 3. A loop in a loop: 2 * 3 iterations, hoisted twice.
// CHECK-LABEL: func @nested
// CHECK:         %[[ARENA:[0-9a-z_]+]] = memref.alloc() {{{.*}}memplan.arena} : memref<384xi8>
// CHECK:         scf.forall
// CHECK:           %[[OUTER:[0-9a-z_]+]] = memref.view %[[ARENA]]{{.*}}memplan.iterations = array<i64: 0, 192, 2>} : memref<384xi8> to memref<192xi8>
// CHECK:           scf.forall
// CHECK:             %[[INNER:[0-9a-z_]+]] = memref.view %[[OUTER]]{{.*}}memplan.iterations = array<i64: 0, 64, 3>} : memref<192xi8> to memref<64xi8>
// CHECK:             memref.view %[[INNER]]
func.func @nested(%x: memref<16xf32>) {
  scf.forall (%i) in (2) {
    scf.forall (%j) = (1) to (10) step (3) {
      %b = memref.alloc() : memref<16xf32>
      memref.copy %x, %b : memref<16xf32> to memref<16xf32>
      %v = memref.load %b[%j] : memref<16xf32>
      memref.store %v, %x[%i] : memref<16xf32>
    }
  }
  return
}

// 4. A number of iterations that is known only at run time; no iteration at all; processors.
// CHECK-LABEL: func @not_hoisted
// CHECK-NOT:     memplan.iterations
// CHECK:         return
func.func @not_hoisted(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.reduce
  }
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  }
  scf.forall (%i) in (4) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.parallel (%i) = (%c1) to (%c0) step (%c1) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    scf.reduce
  }
  return
}

// 5. Bounds that are values and follow from constants.
// CHECK-LABEL: func @values
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<256xi8>
// CHECK:         scf.forall
// CHECK:           memref.view {{.*}}memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
// CHECK:         scf.parallel
// CHECK:           memref.view {{.*}}memplan.iterations = array<i64: 0, 64, 4>} : memref<256xi8> to memref<64xi8>
func.func @values(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i) in (%c4) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  }
  %c8 = arith.addi %c4, %c4 : index
  scf.parallel (%i) = (%c4) to (%c8) step (%c1) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %x : memref<16xf32> to memref<16xf32>
    scf.reduce
  }
  return
}

// 6. Bounds that are affine maps: 3 iterations from 1 to the lesser of 4 and 6, and 2 from 2 to 8.
// CHECK-LABEL: func @maps
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<384xi8>
// CHECK:         affine.parallel (%[[I:[0-9a-z_]+]], %[[J:[0-9a-z_]+]]) =
// CHECK:           arith.constant 1 : index
// CHECK:           arith.subi %[[I]]
// CHECK:           arith.constant 2 : index
// CHECK:           arith.subi %[[J]]
// CHECK:           arith.constant 3 : index
// CHECK:           arith.divui
// CHECK:           memref.view {{.*}}memplan.iterations = array<i64: 0, 64, 6>} : memref<384xi8> to memref<64xi8>
func.func @maps(%x: memref<16xf32>) {
  affine.parallel (%i, %j) = (max(0, 1), 2) to (min(4, 6), 8) step (1, 3) {
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// 7. On the stack: a second arena, of another memory space, stays in the loop, and has a scope around it.
// STACK-LABEL: func @two_spaces
// STACK:         memref.alloca() {{{.*}}memplan.arena} : memref<128xi8>
// STACK:         scf.parallel
// STACK:           memref.alloca_scope
// STACK:             memref.view {{.*}}memplan.iterations = array<i64: 0, 64, 2>} : memref<128xi8> to memref<8xi8>
// STACK:             memref.alloca() {{{.*}}memplan.arena} : memref<0xi8, 77>
func.func @two_spaces(%x: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : i64
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %a = memref.alloc() : memref<0x4xi64, 77>
    linalg.fill ins(%c7 : i64) outs(%a : memref<0x4xi64, 77>)
    %b = memref.alloc() : memref<1xi64>
    memref.store %c7, %b[%c0] : memref<1xi64>
    %v = memref.load %b[%c0] : memref<1xi64>
    memref.store %v, %x[%i] : memref<2xi64>
    scf.reduce
  }
  return
}
