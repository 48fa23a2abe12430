// Which results and arguments are copied, and whether that depends on a flag.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. Two results of a call that are not used: whether the second is memory of its own is known before it is freed.
func.func private @two() -> (memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: func @unused_results(
// CHECK:         %[[R:.*]]:2 = call @two()
// CHECK:         %[[SAME:.*]]:2 = bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%true) retain (%[[R]]#0, %[[R]]#1 :
// CHECK-NEXT:    %[[OWN:.*]] = arith.xori %[[SAME]]#1, %true
// CHECK-DAG:     memref.dealloc %[[R]]#0
// CHECK-DAG:     bufferization.dealloc (%[[R]]#1 : memref<8xf32>) if (%[[OWN]])
// CHECK:         return
func.func @unused_results() {
  %r:2 = call @two() : () -> (memref<8xf32>, memref<8xf32>)
  return
}

// 2. A result of a branch is none of the arguments that are returned; what is returned twice is copied once.
// CHECK-LABEL: func @copied_once(
// CHECK-SAME:      %[[X:[^:]*]]: memref<8xf32>
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[X]], %[[C]]
// CHECK-NEXT:    return %[[C]], %[[C]]
func.func @copied_once(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) -> (memref<8xf32>, memref<8xf32>) {
  %r = scf.index_switch %n -> memref<8xf32>
  default {
    scf.yield %y : memref<8xf32>
  }
  return %x, %x : memref<8xf32>, memref<8xf32>
}

// 3. A loop of blocks that drops one of its two buffers and doubles the other: which is owned is known.
// CHECK-LABEL: func @doubled(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         memref.dealloc %[[A]]
// CHECK-NOT:     i1
// CHECK:       ^bb1(%{{.*}}: memref<8xf32>, %[[Q:.*]]: memref<8xf32>):
// CHECK:       ^bb3:
// CHECK-NEXT:    return %[[Q]]
func.func @doubled(%c: i1) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.br ^loop(%a, %b : memref<8xf32>, memref<8xf32>)
^loop(%p: memref<8xf32>, %q: memref<8xf32>):
  cf.cond_br %c, ^end, ^again
^again:
  cf.br ^loop(%q, %q : memref<8xf32>, memref<8xf32>)
^end:
  return %q : memref<8xf32>
}

// 4. A flag decides about a copy alone: a dealloc of nothing says that who frees what has been decided.
// CHECK-LABEL: func @copied(
// CHECK:         scf.if %{{.*}} -> (memref<8xf32>, i1)
// CHECK:         memref.copy %{{.*}}, %{{.*}} : memref<8xf32> to memref<8xf32>
// CHECK:         bufferization.dealloc
// CHECK-NEXT:    return
func.func @copied(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = scf.if %c -> (memref<8xf32>) {
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  return %b : memref<8xf32>
}

// Copies that a network needs.

// 5. Canonicalize replaces a clone by its source, and would read freed memory where it is known only at run time
// whether the source is freed in between: the copy is written out.
// CHECK-LABEL: func @copied_in_iterations(
// CHECK:         scf.for
// CHECK:           %[[COPY:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.copy %[[Q:.*]], %[[COPY]]
// CHECK-NOT:       bufferization.clone
// CHECK-DAG:       memref.dealloc %[[COPY]]
// CHECK-DAG:       bufferization.dealloc (%[[Q]] :
// CHECK:           scf.yield
func.func @copied_in_iterations(%n: index, %x: f32, %b: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %b) -> (memref<4xf32>) {
    %d = bufferization.clone %q : memref<4xf32> to memref<4xf32>
    %v = memref.load %d[%c0] : memref<4xf32>
    %w = arith.addf %v, %x : f32
    %p = memref.alloc() : memref<4xf32>
    memref.store %w, %p[%c0] : memref<4xf32>
    scf.yield %p : memref<4xf32>
  }
  %y = memref.load %r[%c0] : memref<4xf32>
  return %y : f32
}

// 6. A clone is where its type says, and what it copies may be elsewhere.
// CHECK-LABEL: func @copied_into_another_space(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32, 1>
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %[[A]], %[[COPY]] : memref<4xf32, 1> to memref<4xf32>
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<4xf32, 1>
// CHECK:         memref.dealloc %[[COPY]] : memref<4xf32>
func.func @copied_into_another_space(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32, 1>
  memref.store %x, %a[%i] : memref<4xf32, 1>
  %d = bufferization.clone %a : memref<4xf32, 1> to memref<4xf32>
  %y = memref.load %d[%i] : memref<4xf32>
  return %y : f32
}

// 7. A flag decides about memory of a device, which is freed by its own operation: a dealloc of nothing says that who
// frees what has been decided.
// CHECK-LABEL: func @device_by_flag(
// CHECK:         scf.if %{{.*}}#1 {
// CHECK-NEXT:      gpu.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
func.func @device_by_flag(%c: i1, %x: memref<4xf32>, %i: index) -> f32 {
  %r = scf.if %c -> memref<4xf32> {
    %a = gpu.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}
