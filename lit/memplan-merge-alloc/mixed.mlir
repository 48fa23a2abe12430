// Buffers of static size among those of dynamic size: they reuse each other's bytes.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,memplan-verify)' -o /dev/null
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc)' -o %t.once
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only},memplan-merge-alloc)' -o %t.again
// RUN: cmp %t.once %t.again

// 1. Static ones come first, then dynamic ones: the arena is as large as the larger of both.
// CHECK-LABEL: func @one_after_the_other(
// CHECK-DAG:     %[[STATIC:.*]] = arith.constant 1024 : index
// CHECK:         %[[DYNAMIC:.*]] = arith.muli
// CHECK-NEXT:    arith.maxsi %[[STATIC]], %[[DYNAMIC]] : index
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]][%[[ZERO:.*]]][] {memplan.buffer = 0 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][] {memplan.buffer = 1 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][%arg0] {memplan.buffer = 2 : i64}
// CHECK-NOT:     memref.alloc(
func.func @one_after_the_other(%n: index, %x: memref<256xf32>, %y: memref<?xf32>) {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  %b = memref.alloc() : memref<256xf32>
  linalg.exp ins(%a : memref<256xf32>) outs(%b : memref<256xf32>)
  memref.copy %b, %x : memref<256xf32> to memref<256xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 2. All are live at once: the static part comes first.
// CHECK-LABEL: func @at_once(
// CHECK:         %[[START:.*]] = arith.constant 1024 : index
// CHECK:         arith.addi %[[START]], %{{.*}} : index
// CHECK:         memref.view %{{.*}}[%[[START]]][%arg0] {memplan.buffer = 1 : i64}
func.func @at_once(%n: index, %x: memref<256xf32>, %y: memref<?xf32>) {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  return
}

// -----

// 3. A dimension that is a multiple of another one: its buffer is planned with the others in units of that.
// CHECK-LABEL: func @multiple_of_a_dimension(
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK-COUNT-1: memref.alloc(
// CHECK-NOT:     memref.alloc(
func.func @multiple_of_a_dimension(%y: memref<?xf32>, %z: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %n4 = arith.muli %n, %c4 : index
  %a = memref.alloc(%n4) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  memref.copy %a, %z : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?x4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?x4xf32>)
  %flat = memref.collapse_shape %b [[0, 1]] : memref<?x4xf32> into memref<?xf32>
  memref.copy %flat, %z : memref<?xf32> to memref<?xf32>
  memref.dealloc %b : memref<?x4xf32>
  return
}

// -----

// 4. An offset is given: the static part stays.
// CHECK-LABEL: func @given(
// CHECK:         %[[START:.*]] = arith.constant 1024 : index
// CHECK:         memref.view %{{.*}}[%{{.*}}][] {memplan.buffer = 0 : i64}
// CHECK:         memref.view %{{.*}}[%[[START]]][%arg0] {memplan.buffer = 1 : i64}
func.func @given(%n: index, %x: memref<256xf32>, %y: memref<?xf32>) {
  %a = memref.alloc() {memplan.offset = 0 : i64} : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.copy %c, %y : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 5. In one memory space, buffers of both kinds are mixed; in another one, they are not. A second run takes the plan from the
// attributes of an analysis: it is the same.
// CHECK-LABEL: func @two_spaces(
// CHECK-COUNT-2: memplan.arena} : memref<?xi8
// CHECK-NOT:     memref.alloc(
func.func @two_spaces(%n: index, %x: memref<256xf32>, %y: memref<?xf32>, %z: memref<256xf32, 1>, %w: memref<?xf32, 1>) {
  %a = memref.alloc() : memref<256xf32>
  linalg.exp ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  memref.copy %a, %x : memref<256xf32> to memref<256xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  %c = memref.alloc() : memref<256xf32, 1>
  linalg.exp ins(%z : memref<256xf32, 1>) outs(%c : memref<256xf32, 1>)
  %d = memref.alloc(%n) : memref<?xf32, 1>
  linalg.exp ins(%w : memref<?xf32, 1>) outs(%d : memref<?xf32, 1>)
  memref.copy %d, %w : memref<?xf32, 1> to memref<?xf32, 1>
  memref.copy %c, %z : memref<256xf32, 1> to memref<256xf32, 1>
  return
}
