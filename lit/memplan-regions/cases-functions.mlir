// Regions of functions: which allocations they hold, where they are made, emptied and released.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-regions)' > %t.once
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-regions)' | diff %t.once -

// 1. A temporary goes to a region of the function, which is made where it is needed first and released at the end.
// CHECK-LABEL: func.func @temporary
// CHECK: %[[SLOT:.*]] = memref.alloca() : memref<memref<?xi8>>
// CHECK: memref.store
// CHECK: %[[REGION:.*]] = call @memplan_region_make()
// CHECK: %[[SIZE:.*]] = arith.select
// CHECK: %[[ALIGNMENT:.*]] = arith.constant 64 : index
// CHECK: call @memplan_region_allocate(%[[REGION]], %[[SIZE]], %[[ALIGNMENT]], %[[SLOT]])
// CHECK: %[[BYTES:.*]] = memref.load %[[SLOT]][]
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[BYTES]][%[[ZERO]]][%{{.*}}] : memref<?xi8> to memref<?x4xf32>
// CHECK: memref.copy
// CHECK-NEXT: memref.copy
// CHECK-NEXT: call @memplan_region_release(%[[REGION]])
// CHECK-NEXT: return
func.func @temporary(%n: index, %x: memref<?x4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0, %c0] : memref<?x4xf32>
  %t = memref.alloc(%n) : memref<?x4xf32>
  memref.copy %x, %t : memref<?x4xf32> to memref<?x4xf32>
  memref.copy %t, %x : memref<?x4xf32> to memref<?x4xf32>
  return
}

// -----

// 2. The alignment of an allocation is kept.
// CHECK-LABEL: func.func @aligned
// CHECK: arith.constant 256 : index
// CHECK: call @memplan_region_allocate
func.func @aligned(%n: index, %x: memref<?xf32>) {
  %t = memref.alloc(%n) {alignment = 256 : i64} : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 3. A size that is known, of memory that stays in the function, is left to planning.
// CHECK-LABEL: func.func @known
// CHECK-NEXT: memref.alloc() : memref<4xf32>
// CHECK-NEXT: memref.copy
// CHECK-NEXT: return
func.func @known(%x: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  return
}

// -----

// 4. A body that runs in parallel has a region of its own, and takes no slot of the function's.
// CHECK-LABEL: func.func private @memplan_region_memory(
// CHECK-SAME: -> (memref<?xi8> {memplan.borrowed}) attributes {memplan.regions, no_inline}
// CHECK-LABEL: func.func @parallel
func.func @parallel(%n: index, %x: memref<?xf32>) {
  // CHECK-NOT: memref.alloca
  // CHECK: scf.forall
  // CHECK: %[[REGION:.*]] = func.call @memplan_region_make()
  // CHECK: func.call @memplan_region_memory(%[[REGION]],
  // CHECK: func.call @memplan_region_release(%[[REGION]])
  // CHECK-NEXT: }
  scf.forall (%i) in (%n) {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  }
  // Memory of a device is left alone.
  // CHECK: scf.forall
  // CHECK-NEXT: memref.alloc(
  scf.forall (%i) in (%n) {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// 5. Every return releases.
// CHECK-LABEL: func.func @returns
// CHECK: %[[REGION:.*]] = call @memplan_region_make()
// CHECK: cf.cond_br
// CHECK: call @memplan_region_release(%[[REGION]])
// CHECK-NEXT: return
// CHECK: call @memplan_region_release(%[[REGION]])
// CHECK-NEXT: return
func.func @returns(%c: i1, %n: index, %x: memref<?xf32>) {
  %t = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^one, ^other
^one:
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  return
^other:
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 6. Temporaries share the region of what is returned, where a function asks for that.
// CHECK-LABEL: func.func private @single
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination}
// CHECK-NOT: memplan_region_make
// CHECK: memplan_region_allocate(%[[DESTINATION]],
// CHECK: memplan_region_allocate(%[[DESTINATION]],
// CHECK-NOT: memplan_region_release
func.func private @single(%n: index, %x: memref<?xf32>) -> memref<?xf32> attributes {memplan.single_region} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
    memref.copy %t, %r : memref<?xf32> to memref<?xf32>
  }
  return %r : memref<?xf32>
}
// A loop asks for the region around.
// CHECK-LABEL: func.func @single_loop
// CHECK: memplan_region_make
// CHECK: scf.for
// CHECK-NOT: memplan_region_clear
// CHECK-NOT: memplan_region_release_to
// CHECK: return
func.func @single_loop(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = func.call @single(%n, %x) : (index, memref<?xf32>) -> memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  } {memplan.single_region}
  return
}

// -----

// 7. Of four buffers, two are live at once: each is freed after its last use, and two regions are enough.
// CHECK-LABEL: func.func @line
func.func @line(%n: index, %x: memref<?xf32>) {
  // CHECK: %[[ONE:.*]] = call @memplan_region_make()
  // CHECK-NEXT: %[[OTHER:.*]] = call @memplan_region_make()
  // CHECK-NOT: memplan_region_make
  // CHECK: call @memplan_region_allocate(%[[ONE]],
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  // CHECK: call @memplan_region_allocate(%[[OTHER]],
  // CHECK: memref.copy
  // CHECK-NEXT: call @memplan_region_empty(%[[ONE]])
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  // CHECK: call @memplan_region_allocate(%[[ONE]],
  // CHECK: memref.copy
  // CHECK-NEXT: call @memplan_region_empty(%[[OTHER]])
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  // CHECK: call @memplan_region_allocate(%[[OTHER]],
  // CHECK: memref.copy
  // CHECK-NEXT: call @memplan_region_empty(%[[ONE]])
  %d = memref.alloc(%n) : memref<?xf32>
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  // CHECK: memref.copy
  // CHECK-NEXT: call @memplan_region_empty(%[[OTHER]])
  memref.copy %d, %x : memref<?xf32> to memref<?xf32>
  // CHECK: call @memplan_region_release(%[[OTHER]])
  // CHECK-NEXT: call @memplan_region_release(%[[ONE]])
  return
}

// -----

// 8. Where an index has not the 64 bits that the runtime takes, nothing is done.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  // CHECK-LABEL: func.func @narrow
  // CHECK-NEXT: memref.alloc(
  func.func @narrow(%n: index, %x: memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    return
  }
}

// -----

// 9. A module in a module has its own declarations.
// CHECK: module @inner
// CHECK: func.func private @memplan_region_make()
// CHECK: func.func @nested
// CHECK: call @memplan_region_make()
module @inner {
  func.func @nested(%n: index, %x: memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    return
  }
}
