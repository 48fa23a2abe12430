// Where copies run beside operations, a buffer is reloaded while the operation before its next use runs.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/beside.toml budget=1:768})' \
// RUN:   | FileCheck %s
// The arenas keep the limit, and the buffers of a copy are held until it ends.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module( \
// RUN:   memplan-assign-spaces{machine=%S/Inputs/beside.toml budget=1:768}, \
// RUN:   memplan-merge-alloc{machine=%S/Inputs/beside.toml budget=1:768 verify=true})' \
// RUN:   | FileCheck %s --check-prefix=PLAN

// 1. The reload starts before the product that does not use the buffer, and the loop waits for it.
// CHECK-LABEL: func.func @reloaded
// CHECK:       memref.copy %[[A:.*]], %[[OUT:.*]] : memref<64xf32, 1> to memref<64xf32>
// CHECK:       call @wide
// CHECK:       memref.dma_start %[[OUT]][%{{.*}}], %[[IN:.*]][%{{.*}}], %c64{{.*}}, %[[TAG:.*]][%[[ZERO:.*]]] :
// CHECK-SAME:    memref<64xf32>, memref<64xf32, 1>, memref<1xi32>
// CHECK-NEXT:  linalg.matvec
// CHECK-NEXT:  memref.dma_wait %[[TAG]][%[[ZERO]]], %c64{{.*}} : memref<1xi32>
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    linalg.matvec ins(%{{.*}}, %[[IN]]
// PLAN-LABEL: func.func @reloaded
func.func @reloaded(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<128xf32, 1>
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%b : memref<128xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32, 1>)
  call @wide(%b, %c) : (memref<128xf32, 1>, memref<64xf32, 1>) -> ()
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  }
  return
}

// 2. The operation before the next use needs all of the space.
// CHECK-LABEL: func.func @full
// CHECK:       memref.copy
// CHECK-NOT:   memref.dma_start
// CHECK:       call @wide
// CHECK:       memref.copy
// CHECK-NEXT:  scf.for
// PLAN-LABEL: func.func @full
func.func @full(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<128xf32, 1>
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%b : memref<128xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32, 1>)
  call @wide(%b, %c) : (memref<128xf32, 1>, memref<64xf32, 1>) -> ()
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  }
  return
}

// 3. Where the program frees its memory, what tells the end of the copy is freed, too.
// CHECK-LABEL: func.func @freed
// CHECK:       memref.dma_start {{.*}}, %[[TAG:.*]][%{{.*}}] :
// CHECK:       memref.dma_wait %[[TAG]]
// CHECK:       memref.dealloc %[[TAG]] : memref<1xi32>
// PLAN-LABEL: func.func @freed
func.func @freed(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<128xf32, 1>
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%b : memref<128xf32, 1>)
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32, 1>)
  call @wide(%b, %c) : (memref<128xf32, 1>, memref<64xf32, 1>) -> ()
  memref.dealloc %b : memref<128xf32, 1>
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  memref.dealloc %c : memref<64xf32, 1>
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  }
  memref.dealloc %a : memref<64xf32, 1>
  return
}
func.func private @wide(memref<128xf32, 1>, memref<64xf32, 1>) attributes {memplan.nocallback}
