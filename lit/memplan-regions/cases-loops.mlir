// Regions of loops.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' > %t.once
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | diff %t.once -

// 1. Memory that dies in an iteration is freed by it: down to a mark where the function has a region anyway, and the
// iteration allocates nothing else; else in a region of the loop.
// CHECK-LABEL: func.func @iterations
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<?xf32>
func.func @iterations(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[REGION:.*]] = call @memplan_region_make()
  // CHECK: call @memplan_region_allocate(%[[REGION]],
  %a = memref.alloc(%n) : memref<?xf32>
  // CHECK: scf.for
  // CHECK-NEXT: %[[MARK:.*]] = func.call @memplan_region_mark(%[[REGION]])
  // CHECK: func.call @memplan_region_allocate(%[[REGION]],
  // CHECK: func.call @memplan_region_release_to(%[[REGION]], %[[MARK]])
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.copy %t, %a : memref<?xf32> to memref<?xf32>
  }
  return
}
// CHECK-LABEL: func.func @only_iterations
func.func @only_iterations(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[REGION:.*]] = call @memplan_region_make()
  // CHECK: scf.for
  // CHECK-NOT: memplan_region_mark
  // CHECK: func.call @memplan_region_allocate(%[[REGION]],
  // CHECK: func.call @memplan_region_clear(%[[REGION]])
  // CHECK-NEXT: }
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  }
  // CHECK: call @memplan_region_release(%[[REGION]])
  return
}

// -----

// 2. Memory that a loop passes on is in one of two regions, which it swaps. The result stays, as the region of the
// caller retains the one that was filled last.
func.func private @step(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.square ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
// CHECK-LABEL: func.func private @iterates
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination}
func.func private @iterates(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[PAIR:.*]] = memref.alloca() : memref<2xi64>
  // CHECK: %[[ONE:.*]] = call @memplan_region_make()
  // CHECK-NEXT: %[[OTHER:.*]] = call @memplan_region_make()
  // CHECK: memref.store %[[ONE]], %[[PAIR]]
  // CHECK: memref.store %[[OTHER]], %[[PAIR]]
  // CHECK: scf.for
  // CHECK: %[[LAST:.*]] = memref.load %[[PAIR]]
  // CHECK-NEXT: %[[NEXT:.*]] = memref.load %[[PAIR]]
  // CHECK: func.call @step(%{{.*}}, %{{.*}}, %[[NEXT]])
  // CHECK: func.call @memplan_region_clear(%[[LAST]])
  // CHECK-NEXT: memref.store %[[NEXT]], %[[PAIR]]
  // CHECK-NEXT: memref.store %[[LAST]], %[[PAIR]]
  // CHECK-NEXT: scf.yield
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> memref<?xf32> {
    %b = func.call @step(%n, %a) : (index, memref<?xf32>) -> memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  // CHECK: %[[KEPT:.*]] = memref.load %[[PAIR]]
  // CHECK-NEXT: call @memplan_region_refer(%[[DESTINATION]], %[[KEPT]])
  // CHECK-NEXT: call @memplan_region_release(%[[ONE]])
  // CHECK-NEXT: call @memplan_region_release(%[[OTHER]])
  // CHECK-NEXT: return
  return %r : memref<?xf32>
}
func.func @ask_for_iterates(%n: index, %x: memref<?xf32>) {
  %s = func.call @iterates(%n, %x) : (index, memref<?xf32>) -> memref<?xf32>
  memref.copy %s, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 3. Memory that an iteration may pass on from an earlier one is not freed by it, and would add up: it is left to
// deallocation, and so is the memory of each iteration of a loop of blocks.
func.func private @step(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  // CHECK-LABEL: func.func private @step(
  // CHECK-NEXT: memref.alloc(
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.square ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
// CHECK-LABEL: func.func @passes_on
// CHECK-NOT: memplan_region
// CHECK: return
func.func @passes_on(%n: index, %c: i1, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> memref<?xf32> {
    %b = func.call @step(%n, %a) : (index, memref<?xf32>) -> memref<?xf32>
    %d = arith.select %c, %a, %b : memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}
// CHECK-LABEL: func.func @blocks
// CHECK: cf.br
// CHECK: memref.alloc(
// CHECK-NOT: memplan_region
// CHECK: return
func.func @blocks(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^done
^body:
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^done:
  return
}
// An iteration yields the memory that it selects, or else memory that lives longer.
// CHECK-LABEL: func.func @selects
// CHECK: scf.for
// CHECK: func.call @memplan_region_allocate(%[[REGION:[a-z0-9]+]]
// CHECK: func.call @memplan_region_clear(%[[REGION]])
// CHECK-NEXT: }
func.func @selects(%n: index, %c: i1, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    %d = arith.select %c, %t, %x : memref<?xf32>
    linalg.square ins(%d : memref<?xf32>) outs(%d : memref<?xf32>)
  }
  return
}
// Branches that do not come back make it once.
// CHECK-LABEL: func.func @once
// CHECK: memplan_region_allocate
func.func @once(%n: index, %c: i1, %x: memref<?xf32>) {
  cf.cond_br %c, ^one, ^other
^one:
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  cf.br ^other
^other:
  return
}

// -----

// 4. A loop of a single iteration passes nothing on to a next one: its memory does not go to two alternating regions,
// and both results of the call go to the region of the caller.
// CHECK-LABEL: func.func private @swaps_for_others(
// CHECK-SAME: %[[TO:[^ ]*]]: i64 {memplan.destination}
// CHECK-NOT: call @memplan_region_make()
// CHECK: scf.for
// CHECK-NEXT: func.call @two(%{{.*}}, %[[TO]])
// CHECK: scf.yield
// CHECK: call @memplan_region_make()
// CHECK: call @memplan_region_allocate
func.func private @two(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}
func.func private @swaps_for_others(%n: index, %c: i1, %g: memref<?xf32>, %b0: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloca(%n) : memref<?xf32>
  %x, %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %init, %b = %b0) -> (memref<?xf32>, memref<?xf32>) {
    %p, %q = func.call @two(%n) : (index) -> (memref<?xf32>, memref<?xf32>)
    memref.copy %a, %p : memref<?xf32> to memref<?xf32>
    %s = arith.select %c, %q, %b : memref<?xf32>
    scf.yield %p, %s : memref<?xf32>, memref<?xf32>
  }
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  memref.copy %t, %g : memref<?xf32> to memref<?xf32>
  return %y : memref<?xf32>
}
func.func @asks_for_swaps(%n: index, %c: i1, %g: memref<?xf32>, %b: memref<?xf32>) {
  %r = call @swaps_for_others(%n, %c, %g, %b) : (index, i1, memref<?xf32>, memref<?xf32>) -> memref<?xf32>
  memref.copy %r, %b : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 5. Memory that an iteration receives is freed after its last use where the iteration allocates after that, and
// nothing is cleared at the end.
// CHECK-LABEL: func.func @got_for_a_while
// CHECK: scf.for
// CHECK:         %[[LAST:.*]] = memref.load
// CHECK-NEXT:    %[[NEXT:.*]] = memref.load
// CHECK:         func.call @memplan_region_allocate(%[[NEXT]],
// CHECK:         linalg.square
// CHECK:         func.call @memplan_region_empty(%[[LAST]])
// CHECK:         func.call @memplan_region_allocate(
// CHECK-NOT:     memplan_region_clear(%[[LAST]])
// CHECK:         scf.yield
func.func @got_for_a_while(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> memref<?xf32> {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.square ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    %c = memref.alloc(%n) : memref<?xf32>
    linalg.square ins(%b : memref<?xf32>) outs(%c : memref<?xf32>)
    memref.copy %c, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}
