// Where the program frees memory, both buffers are freed, each after its last use.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute,memplan-merge-alloc{verify=true})' \
// RUN:   -o /dev/null

// 1. The old buffer is freed after its early use, and the deallocation frees the new one.
// CHECK-LABEL: func.func @freed(
// CHECK:         linalg.exp ins(%arg0 : memref<64xf32>) outs(%[[A:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[A]] :
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @freed(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %a : memref<64xf32>
  return
}

// 2. What only the repeated operations use is freed after them.
// CHECK-LABEL: func.func @chain(
// CHECK:         linalg.exp ins(%arg0 : memref<64xf32>) outs(%[[A:.*]] : memref<64xf32>)
// CHECK:         linalg.abs ins(%[[A]] : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[C:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.abs {memplan.recomputed} ins(%[[C]] : memref<64xf32>) outs(%[[D:.*]] : memref<64xf32>)
// CHECK-NEXT:    memref.dealloc %[[C]]
// CHECK-NEXT:    linalg.transpose ins(%[[D]] :
// CHECK-NEXT:    memref.dealloc %[[D]]
// CHECK-NEXT:    return
func.func @chain(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.abs ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  linalg.transpose ins(%b : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  linalg.transpose ins(%b : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %b : memref<64xf32>
  return
}

// 3. The function frees other memory and not this buffer, or it frees the buffer in a branch: it stays.
// CHECK-LABEL: func.func @not_freed(
// CHECK-NOT:     memplan.recomputed
// CHECK-LABEL: func.func @freed_in_branch(
// CHECK-NOT:     memplan.recomputed
func.func @not_freed(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

func.func @freed_in_branch(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %p: i1) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  scf.if %p {
    memref.dealloc %a : memref<64xf32>
  }
  return
}
