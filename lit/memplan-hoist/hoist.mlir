// Allocations that each iteration of a loop repeats move before the loop, where no iteration needs the memory of an
// earlier one.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-hoist)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-hoist))' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-hoist,memplan-hoist)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-hoist{calls=capture})' \
// RUN:   | FileCheck %s --check-prefix=CAPTURE
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-hoist{calls=share})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// ERROR: memplan-hoist: option 'calls' takes one of borrow, capture, not 'share'

func.func private @use(memref<?xf32>)

// 1. Out of both loops, if both run; the free moves after them.
// CHECK-LABEL: func @nested
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK-DAG:     %[[INNER:.*]] = arith.cmpi slt, %{{.*}}, %[[M]]
// CHECK-DAG:     %[[OUTER:.*]] = arith.cmpi slt, %{{.*}}, %[[N]]
// CHECK:         %[[BOTH:.*]] = arith.andi %[[INNER]], %[[OUTER]]
// CHECK:         %[[SIZE:.*]] = arith.select %[[BOTH]], %[[N]], %{{.*}}
// CHECK:         %[[A:.*]] = memref.alloc(%[[SIZE]])
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        call @use(%[[A]])
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[A]]
// CAPTURE-LABEL: func @nested
// CAPTURE:       scf.for
// CAPTURE:         memref.alloc
func.func @nested(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %a = memref.alloc(%n) : memref<?xf32>
      func.call @use(%a) : (memref<?xf32>) -> ()
      memref.dealloc %a : memref<?xf32>
    }
  }
  return
}

// 2. Out of the inner one alone, where the size, or the bounds, are known there.
// CHECK-LABEL: func @inner
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = memref.alloc
// CHECK-NEXT:      scf.for
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           arith.cmpi ult, %{{.*}}, %[[I]]
// CHECK:           %[[B:.*]] = memref.alloc
// CHECK-NEXT:      scf.for unsigned
func.func @inner(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc(%i) : memref<?xf32>
      func.call @use(%a) : (memref<?xf32>) -> ()
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for unsigned %j = %c0 to %i step %c1 {
      %b = memref.alloc(%n) : memref<?xf32>
      func.call @use(%b) : (memref<?xf32>) -> ()
    }
  }
  return
}

// 3. Where a loop is known to run, the size is unchanged; so is the size that an scf.while computes in its condition.
// CHECK-LABEL: func @iterations
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK:         memref.alloc(%[[N]])
// CHECK-NEXT:    affine.for
// CHECK:         memref.alloc(%[[N]])
// CHECK-NEXT:    scf.while
// CHECK:         } do {
// CHECK:           memref.alloc(%[[N]])
func.func @iterations(%n: index, %c: i1) {
  affine.for %i = 0 to 10 {
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
  }
  scf.while : () -> () {
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.condition(%c)
  } do {
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.yield
  }
  return
}

// 4. Allocations of static size, marked ones, those of a branch or a parallel body, and those of a loop that may not
// run stay.
// CHECK-LABEL: func @stays
// CHECK-COUNT-4: scf.for
// CHECK:           memref.alloc() : memref<4xf32>
// CHECK:           memref.alloc(%{{.*}}) {memplan.keep}
// CHECK:           scf.if
// CHECK:             memref.alloc
// CHECK:         scf.parallel
// CHECK:           memref.alloc
// CHECK:         affine.for
// CHECK:           memref.alloc
func.func @stays(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
    }
    scf.for %j = %c0 to %n step %c1 {
    }
    scf.for %j = %c0 to %n step %c1 {
    }
    %k = memref.alloc() : memref<4xf32>
    %s = memref.cast %k : memref<4xf32> to memref<?xf32>
    func.call @use(%s) : (memref<?xf32>) -> ()
    %a = memref.alloc(%n) {memplan.keep} : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.if %c {
      %b = memref.alloc(%n) : memref<?xf32>
      func.call @use(%b) : (memref<?xf32>) -> ()
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
  }
  affine.for %i = 0 to %n {
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
  }
  return
}

// 5. Memory that another iteration needs: stored, carried, or freed together with that of another iteration.
// CHECK-LABEL: func @needed
// CHECK:         scf.for
// CHECK:           memref.alloc
// CHECK:         scf.for
// CHECK:           memref.alloc
// CHECK:         scf.for
// CHECK:           memref.alloc
func.func @needed(%n: index, %k: memref<?xmemref<?xf32>>, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %a, %k[%i] : memref<?xmemref<?xf32>>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> (memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %p, %a : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  %first = memref.alloc(%n) : memref<?xf32>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %p : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  memref.dealloc %s : memref<?xf32>
  return
}

// 6. Sizes that a loop computes in each iteration are computed before it, once for all allocations that have them,
// unless they depend on the iteration.
// CHECK-LABEL: func @shared
// CHECK:         %[[S:.*]] = arith.muli
// CHECK:         %[[T:.*]] = arith.addi %[[S]]
// CHECK:         memref.alloc(
// CHECK:         %[[SIZE:.*]] = arith.select %{{.*}}, %[[S]]
// CHECK:         memref.alloc(%[[SIZE]])
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        linalg.fill
// CHECK-NEXT:      }
// CHECK-NEXT:      %[[U:.*]] = arith.addi %[[S]]
// CHECK-NEXT:      linalg.fill
// CHECK-NEXT:      memref.alloc(%[[U]])
func.func @shared(%n: index, %k: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %s = arith.muli %n, %n : index
    scf.for %j = %c0 to %k step %c1 {
      %t = arith.addi %s, %c1 : index
      %a = memref.alloc(%t) : memref<?xf32>
      linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    }
    %u = arith.addi %s, %i : index
    %b = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    %c = memref.alloc(%u) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  }
  return
}
