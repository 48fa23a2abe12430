// Frees stand after the last use on each path: loops.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A loop that swaps: the two stay apart, so neither a flag nor a test is needed.
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

// 2. A loop that replaces its buffer frees the old one in each iteration, right after its last use.
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

// 3. The initial buffer is needed after the loop: the first iteration must not free it, so the loop carries a flag.
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

// 4. A loop of blocks, which carries its buffer.
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

// 5. Parallel bodies free the memory that they allocate; memory from outside is freed after them.
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

// 6. Only what a while loop starts with needs a flag: its results do not.
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
