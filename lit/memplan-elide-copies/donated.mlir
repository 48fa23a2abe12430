// Donated arguments: what starts as a copy of one, or is computed from one element by element, is that argument.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies)' -o %t.mlir && FileCheck %s < %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-elide-copies)' | diff %t.mlir -
// Functions alone: no caller is known.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-elide-copies))' \
// RUN:   | FileCheck %s --check-prefixes=CHECK
// RUN: %memplan-opt %s -o %t.before
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-elide-copies{results=off})' | diff %t.before -
// The whole pipeline: nothing is copied and nothing allocated for a result.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' | FileCheck %s --check-prefix=ALL

// 1. A cache, of which one element is written.
// CHECK-LABEL: func @cache
// CHECK-SAME:    %[[C:.*]]: memref<64xf32> {memplan.donated}, {{.*}} -> (memref<64xf32> {memplan.borrowed})
// CHECK-NEXT:    memref.store %{{.*}}, %[[C]][%{{.*}}]
// CHECK-NEXT:    return %[[C]]
// ALL-LABEL: func @cache
// ALL-NOT:     memref.alloc
// ALL-NOT:     memref.copy
// ALL:         return
func.func @cache(%c: memref<64xf32> {memplan.donated}, %v: f32, %i: index) -> memref<64xf32> {
  %n = memref.alloc() : memref<64xf32>
  memref.copy %c, %n : memref<64xf32> to memref<64xf32>
  memref.store %v, %n[%i] : memref<64xf32>
  return %n : memref<64xf32>
}

// 2. A step of an optimizer, with the attributes of JAX.
// CHECK-LABEL: func @optimizer
// CHECK-SAME:    %[[P:[^ ]*]]: memref<64xf32> {jax.buffer_donor = true}, %[[M:[^ ]*]]: memref<64xf32> {tf.aliasing_output = 1 : i32}
// CHECK-SAME:    -> (memref<64xf32> {memplan.borrowed}, memref<64xf32> {memplan.borrowed})
// CHECK-NEXT:    linalg.add ins(%[[M]], %{{.*}}) outs(%[[M]] :
// CHECK-NEXT:    linalg.sub ins(%[[P]], %[[M]] : {{.*}}) outs(%[[P]] :
// CHECK-NEXT:    return %[[P]], %[[M]]
func.func @optimizer(%p: memref<64xf32> {jax.buffer_donor = true}, %m: memref<64xf32> {tf.aliasing_output = 1 : i32},
                     %g: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>) {
  %m1 = memref.alloc() : memref<64xf32>
  linalg.add ins(%m, %g : memref<64xf32>, memref<64xf32>) outs(%m1 : memref<64xf32>)
  %p1 = memref.alloc() : memref<64xf32>
  linalg.sub ins(%p, %m1 : memref<64xf32>, memref<64xf32>) outs(%p1 : memref<64xf32>)
  return %p1, %m1 : memref<64xf32>, memref<64xf32>
}

// 3. Not if the argument is read later, on one path only, in another order, by another type, or if it is no donated one.
// CHECK-LABEL: func @read_later
// CHECK:         memref.copy
func.func @read_later(%c: memref<64xf32> {memplan.donated}, %v: f32, %i: index) -> (memref<64xf32>, f32) {
  %n = memref.alloc() : memref<64xf32>
  memref.copy %c, %n : memref<64xf32> to memref<64xf32>
  memref.store %v, %n[%i] : memref<64xf32>
  %old = memref.load %c[%i] : memref<64xf32>
  return %n, %old : memref<64xf32>, f32
}
// CHECK-LABEL: func @sometimes
// CHECK:         memref.copy
func.func @sometimes(%c: memref<64xf32> {memplan.donated}, %v: f32, %i: index, %b: i1) -> f32 {
  %n = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%n : memref<64xf32>)
  scf.if %b {
    memref.copy %c, %n : memref<64xf32> to memref<64xf32>
    memref.store %v, %n[%i] : memref<64xf32>
  }
  %r = memref.load %n[%i] : memref<64xf32>
  return %r : f32
}
// CHECK-LABEL: func @other_order
// CHECK:         memref.alloc
func.func @other_order(%c: memref<8x8xf32> {memplan.donated}) -> memref<8x8xf32> {
  %n = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%c : memref<8x8xf32>) outs(%n : memref<8x8xf32>) permutation = [1, 0]
  return %n : memref<8x8xf32>
}
// CHECK-LABEL: func @strides
// CHECK:         memref.alloc
func.func @strides(%c: memref<64xf32, strided<[2]>> {memplan.donated}) -> memref<64xf32> {
  %n = memref.alloc() : memref<64xf32>
  memref.copy %c, %n : memref<64xf32, strided<[2]>> to memref<64xf32>
  return %n : memref<64xf32>
}
// CHECK-LABEL: func @kept
// CHECK:         memref.copy
func.func @kept(%c: memref<64xf32> {memplan.donated = false}, %v: f32, %i: index) -> memref<64xf32> {
  %n = memref.alloc() : memref<64xf32>
  memref.copy %c, %n : memref<64xf32> to memref<64xf32>
  memref.store %v, %n[%i] : memref<64xf32>
  return %n : memref<64xf32>
}
// A result that is other memory on another path is copied, or the caller could not know what to free.
// CHECK-LABEL: func @either
// CHECK-NOT:     memplan.borrowed
// CHECK:         memref.copy
func.func @either(%c: memref<64xf32> {memplan.donated}, %v: f32, %i: index, %b: i1) -> memref<64xf32> {
  %n = memref.alloc() : memref<64xf32>
  memref.copy %c, %n : memref<64xf32> to memref<64xf32>
  cf.cond_br %b, ^one, ^other
^one:
  return %n : memref<64xf32>
^other:
  %m = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<64xf32>)
  return %m : memref<64xf32>
}

// 4. Temporaries, too.
// CHECK-LABEL: func @temporary
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @temporary(%c: memref<64xf32> {memplan.donated}, %v: f32, %i: index) -> f32 {
  %n = memref.alloc() : memref<64xf32>
  linalg.exp ins(%c : memref<64xf32>) outs(%n : memref<64xf32>)
  memref.store %v, %n[%i] : memref<64xf32>
  %r = memref.load %n[%i] : memref<64xf32>
  return %r : f32
}

// 5. Callers: the result of a call is the argument, also in a loop. Its bytes are in use as long as the result is.
// ALL-LABEL: func @calls
// ALL:         memref.alloc() {{.*}} : memref<512xi8>
// ALL-NOT:     memref.alloc
// ALL-NOT:     memref.copy
// ALL:         return
func.func @calls(%v: f32, %i: index) -> f32 {
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%c : memref<64xf32>)
  %d = call @cache(%c, %v, %i) : (memref<64xf32>, f32, index) -> memref<64xf32>
  %z = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.store %v, %z[%i] : memref<64xf32>
  %e = call @cache(%d, %v, %i) : (memref<64xf32>, f32, index) -> memref<64xf32>
  %r = memref.load %e[%i] : memref<64xf32>
  %q = memref.load %z[%i] : memref<64xf32>
  %s = arith.addf %r, %q : f32
  return %s : f32
}
// ALL-LABEL: func @loop
// ALL-SAME:    -> (memref<64xf32> {memplan.borrowed})
// ALL-NOT:     memref.copy
// ALL:         return
func.func @loop(%c: memref<64xf32> {memplan.donated}, %v: f32, %n: index) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c) -> memref<64xf32> {
    %y = func.call @cache(%x, %v, %i) : (memref<64xf32>, f32, index) -> memref<64xf32>
    scf.yield %y : memref<64xf32>
  }
  return %d : memref<64xf32>
}
