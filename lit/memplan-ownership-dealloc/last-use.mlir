// Where frees stand: behind the last use on each way, by memref.dealloc where the owner is known.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. Straight-line code: what is returned goes to the caller.
// CHECK-LABEL: func @straight(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return %[[B]]
func.func @straight(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}

// 2. A use in one branch: behind it, and in the other branch, which is made where there is none.
// CHECK-LABEL: func @branch(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.copy %[[A]]
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @branch(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  scf.if %c {
    memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  }
  return
}

// 3. A view's use is one of what it views.
// CHECK-LABEL: func @view(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[V:.*]] = memref.subview
// CHECK-NEXT:    memref.copy %[[V]]
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func @view(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  memref.copy %v, %x : memref<4xf32, strided<[1]>> to memref<4xf32>
  return
}

// 4. A loop that swaps: the two stay apart, so neither a flag nor a test is needed.
// CHECK-LABEL: func @swap(
// CHECK-NOT:     i1
// CHECK:         %[[R:.*]]:2 = scf.for
// CHECK-NOT:     dealloc
// CHECK:         scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[R]]#1
// CHECK-NEXT:    memref.copy %[[R]]#0
// CHECK-NEXT:    memref.dealloc %[[R]]#0
// CHECK-NEXT:    return
func.func @swap(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xf32>, memref<8xf32>) {
    memref.copy %p, %q : memref<8xf32> to memref<8xf32>
    scf.yield %q, %p : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %x : memref<8xf32> to memref<8xf32>
  return
}

// 5. A loop that replaces its buffer frees the old one in each turn, right behind its last use.
// CHECK-LABEL: func @replace(
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}) -> (memref<8xf32>) {
// CHECK-NEXT:      %[[Q:.*]] = memref.alloc()
// CHECK-NEXT:      memref.copy %[[P]], %[[Q]]
// CHECK-NEXT:      memref.dealloc %[[P]]
// CHECK-NEXT:      scf.yield %[[Q]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]]
func.func @replace(%n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %q = memref.alloc() : memref<8xf32>
    memref.copy %p, %q : memref<8xf32> to memref<8xf32>
    scf.yield %q : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// 6. What the loop starts with is needed behind it: the first turn must not free it, so a flag goes round.
// CHECK-LABEL: func @needed_later(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[P:.*]] = %[[A]], %[[F:.*]] = %false) -> (memref<8xf32>, i1) {
// CHECK:           bufferization.dealloc (%[[P]] : memref<8xf32>) if (%[[F]])
// CHECK-NEXT:      scf.yield %{{.*}}, %true : memref<8xf32>, i1
// CHECK:         memref.copy %[[A]]
// CHECK:         memref.copy %[[R]]#0
// CHECK-DAG:     memref.dealloc %[[A]]
// CHECK-DAG:     bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%[[R]]#1)
func.func @needed_later(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xf32>) {
    %q = memref.alloc() : memref<8xf32>
    memref.copy %p, %q : memref<8xf32> to memref<8xf32>
    scf.yield %q : memref<8xf32>
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// 7. A loop of blocks, which carries its buffer.
// CHECK-LABEL: func @blocks(
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[Q:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[P:.*]], %[[Q]]
// CHECK-NEXT:    memref.dealloc %[[P]]
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.copy %[[P]]
// CHECK-NEXT:    memref.dealloc %[[P]]
func.func @blocks(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  cf.br ^head(%c0, %a : index, memref<8xf32>)
^head(%i: index, %p: memref<8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %q = memref.alloc() : memref<8xf32>
  memref.copy %p, %q : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %q : index, memref<8xf32>)
^end:
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  return
}

// 8. A way that needs no block of its own gets one where it has to free.
// CHECK-LABEL: func @edge(
// CHECK:         cf.cond_br %{{.*}}, ^bb1, ^[[BETWEEN:.*]]
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.copy %[[A:.*]], %
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^[[END:.*]]
// CHECK:       ^[[BETWEEN]]:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^[[END]]
func.func @edge(%c: i1, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^use, ^end
^use:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  cf.br ^end
^end:
  return
}

// 9. Many successors, unreachable blocks, and ends that are never reached.
// CHECK-LABEL: func @switch(
// CHECK:         cf.switch
// CHECK:         memref.dealloc
// CHECK:         ub.unreachable
func.func @switch(%k: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  cf.switch %k : i32, [
    default: ^one,
    7: ^two,
    8: ^never
  ]
^one:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
^two:
  return
^never:
  ub.unreachable
^dead:
  %b = memref.alloc() : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// 10. What the program frees itself, too late: it goes earlier. What it marks, it keeps.
// CHECK-LABEL: func @own_frees(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<8xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() {bufferization.manual_deallocation}
// CHECK-NEXT:    memref.copy %[[B]]
// CHECK-NEXT:    "test.noise"
// CHECK-NEXT:    memref.dealloc %[[B]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @own_frees(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  "test.noise"() : () -> ()
  memref.dealloc %b {bufferization.manual_deallocation} : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// 11. Stack memory and globals are nobody's to free.
memref.global "private" @table : memref<8xf32> = dense<1.0>
// CHECK-LABEL: func @others(
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @others(%x: memref<8xf32>) {
  %a = memref.alloca() : memref<8xf32>
  %t = memref.get_global @table : memref<8xf32>
  memref.copy %t, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 12. Parallel bodies free what they make; what they use from outside goes behind them.
// CHECK-LABEL: func @parallel(
// CHECK:         scf.parallel
// CHECK:           %[[B:.*]] = memref.alloc()
// CHECK:           memref.copy %[[A:.*]], %[[B]]
// CHECK-NEXT:      memref.dealloc %[[B]]
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %b = memref.alloc() : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  }
  return
}

// 13. Operations with regions of scalars are like any other.
// CHECK-LABEL: func @scalars(
// CHECK:         memref.generic_atomic_rmw
// CHECK:         }
// CHECK-NEXT:    memref.dealloc
func.func @scalars(%i: index) {
  %a = memref.alloc() : memref<8xf32>
  %old = memref.generic_atomic_rmw %a[%i] : memref<8xf32> {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    memref.atomic_yield %y : f32
  }
  return
}

// 14. Only what a while loop starts with needs a flag: its results do not.
// CHECK-LABEL: func @while(
// CHECK:         scf.while ({{.*}}, %[[P:.*]] = %{{.*}}, %[[F:.*]] = %false) : (index, memref<8xf32>, i1) -> (index, memref<8xf32>) {
// CHECK:           bufferization.dealloc (%[[P]] : memref<8xf32>) if (%[[F]])
// CHECK:         ^bb0(%{{.*}}: index, %{{.*}}: memref<8xf32>):
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %true : index, memref<8xf32>, i1
func.func @while(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r:2 = scf.while (%i = %c0, %p = %a) : (index, memref<8xf32>) -> (index, memref<8xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    memref.copy %p, %x : memref<8xf32> to memref<8xf32>
    scf.condition(%c) %i, %b : index, memref<8xf32>
  } do {
  ^bb0(%i: index, %q: memref<8xf32>):
    memref.copy %a, %q : memref<8xf32> to memref<8xf32>
    %t = memref.alloc() : memref<8xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, memref<8xf32>
  }
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
}

// 15. Results of one call may be one buffer: where one is held on to for longer, the other is not freed.
func.func private @pair() -> (memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: func @one_of_a_pair_is_stored(
// CHECK:         call @pair()
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @one_of_a_pair_is_stored(%t: memref<memref<8xf32>>) {
  %r:2 = call @pair() : () -> (memref<8xf32>, memref<8xf32>)
  memref.store %r#1, %t[] : memref<memref<8xf32>>
  return
}
