// Orders in which fewer bytes are live at once.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-reorder))' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{effort=thorough})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder,memplan-reorder)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder)' -o %t.once
// RUN: %memplan-opt %t.once --pass-pipeline='builtin.module(memplan-reorder)' -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: %memplan-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(memplan-reorder)' | diff %t.once -
// Options that exclude buffers: they do not count.
// RUN: %memplan-opt %s -o %t.before
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{min-size=1000000})' | diff %t.before -

#id = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> (0)>

// 1. A buffer is filled right before its use, and is allocated there.
// CHECK-LABEL: func @sink
// CHECK-SAME:    %[[V:[a-z0-9]+]]: f32, %[[Y:[a-z0-9]+]]:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%[[V]] : f32) outs(%[[A]]
// CHECK-NEXT:    memref.copy %[[A]], %[[Y]]
// CHECK-NEXT:    %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%[[V]] : f32) outs(%[[B]]
// CHECK-NEXT:    memref.copy %[[B]], %[[Y]]
// CHECK-NEXT:    return
func.func @sink(%v: f32, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 2. Operations that free much come early: both sums, each after its operands. Deallocations follow at once.
// CHECK-LABEL: func @sums
// CHECK:         memref.copy %{{.*}}, %[[A:.*]] :
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         memref.dealloc %[[A]]
// CHECK:         memref.copy %{{.*}}, %[[B:.*]] :
// CHECK:         linalg.generic {{.*}} ins(%[[B]] :
// CHECK:         memref.dealloc %[[B]]
func.func @sums(%x: memref<64xf32>, %w: memref<64xf32>, %z: memref<2xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %s = memref.alloc() : memref<2xf32>
  %p = memref.subview %s[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
  %q = memref.subview %s[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %w, %b : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%a : memref<64xf32>) outs(%p : memref<1xf32, strided<[1]>>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#id, #one], iterator_types = ["reduction"]} ins(%b : memref<64xf32>) outs(%q : memref<1xf32, strided<[1], offset: 1>>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  }
  memref.copy %s, %z : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  memref.dealloc %s : memref<2xf32>
  return
}

// 3. The same in a loop, and in a branch: blocks of their own.
// CHECK-LABEL: func @nested
// CHECK:         scf.for
// CHECK-NEXT:      %[[A:.*]] = memref.alloc()
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT:      memref.copy %[[A]]
// CHECK-NEXT:      %[[B:.*]] = memref.alloc()
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[B]]
// CHECK-NEXT:      memref.copy %[[B]]
// CHECK:         scf.if
// CHECK-NEXT:      %[[A:.*]] = memref.alloc()
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT:      memref.copy %[[A]]
func.func @nested(%v: f32, %n: index, %c: i1, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  scf.if %c {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  return
}

// 4. A block in which another order would be better stays as it is if others need as much.
// CHECK-LABEL: func @others
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloc
// CHECK-NEXT:      memref.alloc
// CHECK-NEXT:      linalg.fill
// CHECK-NEXT:      linalg.fill
func.func @others(%v: f32, %c: i1, %x: memref<128xf32>, %y: memref<64xf32>) {
  %all = memref.alloc() : memref<128xf32>
  memref.copy %x, %all : memref<128xf32> to memref<128xf32>
  memref.copy %all, %x : memref<128xf32> to memref<128xf32>
  scf.if %c {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
    memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  }
  return
}

// 5. In place: %p reuses the bytes of %a, and %q those of %b, so one after the other is best.
// CHECK-LABEL: func @in_place
// CHECK:         linalg.exp ins(%[[A:.*]] : memref<64xf32>)
// CHECK-NEXT:    memref.copy
// CHECK:         linalg.fill {{.*}} outs(%[[B:.*]] : memref<64xf32>)
// CHECK:         linalg.exp ins(%[[B]]
func.func @in_place(%v: f32, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %p = memref.alloc() : memref<64xf32>
  %q = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%p : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%q : memref<64xf32>)
  memref.copy %p, %y : memref<64xf32> to memref<64xf32>
  memref.copy %q, %y : memref<64xf32> to memref<64xf32>
  return
}

// 6. An assertion that guards none of it is no obstacle; the order of assertions, and of effects that others see,
// stays.
// CHECK-LABEL: func @assertions
// CHECK:         cf.assert %{{.*}}, "first"
// CHECK:         cf.assert %{{.*}}, "second"
// CHECK-NEXT:    memref.copy
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    memref.copy %[[B]]
func.func @assertions(%v: f32, %c: i1, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  cf.assert %c, "first"
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  cf.assert %c, "second"
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// 7. Blocks of a control-flow graph.
// CHECK-LABEL: func @blocks
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[A]]
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK:         cf.br ^bb2
func.func @blocks(%v: f32, %c: i1, %y: memref<64xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  cf.br ^bb2
^bb2:
  return
}

// 8. The body of a parallel loop has an arena of its own.
// CHECK-LABEL: func @parallel
// CHECK:         scf.forall
// CHECK-NEXT:      %[[A:.*]] = memref.alloc()
// CHECK-NEXT:      linalg.fill {{.*}} outs(%[[A]]
// CHECK:           memref.copy %[[A]]
// CHECK-NEXT:      memref.alloc
func.func @parallel(%v: f32, %y: memref<8x64xf32>) {
  scf.forall (%i) in (8) {
    %own = memref.subview %y[%i, 0] [1, 64] [1, 1] : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
    memref.copy %a, %own : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
    memref.copy %b, %own : memref<64xf32> to memref<64xf32, strided<[1], offset: ?>>
  }
  return
}

// 9. Communication between devices reads what it is given, though it is called pure.
// CHECK-LABEL: func @communication
// CHECK-SAME:    %[[X:[a-z0-9]+]]:
// CHECK:         shard.all_reduce %[[X]]
// CHECK:         linalg.generic {{.*}} outs(%[[X]]
shard.grid @grid(shape = 2x2)
func.func @communication(%x: memref<64xf32>, %in: memref<64xf32>, %y: memref<64xf32>, %v: f32) {
  %a = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<64xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<64xf32>)
  %r = shard.all_reduce %x on @grid grid_axes = [0] : memref<64xf32> -> memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<64xf32>) outs(%x : memref<64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  memref.copy %r, %b : memref<64xf32> to memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%e: f32, %out: f32):
    %t = arith.addf %e, %e : f32
    linalg.yield %t : f32
  }
  return
}
