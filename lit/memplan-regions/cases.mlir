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

// 2. What is asked for as alignment is kept.
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

// 4. One that goes to the caller does not; the caller passes what its own caller passed.
// CHECK-LABEL: func.func private @makes
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination}) -> (memref<4xf32> {memplan.borrowed}) attributes {memplan.regions}
// CHECK: call @memplan_region_allocate(%[[DESTINATION]],
func.func private @makes(%x: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %x, %t : memref<4xf32> to memref<4xf32>
  return %t : memref<4xf32>
}
// CHECK-LABEL: func.func private @passes
// CHECK-SAME: %[[DESTINATION:[a-z0-9]+]]: i64 {memplan.destination})
// CHECK: call @makes(%{{.*}}, %[[DESTINATION]]) {memplan.borrowed_results = array<i64: 1>}
func.func private @passes(%x: memref<4xf32>) -> memref<4xf32> {
  %t = call @makes(%x) : (memref<4xf32>) -> memref<4xf32>
  return %t : memref<4xf32>
}
// CHECK-LABEL: func.func @uses
// CHECK: %[[REGION:.*]] = call @memplan_region_make()
// CHECK: call @passes(%{{.*}}, %[[REGION]])
// CHECK: call @memplan_region_release(%[[REGION]])
func.func @uses(%x: memref<4xf32>) {
  %t = call @passes(%x) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %t, %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

// 5. A public function stays as it is; calls from here call another version.
// CHECK-LABEL: func.func @public(
// CHECK: memref.alloc(
// CHECK-LABEL: func.func private @public_in_region(
// CHECK-SAME: i64 {memplan.destination}
// CHECK: call @memplan_region_allocate
func.func @public(%n: index) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32>
  return %t : memref<?xf32>
}
func.func private @public_in_region_0()
// CHECK-LABEL: func.func @calls
// CHECK: call @public_in_region(
func.func @calls(%n: index, %x: memref<?xf32>) {
  %t = call @public(%n) : (index) -> memref<?xf32>
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 6. A name that is taken is not taken again. What goes to one who frees it comes from the heap.
// CHECK-LABEL: func.func private @helper(
// CHECK: memref.alloc(
// CHECK: func.func private @helper_in_region_0(
// CHECK: call @memplan_region_allocate
func.func private @helper(%n: index) -> memref<?xf32> {
  %t = memref.alloc(%n) : memref<?xf32>
  return %t : memref<?xf32>
}
func.func private @helper_in_region()
// CHECK-LABEL: func.func @gives
// CHECK: call @helper(
func.func @gives(%n: index) -> memref<?xf32> {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  return %t : memref<?xf32>
}
// CHECK-LABEL: func.func @frees
// CHECK: %[[T:.*]] = call @helper(
// CHECK: memref.dealloc %[[T]]
func.func @frees(%n: index) {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return
}
// CHECK-LABEL: func.func @keeps
// CHECK: call @helper_in_region_0(
func.func @keeps(%n: index, %x: memref<?xf32>) {
  %t = call @helper(%n) : (index) -> memref<?xf32>
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 7. What dies in a turn is given back by it: behind a mark where the function has a region anyway, and nothing else is
// made in the turn; else in a region of the loop.
// CHECK-LABEL: func.func @turns
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: memref<?xf32>
func.func @turns(%n: index, %x: memref<?xf32>) {
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
// CHECK-LABEL: func.func @only_turns
func.func @only_turns(%n: index, %x: memref<?xf32>) {
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

// 8. A body that runs in parallel has a region of its own, and takes no slot of the function's.
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
  // What runs on a device is left alone.
  // CHECK: scf.forall
  // CHECK-NEXT: memref.alloc(
  scf.forall (%i) in (%n) {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

// 9. Every return releases.
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

// 10. Temporaries share the region of what is returned, where a function asks for that.
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

// 11. What a loop hands on is made in one of two regions, which it swaps. What is returned stays, as the region of the caller
// keeps the one that was filled last.
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

// 12. What a turn may hand on of what it got is not given back by it, and would pile up: it is left to deallocation, and so is
// what blocks turn by turn.
func.func private @step(%n: index, %x: memref<?xf32>) -> memref<?xf32> {
  // CHECK-LABEL: func.func private @step(
  // CHECK-NEXT: memref.alloc(
  %y = memref.alloc(%n) : memref<?xf32>
  linalg.square ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return %y : memref<?xf32>
}
// CHECK-LABEL: func.func @hands_on
// CHECK-NOT: memplan_region
// CHECK: return
func.func @hands_on(%n: index, %c: i1, %x: memref<?xf32>) {
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
// A turn gives back what it selects, or else something that is there for longer.
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

// 13. Of four of which two are needed at once, each is given back behind its last use, and two regions do.
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

// 14. Where an index has not the 64 bits that the runtime takes, nothing is done.
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

// 15. A module in a module has its own declarations.
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

// -----

// 16. A loop of a single iteration passes nothing on to a next one: its memory does not go to two regions in turn, and
// both results of the call go to the caller's.
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

// 17. Who calls nobody but itself keeps up with what it calls. What a call says of its arguments has a place for the region.
// CHECK-LABEL: func.func @says_of_arguments(
// CHECK: call @makes(%{{.*}}, %{{.*}}) {arg_attrs = [{llvm.noundef}, {}], memplan.borrowed_results
// CHECK-LABEL: func.func private @only_itself(
// CHECK: call @makes(%{{.*}}, %{{.*}}) {memplan.borrowed_results
func.func private @makes(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @says_of_arguments(%n: index) -> f32 {
  %a = call @makes(%n) {arg_attrs = [{llvm.noundef}]} : (index) -> memref<?xf32>
  %v = memref.load %a[%n] : memref<?xf32>
  return %v : f32
}
func.func private @only_itself(%n: index) {
  %a = call @makes(%n) : (index) -> memref<?xf32>
  call @only_itself(%n) : (index) -> ()
  return
}

// -----

// 18. A coroutine is left at each suspension: what it makes is left alone.
// CHECK-LABEL: func.func @coroutine(
// CHECK: memref.alloc(
// CHECK-NOT: memplan_region
func.func private @use(memref<?xf32>)
func.func @coroutine(%n: index) -> !async.token {
  %t = memref.alloc(%n) : memref<?xf32>
  %token = async.runtime.create : !async.token
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  async.runtime.resume %handle
  async.coro.suspend %saved, ^suspended, ^resumed, ^cleanup
^resumed:
  call @use(%t) : (memref<?xf32>) -> ()
  async.runtime.set_available %token : !async.token
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspended
^suspended:
  async.coro.end %handle
  return %token : !async.token
}

// 19. What a function needs no more when it calls itself goes before, or it would be there once for each level.
// CHECK-LABEL: func.func private @calls_itself(
// CHECK:         %[[OWN:.*]] = call @memplan_region_make()
// CHECK:         call @memplan_region_allocate(%[[OWN]],
// CHECK:         memref.load
// CHECK:         call @memplan_region_empty(%[[OWN]])
// CHECK:         func.call @calls_itself
// CHECK:         call @memplan_region_release(%[[OWN]])
func.func private @calls_itself(%depth: index, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %y = memref.load %a[%c0] : memref<?xf32>
  %more = arith.cmpi ugt, %depth, %c0 : index
  %r = scf.if %more -> f32 {
    %less = arith.subi %depth, %c1 : index
    %z = func.call @calls_itself(%less, %n, %y) : (index, index, f32) -> f32
    scf.yield %z : f32
  } else {
    scf.yield %y : f32
  }
  return %r : f32
}

// -----

// 20. What a turn got goes behind its last use where the turn makes something behind that, and nothing is cleared at the end.
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
