// Transfers run until their tag is awaited: their memory is freed after the wait, or not at all.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning <%t.said
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify=true})' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=JOB

// 1. After the wait in the same block.
// CHECK-LABEL: func @waited
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[TAG:.*]] = memref.alloc() : memref<1xi32>
// CHECK-NEXT:    memref.dma_start %[[A]]
// CHECK-NEXT:    memref.dma_wait %[[TAG]]
// CHECK-DAG:     memref.dealloc %[[A]]
// CHECK-DAG:     memref.dealloc %[[TAG]]
// CHECK:         return
// JOB-LABEL: func @waited
// JOB-COUNT-1: memref.alloc()
// JOB:         memref.dma_wait
// JOB-NEXT:    memref.dealloc
// JOB-NEXT:    return
func.func @waited(%y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}

// 2. Elements of a tag that constants distinguish, in each iteration of a loop.
// CHECK-LABEL: func @elements
// CHECK:         scf.for
// CHECK-NEXT:      %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK:           memref.dma_wait %{{.*}}[%c0]
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:      memref.dma_wait %{{.*}}[%c1]
// CHECK-NEXT:      memref.dealloc %[[B]]
// CHECK:         memref.dealloc %{{.*}} : memref<2xi32>
func.func @elements(%n: index, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %tag = memref.alloc() : memref<2xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<2xi32>
    memref.dma_start %y[%c0], %b[%c0], %c4, %tag[%c1] : memref<4xf32, 1>, memref<4xf32>, memref<2xi32>
    memref.dma_wait %tag[%c0], %c4 : memref<2xi32>
    memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
  }
  return
}

// 3. One after the other with one element.
// CHECK-LABEL: func @in_iterations
// CHECK:         memref.dma_wait
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.dma_start
// CHECK-NEXT:    memref.dma_wait
// CHECK-COUNT-2: memref.dealloc
// CHECK:         return
func.func @in_iterations(%y: memref<4xf32, 1>, %i: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<8xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<8xi32>
  memref.dma_wait %tag[%i], %c4 : memref<8xi32>
  memref.dma_start %b[%c0], %y[%c0], %c4, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<8xi32>
  memref.dma_wait %tag[%i], %c4 : memref<8xi32>
  return
}

// 4. One wait for two of one element: it may be for either.
// CHECK-LABEL: func @one_for_two
// CHECK-NOT:     memref.dealloc
// SAID:          {{.*}}:[[#@LINE+6]]:8: warning: is not freed
// SAID:          {{.*}}:[[#@LINE+7]]:10: warning: is not freed
// SAID:          {{.*}}:[[#@LINE+5]]:8: warning: is not freed
func.func @one_for_two(%y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_start %b[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}

// 5. Elements that may be one.
// CHECK-LABEL: func @perhaps_one
// CHECK-NOT:     memref.dealloc
// SAID-COUNT-3:  warning: is not freed
func.func @perhaps_one(%y: memref<4xf32, 1>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<8xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%i] : memref<4xf32>, memref<4xf32, 1>, memref<8xi32>
  memref.dma_start %b[%c0], %y[%c0], %c4, %tag[%j] : memref<4xf32>, memref<4xf32, 1>, memref<8xi32>
  memref.dma_wait %tag[%i], %c4 : memref<8xi32>
  memref.dma_wait %tag[%j], %c4 : memref<8xi32>
  return
}

// 6. Awaited elsewhere: by a branch, or never here; and with a tag of the caller, which may have other transfers
// pending.
// CHECK-LABEL: func @in_a_branch
// CHECK-NOT:     memref.dealloc
// SAID-COUNT-2:  warning: is not freed
func.func @in_a_branch(%c: i1, %y: memref<4xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  scf.if %c {
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  }
  return
}
// CHECK-LABEL: func @of_the_caller
// CHECK-NOT:     memref.dealloc
// SAID-COUNT-1:  warning: is not freed
func.func @of_the_caller(%y: memref<4xf32, 1>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  memref.dma_start %a[%c0], %y[%c0], %c4, %tag[%c0] : memref<4xf32>, memref<4xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c4 : memref<1xi32>
  return
}
