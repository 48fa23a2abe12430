// Transfers that callees start or await: their memory is freed after the wait, or not at all.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning <%t.said

// 1. A transfer that a callee starts may be pending after the call.
// CHECK-LABEL: func @by_a_callee
// CHECK-NOT:     memref.dealloc
// SAID-COUNT-1:  warning: is not freed
func.func @by_a_callee(%y: memref<4xf32, 1>, %tag: memref<1xi32>) {
  %a = memref.alloc() : memref<4xf32>
  call @starts(%a, %y, %tag) : (memref<4xf32>, memref<4xf32, 1>, memref<1xi32>) -> ()
  return
}
func.func private @starts(%a: memref<4xf32>, %y: memref<4xf32, 1>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  return
}

// 2. A callee that waits for all that it starts, on each path, has done with its argument.
// CHECK-LABEL: func @by_one_that_waits
// CHECK:         call @waits
// CHECK-NEXT:    call @waits_in_branches
// CHECK-NEXT:    call @waits_later
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @by_one_that_waits(%y: memref<4xf32, 1>, %c: i1, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  call @waits(%a, %y) : (memref<4xf32>, memref<4xf32, 1>) -> ()
  call @waits_in_branches(%a, %y, %c) : (memref<4xf32>, memref<4xf32, 1>, i1) -> ()
  call @waits_later(%a, %y, %n) : (memref<4xf32>, memref<4xf32, 1>, index) -> ()
  return
}
func.func private @waits(%a: memref<4xf32>, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
func.func private @waits_in_branches(%a: memref<4xf32>, %y: memref<4xf32, 1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  } else {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  }
  return
}
func.func private @waits_later(%a: memref<4xf32>, %y: memref<4xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
    memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  }
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}

// 3. Callees that may not have waited for it: for another element, on one path, for one of two, with a tag that others
// know, for some iterations, in bodies that run at once.
// CHECK-LABEL: func @by_others
// CHECK-NOT:     memref.dealloc
// CHECK:         return
// SAID-COUNT-6:  warning: is not freed
func.func @by_others(%y: memref<4xf32, 1>, %c: i1, %n: index) {
  %a = memref.alloc() : memref<4xf32>
  call @waits_for_another(%a, %y) : (memref<4xf32>, memref<4xf32, 1>) -> ()
  %b = memref.alloc() : memref<4xf32>
  call @waits_perhaps(%b, %y, %c) : (memref<4xf32>, memref<4xf32, 1>, i1) -> ()
  %d = memref.alloc() : memref<4xf32>
  call @waits_for_one(%d, %y) : (memref<4xf32>, memref<4xf32, 1>) -> ()
  %e = memref.alloc() : memref<4xf32>
  call @passes_on(%e, %y) : (memref<4xf32>, memref<4xf32, 1>) -> ()
  %f = memref.alloc() : memref<4xf32>
  call @waits_for_the_last(%f, %y, %n) : (memref<4xf32>, memref<4xf32, 1>, index) -> ()
  %g = memref.alloc() : memref<4xf32>
  call @at_once(%g, %y, %n) : (memref<4xf32>, memref<4xf32, 1>, index) -> ()
  return
}
func.func private @waits_for_another(%a: memref<4xf32>, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<2xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<2xi32>
  memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
  return
}
func.func private @waits_perhaps(%a: memref<4xf32>, %y: memref<4xf32, 1>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  }
  return
}
func.func private @waits_for_one(%a: memref<4xf32>, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %y[%c0], %a[%c0], %c4, %tag[%c0] : memref<4xf32, 1>, memref<4xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
func.func private @passes_on(%a: memref<4xf32>, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  call @known(%tag) : (memref<1xi32>) -> ()
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
func.func private @known(memref<1xi32>)
func.func private @waits_for_the_last(%a: memref<4xf32>, %y: memref<4xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  }
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
func.func private @at_once(%a: memref<4xf32>, %y: memref<4xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloca() : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  }
  return
}

// 4. In a function of its own, the same holds for what it allocates: each branch waits, or the iteration after.
// CHECK-LABEL: func @in_each_branch
// CHECK:         memref.dma_start
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dma_wait
// CHECK-COUNT-2:   memref.dealloc
// CHECK:         } else {
// CHECK-NEXT:      memref.dma_wait
// CHECK-COUNT-2:   memref.dealloc
// CHECK:         return
func.func @in_each_branch(%c: i1, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  } else {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  }
  return
}
// CHECK-LABEL: func @in_the_iteration_after
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NOT:     memref.dealloc
// CHECK:         }
// CHECK-NEXT:    memref.dma_wait
// CHECK-NEXT:    memref.dma_wait
// CHECK-NEXT:    memref.dealloc %[[A]]
// SAID:          {{.*}}:[[#@LINE+11]]:10: warning: is not freed
func.func @in_the_iteration_after(%y: memref<4xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %tag = memref.alloca() : memref<2xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<2xi32>
  memref.dma_start %y[%c0], %a[%c0], %c4, %tag[%c1] : memref<4xf32, 1>, memref<4xf32>, memref<2xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
    %b = memref.alloc() : memref<4xf32>
    memref.dma_start %y[%c0], %b[%c0], %c4, %tag[%c1] : memref<4xf32, 1>, memref<4xf32>, memref<2xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<2xi32>
    memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<2xi32>
  }
  memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<2xi32>
  return
}
