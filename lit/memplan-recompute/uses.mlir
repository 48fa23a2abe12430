// Buffers that are computed again: their uses. In each function, two products need the most bytes, and a buffer has uses
// before and after them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute)' -o %t.once
// RUN: %memplan-opt %t.once --pass-pipeline='builtin.module(memplan-recompute)' -o %t.twice
// RUN: diff %t.once %t.twice
// On each function alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-recompute))' | FileCheck %s
// The plan is right.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute,memplan-merge-alloc{verify=true})' \
// RUN:   -o /dev/null

// 1. Views: the late use has a view of the new buffer, and the producer writes a view.
// CHECK-LABEL: func.func @views(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    memref.collapse_shape %[[A]]
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    %[[EARLY:.*]] = memref.subview %[[A]][0, 0] [1, 8]
// CHECK-NEXT:    linalg.transpose ins(%[[EARLY]] :
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    %[[FLAT:.*]] = memref.collapse_shape %[[B]]
// CHECK-NEXT:    linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[FLAT]] : memref<64xf32>)
// CHECK-NEXT:    %[[LATE:.*]] = memref.subview %[[B]][0, 0] [1, 8]
// CHECK-NEXT:    linalg.transpose ins(%[[LATE]] :
// CHECK-NEXT:    return
func.func @views(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<8x8xf32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%flat : memref<64xf32>)
  %part = memref.subview %a[0, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<8xf32, strided<[1]>>
  linalg.transpose ins(%part : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%part : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32>) permutation = [0]
  return
}

// 2. A view that only late uses have: there is one of the new buffer, in its place.
// CHECK-LABEL: func.func @late_view(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    linalg.exp
// CHECK-NEXT:    linalg.transpose ins(%[[A]] :
// CHECK-NOT:     memref.subview %[[A]]
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    %[[LATE:.*]] = memref.subview %[[B]][0] [8]
// CHECK-NEXT:    linalg.transpose ins(%[[LATE]] :
// CHECK-NEXT:    return
func.func @late_view(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<8xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %part = memref.subview %a[0] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1]>>
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%part : memref<8xf32, strided<[1]>>) outs(%y : memref<8xf32>) permutation = [0]
  return
}

// 3. A late use in a loop or in a branch: the buffer is computed once, before that.
// CHECK-LABEL: func.func @nested(
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        linalg.transpose ins(%[[B]] :
func.func @nested(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
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
  scf.for %i = %c0 to %c4 step %c1 {
    scf.if %p {
      linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    }
  }
  return
}

// 4. In a loop: each iteration computes the buffer, which is allocated outside, and computes it again.
// CHECK-LABEL: func.func @loop(
// CHECK:         memref.alloc() : memref<64xf32>
// CHECK:         scf.for
// CHECK:           linalg.exp ins
// CHECK-COUNT-2:   linalg.matvec
// CHECK-NEXT:      linalg.transpose
// CHECK-NEXT:      %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:      linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:      linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    }
func.func @loop(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    %c = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
    %d = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
    linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
    linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  }
  return
}

// 5. In a parallel loop, where each iteration has a buffer of its own.
// CHECK-LABEL: func.func @parallel(
// CHECK:         scf.parallel
// CHECK:           linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:      %{{.*}} = memref.load %[[B]]
func.func @parallel(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<4xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    %first = memref.load %a[%i] : memref<64xf32>
    memref.store %first, %y[%i] : memref<4xf32>
    %c = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
    %d = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
    linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
    %second = memref.load %d[%i] : memref<64xf32>
    memref.store %second, %y[%i] : memref<4xf32>
    %third = memref.load %a[%i] : memref<64xf32>
    memref.store %third, %y[%i] : memref<4xf32>
  }
  return
}

// 6. A late use that also writes the buffer: all uses from there on have the new one.
// CHECK-LABEL: func.func @updated(
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.add ins(%[[B]], %arg0 : memref<64xf32>, memref<64xf32>) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @updated(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
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
  linalg.add ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 7. Two late uses, each after a peak: a new buffer for each.
// CHECK-LABEL: func.func @twice(
// CHECK:         linalg.exp ins
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[C:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[C]] :
// CHECK-NEXT:    return
func.func @twice(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
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
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %e = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%e : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%e : memref<64xf32>)
  %g = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%g : memref<64xf32>)
  linalg.matvec ins(%w, %e : memref<64x64xf32>, memref<64xf32>) outs(%g : memref<64xf32>)
  linalg.transpose ins(%g : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 8. The size is known only at run time: the new buffer has the same.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         memref.alloc(%[[N:.*]]) : memref<?xf32>
// CHECK:         linalg.exp {memplan.recomputed} ins(%arg0 : memref<?xf32>) outs(%[[B:.*]] : memref<?xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @dynamic(%x: memref<?xf32>, %w: memref<?x?xf32>, %zero: f32, %z: memref<?xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.transpose ins(%a : memref<?xf32>) outs(%z : memref<?xf32>) permutation = [0]
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?xf32>)
  linalg.matvec ins(%w, %x : memref<?x?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<?xf32>)
  linalg.matvec ins(%w, %c : memref<?x?xf32>, memref<?xf32>) outs(%d : memref<?xf32>)
  linalg.transpose ins(%d : memref<?xf32>) outs(%z : memref<?xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<?xf32>) outs(%z : memref<?xf32>) permutation = [0]
  return
}

// 9. Nothing is repeated if no iteration may be.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=0})' \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE-NOT: memplan.recomputed
