// Values that loops carry: a value that is always one memref is replaced by it, others are not.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-fold-merges)' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(memplan-fold-merges))' \
// RUN:   | FileCheck %s
// Again, nothing changes.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-fold-merges)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-fold-merges)' \
// RUN:   | diff %t.once.mlir -

func.func private @use(memref<4xf32>)
func.func private @use_two(memref<4xf32>, memref<4xf32>)

// 1. Two loops, one in the other, which carry one memref twice, and swap it.
// CHECK-LABEL: func.func @loops(
// CHECK-SAME:    %[[A:[^:]*]]: memref<4xf32>
// CHECK-COUNT-2: func.call @use_two(%[[A]], %[[A]])
// CHECK:         call @use_two(%[[A]], %[[A]])
func.func @loops(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a) -> (memref<4xf32>, memref<4xf32>) {
    func.call @use_two(%p, %q) : (memref<4xf32>, memref<4xf32>) -> ()
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%t = %q, %u = %p) -> (memref<4xf32>, memref<4xf32>) {
      func.call @use_two(%t, %u) : (memref<4xf32>, memref<4xf32>) -> ()
      scf.yield %u, %t : memref<4xf32>, memref<4xf32>
    }
    scf.yield %s#1, %s#0 : memref<4xf32>, memref<4xf32>
  }
  call @use_two(%r#0, %r#1) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 2. Two memrefs that a loop swaps are each either of both.
// CHECK-LABEL: func.func @swap(
// CHECK:         %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %arg0, %[[Q:.*]] = %arg1)
// CHECK-NEXT:      func.call @use_two(%[[P]], %[[Q]])
// CHECK-NEXT:      scf.yield %[[Q]], %[[P]]
// CHECK:         call @use_two(%[[R]]#0, %[[R]]#1)
func.func @swap(%a: memref<4xf32>, %b: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xf32>, memref<4xf32>) {
    func.call @use_two(%p, %q) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %q, %p : memref<4xf32>, memref<4xf32>
  }
  call @use_two(%r#0, %r#1) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 3. One memref twice in scf.condition: it is another one in each iteration, which cannot be named after the region.
// CHECK-LABEL: func.func @condition(
// CHECK:         scf.while (%[[M:.*]] = %arg0)
// CHECK:           %[[B:.*]] = memref.alloc
// CHECK:           scf.condition(%arg1) %[[B]], %[[B]], %[[M]]
// CHECK:         ^bb0(%[[P:.*]]: memref<4xf32>, %[[Q:.*]]: memref<4xf32>, %[[O:.*]]: memref<4xf32>):
// CHECK-NEXT:      func.call @use_two(%[[P]], %[[O]])
// CHECK-NEXT:      scf.yield %[[Q]]
func.func @condition(%a: memref<4xf32>, %c: i1) {
  %r:3 = scf.while (%m = %a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.condition(%c) %b, %b, %m : memref<4xf32>, memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%p: memref<4xf32>, %q: memref<4xf32>, %o: memref<4xf32>):
    func.call @use_two(%p, %o) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %q : memref<4xf32>
  }
  return
}

// 4. From outside of the loop, it is one memref everywhere.
// CHECK-LABEL: func.func @outside(
// CHECK:         func.call @use_two(%arg0, %arg0)
// CHECK:         call @use_two(%arg0, %arg0)
func.func @outside(%a: memref<4xf32>, %c: i1) {
  %r:2 = scf.while (%m = %a) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    scf.condition(%c) %m, %a : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%p: memref<4xf32>, %q: memref<4xf32>):
    func.call @use_two(%p, %q) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %q : memref<4xf32>
  }
  call @use_two(%r#0, %r#1) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 5. Blocks that lead back to each other, in whatever order they are entered.
// CHECK-LABEL: func.func @irreducible(
// CHECK:       ^bb1(%{{.*}}: memref<4xf32>):
// CHECK-NEXT:    call @use(%arg0)
// CHECK:       ^bb2(%{{.*}}: memref<4xf32>):
// CHECK-NEXT:    call @use(%arg0)
func.func @irreducible(%a: memref<4xf32>, %c: i1) {
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2(%a : memref<4xf32>)
^bb1(%m: memref<4xf32>):
  call @use(%m) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^bb2(%m : memref<4xf32>), ^bb3
^bb2(%k: memref<4xf32>):
  call @use(%k) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^bb1(%k : memref<4xf32>), ^bb3
^bb3:
  return
}

// 6. A loop that allocates again: the block after the allocation receives the memref of this iteration, the one before
// it that of the last.
// CHECK-LABEL: func.func @again(
// CHECK:       ^bb1(%[[M:.*]]: memref<4xf32>):
// CHECK-NEXT:    call @use(%[[M]])
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK:       ^bb2(%{{.*}}: memref<4xf32>):
// CHECK-NEXT:    call @use(%[[B]])
func.func @again(%a: memref<4xf32>, %c: i1) {
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%m: memref<4xf32>):
  call @use(%m) : (memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb2(%b : memref<4xf32>), ^bb2(%b : memref<4xf32>)
^bb2(%k: memref<4xf32>):
  call @use(%k) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^bb1(%k : memref<4xf32>), ^bb3
^bb3:
  return
}

// 7. Loops of no iteration, and of one.
// CHECK-LABEL: func.func @counted(
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %arg0)
// CHECK:           func.call @use(%arg0)
// CHECK:         scf.for
// CHECK:         call @use_two(%arg1, %arg1)
func.func @counted(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %a) -> memref<4xf32> {
    func.call @use(%m) : (memref<4xf32>) -> ()
    scf.yield %b : memref<4xf32>
  }
  %s = scf.for %i = %c1 to %c1 step %c1 iter_args(%m = %r) -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  }
  call @use_two(%r, %s) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
