// placement=block-end: regions of branches and loops.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' | FileCheck %s
// A second run changes nothing, wherever it would put frees.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' \
// RUN:   | diff %t.once.mlir -
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -
// Lowered by our passes, by upstream's, and in the pipeline, nothing is left that asks the run who owns what.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},%upstream-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{placement=block-end})' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: bufferization.dealloc

// 1. scf.if: a region passes on the memory that it owns, and owns none from outside. After it, both may be the same
// memory.
// CHECK-LABEL: func @if(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[R:.*]]:2 = scf.if %{{.*}} -> (memref<8xf32>, i1) {
// CHECK:           %[[B:.*]] = memref.alloc()
// CHECK-NEXT:      %[[T:.*]] = memref.alloc()
// CHECK-NEXT:      %[[F:.*]] = bufferization.dealloc (%[[B]], %[[T]] : {{.*}}) if (%true, %true) retain (%[[B]] : memref<8xf32>)
// CHECK-NEXT:      scf.yield %[[B]], %[[F]] : memref<8xf32>, i1
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[A]], %false : memref<8xf32>, i1
// CHECK:         memref.copy %[[R]]#0
// CHECK-NEXT:    bufferization.dealloc (%{{.*}}, %[[A]], %[[R]]#0 : {{.*}}) if (%false, %true, %[[R]]#1)
func.func @if(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %r = scf.if %c -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    scf.yield %b : memref<8xf32>
  } else {
    scf.yield %a : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// 2. scf.for: it never takes over what it starts with.
// CHECK-LABEL: func @for(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %[[A]], %[[F:.*]] = %false) -> (memref<8xf32>, i1) {
// CHECK:           %[[Q:.*]] = memref.alloc()
// CHECK-NEXT:      memref.copy %[[P]], %[[Q]]
// CHECK-NEXT:      %[[O:.*]] = bufferization.dealloc (%[[P]], %[[Q]] : {{.*}}) if (%[[F]], %true) retain (%[[Q]] : memref<8xf32>)
// CHECK-NEXT:      scf.yield %[[Q]], %[[O]] : memref<8xf32>, i1
// CHECK:         memref.copy %[[R]]#0
// CHECK-NEXT:    bufferization.dealloc (%{{.*}}, %[[A]], %[[R]]#0 : {{.*}}) if (%false, %true, %[[R]]#1)
func.func @for(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %q = memref.alloc() : memref<8xf32>
    memref.copy %p, %q : memref<8xf32> to memref<8xf32>
    scf.yield %q : memref<8xf32>
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// 3. scf.while: the operands of the condition go to the body and to the code after the loop.
// CHECK-LABEL: func @while(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[R:.*]]:3 = scf.while ({{.*}}, %[[P:.*]] = %[[A]], %[[F:.*]] = %false) : (index, memref<8xf32>, i1) -> (index, memref<8xf32>, i1) {
// CHECK:           %[[O:.*]] = bufferization.dealloc (%[[P]] : memref<8xf32>) if (%[[F]]) retain (%[[P]] : memref<8xf32>)
// CHECK-NEXT:      scf.condition(%{{.*}}) %{{.*}}, %[[P]], %[[O]]
// CHECK:         ^bb0(%{{.*}}: index, %[[Q:.*]]: memref<8xf32>, %[[G:.*]]: i1):
// CHECK:           %[[T:.*]] = memref.alloc()
// CHECK:           %[[S:.*]] = bufferization.dealloc (%[[Q]], %[[T]] : {{.*}}) if (%[[G]], %true) retain (%[[T]] : memref<8xf32>)
// CHECK-NEXT:      scf.yield %{{.*}}, %[[T]], %[[S]]
// CHECK:         bufferization.dealloc (%{{.*}}, %[[A]], %[[R]]#1 : {{.*}}) if (%false, %true, %[[R]]#2)
func.func @while(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r:2 = scf.while (%i = %c0, %p = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %p : index, memref<8xf32>
  } do {
  ^bb0(%i: index, %q: memref<8xf32>):
    %t = memref.alloc() : memref<8xf32>
    memref.copy %q, %t : memref<8xf32> to memref<8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, memref<8xf32>
  }
  memref.copy %r#1, %x : memref<8xf32> to memref<8xf32>
  return
}

// 4. Parallel bodies free what they make; a use inside of a region does not end its block.
// CHECK-LABEL: func @parallel(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         scf.parallel
// CHECK:           %[[B:.*]] = memref.alloc()
// CHECK-NEXT:      memref.copy %[[A]], %[[B]]
// CHECK-NEXT:      bufferization.dealloc (%[[B]] : memref<8xf32>) if (%true)
// CHECK-NEXT:      scf.reduce
// CHECK:         "test.noise"
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<8xf32>) if (%true)
// CHECK-NEXT:    return
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = memref.alloc() : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  }
  "test.noise"() : () -> ()
  return
}
