// Frees stand after the last use on each path, as memref.dealloc where the owner is known.
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

// 2. A use in one branch: freed after it, and in the other branch, which is created where there is none.
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

// 4. An edge without a block of its own gets one where it has to free.
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

// 5. Many successors, unreachable blocks, and ends that are never reached.
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

// 6. Frees of the program that come too late move up. Marked memory stays.
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

// 7. Stack memory and globals are never freed.
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

// 8. Operations with regions of scalars are like any other.
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

// 9. Results of one call may be one buffer: where one is held on to for longer, the other is not freed.
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
