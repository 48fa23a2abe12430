// Options for loops and for sizes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{loops=per-iteration})' \
// RUN:   | FileCheck %s --check-prefix=ITERATION
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{loops=checkpoint})' \
// RUN:   | FileCheck %s --check-prefix=CHECKPOINT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{loops=enclosing})' \
// RUN:   | FileCheck %s --check-prefix=ENCLOSING
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{auto})' | FileCheck %s --check-prefix=AUTO
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{sizes=all public-abi=destination})' \
// RUN:   | FileCheck %s --check-prefix=ALL

// ITERATION-LABEL: func.func @temporaries
// CHECKPOINT-LABEL: func.func @temporaries
// ENCLOSING-LABEL: func.func @temporaries
// AUTO-LABEL: func.func @temporaries
func.func @temporaries(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  // 1. Few bytes, which may stay.
  // ITERATION: scf.for
  // ITERATION: func.call @memplan_region_clear
  // CHECKPOINT: scf.for
  // CHECKPOINT: func.call @memplan_region_mark
  // CHECKPOINT: func.call @memplan_region_release_to
  // ENCLOSING: scf.for
  // ENCLOSING-NOT: memplan_region_clear
  // ENCLOSING-NOT: memplan_region_release_to
  // AUTO: scf.for
  // AUTO-NOT: memplan_region_mark
  // AUTO: scf.for
  // AUTO: func.call @memplan_region_mark
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  }
  // 2. Nobody knows how many.
  // ITERATION: scf.for
  // ITERATION: func.call @memplan_region_clear
  // CHECKPOINT: scf.for
  // CHECKPOINT: func.call @memplan_region_mark
  // CHECKPOINT: func.call @memplan_region_release_to
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  }
  return
}

// 1. Memory that an iteration allocates outlives it: no mark, whatever the option.
// CHECKPOINT-LABEL: func.func @outlives
// CHECKPOINT: scf.for
// CHECKPOINT-NOT: memplan_region_release_to
// CHECKPOINT: func.call @memplan_region_clear
// CHECKPOINT: return
func.func @outlives(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%y = %x) -> memref<?xf32> {
    %z = scf.for %j = %c0 to %c1 step %c1 iter_args(%w = %y) -> memref<?xf32> {
      %t = memref.alloc(%n) : memref<?xf32>
      memref.copy %w, %t : memref<?xf32> to memref<?xf32>
      %z = memref.alloc(%n) : memref<?xf32>
      memref.copy %t, %z : memref<?xf32> to memref<?xf32>
      scf.yield %z : memref<?xf32>
    }
    scf.yield %z : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// 2. Known sizes, and public functions that take a region.
// ALL-LABEL: func.func @known
// ALL-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination}) -> (memref<4xf32> {memplan.borrowed}) attributes {
// ALL: memplan_region_allocate
// ALL: memplan_region_allocate(%[[DESTINATION]],
func.func @known(%x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
