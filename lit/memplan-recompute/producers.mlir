// Buffers that are computed again directly before a late use: what is repeated. In each function, two products need the
// most bytes, and a buffer has uses before and after them.
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

#id = affine_map<(i) -> (i)>

// 1. An elementwise operation on an argument that is not written.
// CHECK-LABEL: func.func @elementwise(
// CHECK:         linalg.exp ins(%arg0 : memref<64xf32>) outs(%[[A:.*]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[A]] :
// CHECK:         linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @elementwise(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
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
  return
}

// 2. A fill. The allocation keeps its alignment.
// CHECK-LABEL: func.func @fill(
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
// CHECK-NEXT:    linalg.fill {memplan.recomputed} ins(%arg2 : f32) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @fill(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 3. A broadcast: its source, which is smaller, is held instead.
// CHECK-LABEL: func.func @broadcast(
// CHECK:         linalg.matvec ins(%{{.*}}) outs(%[[ROW:.*]] : memref<8xf32>)
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    linalg.broadcast ins(%[[ROW]] : memref<8xf32>) outs(%[[B]] : memref<8x8xf32>) dimensions = [0]  {memplan.recomputed}
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @broadcast(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %v: memref<8x64xf32>, %y: memref<8x8xf32> {memplan.noalias}) {
  %row = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%row : memref<8xf32>)
  linalg.matvec ins(%v, %x : memref<8x64xf32>, memref<64xf32>) outs(%row : memref<8xf32>)
  %a = memref.alloc() : memref<8x8xf32>
  linalg.broadcast ins(%row : memref<8xf32>) outs(%a : memref<8x8xf32>) dimensions = [0]
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%y : memref<8x8xf32>) permutation = [1, 0]
  return
}

// 4. A cast from narrow integers, whose buffer is held.
// CHECK-LABEL: func.func @cast(
// CHECK:         linalg.copy ins(%{{.*}}) outs(%[[I:.*]] : memref<64xi8>)
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%[[I]] : memref<64xi8>) outs(%[[B]] : memref<64xf32>) attrs = {memplan.recomputed}
// CHECK:         linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @cast(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %n: memref<64xi8>, %k: i8) {
  %i = memref.alloc() : memref<64xi8>
  linalg.copy ins(%n : memref<64xi8>) outs(%i : memref<64xi8>)
  linalg.fill ins(%k : i8) outs(%n : memref<64xi8>)
  %a = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%i : memref<64xi8>) outs(%a : memref<64xf32>) {
  ^bb0(%e: i8, %o: f32):
    %f = arith.sitofp %e : i8 to f32
    linalg.yield %f : f32
  }
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 5. A small reduction: the fill and the sum are both repeated, in their order.
// CHECK-LABEL: func.func @reduction(
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    linalg.fill {memplan.recomputed} ins(%arg2 : f32) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:    linalg.reduce {{.*}}ins(%arg4 : memref<2x64xf32>) outs(%[[B]] : memref<64xf32>)
// CHECK:         linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @reduction(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %v: memref<2x64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.reduce ins(%v : memref<2x64xf32>) outs(%a : memref<64xf32>) dimensions = [0]
    (%e: f32, %o: f32) {
      %s = arith.addf %e, %o : f32
      linalg.yield %s : f32
    }
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 6. What a dead buffer had is computed again, too, for that alone.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    linalg.exp {memplan.recomputed} ins(%arg0 : memref<64xf32>) outs(%[[A]] : memref<64xf32>)
// CHECK-NEXT:    linalg.abs {memplan.recomputed} ins(%[[A]] : memref<64xf32>) outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
// CHECK-NEXT:    return
func.func @chain(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %b = memref.alloc() : memref<64xf32>
  linalg.abs ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.transpose ins(%b : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%b : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 7. A nest of loops over elements.
// CHECK-LABEL: func.func @loops(
// CHECK-COUNT-2: linalg.matvec
// CHECK-NEXT:    linalg.transpose
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      %[[E:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store %[[E]], %[[B]]
// CHECK-NEXT:    } {memplan.recomputed}
// CHECK-NEXT:    linalg.transpose ins(%[[B]] :
func.func @loops(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %e = memref.load %x[%i] : memref<64xf32>
    memref.store %e, %a[%i] : memref<64xf32>
  }
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}
