// Sizes of several orders of magnitude: each buffer begins where the last one below it ends.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,memplan-verify)' -o /dev/null

// 1. One size is linear, another one quadratic. Two buffers are at the start, one after the other, and the two that are live with them
// begin where these end: one of them where both have ended.
// CHECK-LABEL: func @attention
// CHECK:         %[[ZERO:c0_.*]] = arith.constant 0 : index
// CHECK:         %[[A:.*]] = arith.muli
// CHECK:         arith.mului_extended %arg0, %arg0
// CHECK:         arith.muli
// CHECK:         %[[C:.*]] = arith.muli
// CHECK:         %[[D:.*]] = arith.muli
// CHECK:         %[[B:.*]] = arith.andi
// CHECK:         %[[A_END:.*]] = arith.addi %[[B]], %[[A]]
// CHECK:         %[[C_START:.*]] = arith.maxsi %[[B]], %[[D]]
// CHECK:         %[[C_END:.*]] = arith.addi %[[C_START]], %[[C]]
// CHECK:         arith.maxsi %[[A_END]], %[[C_END]]
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]][%[[B]]]{{.*}} {memplan.buffer = 0 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]]{{.*}} {memplan.buffer = 1 : i64}
// CHECK:         memref.view %[[ARENA]][%[[C_START]]]{{.*}} {memplan.buffer = 2 : i64}
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]]{{.*}} {memplan.buffer = 3 : i64}
// CHECK-NOT:     memref.alloc(
func.func @attention(%n: index, %x: f32, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?x?xf32>)
  %u = memref.load %a[%c0, %c0] : memref<?x64xf32>
  memref.dealloc %a : memref<?x64xf32>
  %c = memref.alloc(%n) : memref<?x16xf32>
  linalg.fill ins(%u : f32) outs(%c : memref<?x16xf32>)
  %v = memref.load %b[%c0, %c0] : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  %d = memref.alloc(%n) : memref<?x128xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<?x128xf32>)
  %w = memref.load %c[%c0, %c0] : memref<?x16xf32>
  %y = memref.load %d[%c0, %c0] : memref<?x128xf32>
  %sum = arith.addf %w, %y : f32
  memref.store %sum, %out[] : memref<f32>
  memref.dealloc %c : memref<?x16xf32>
  memref.dealloc %d : memref<?x128xf32>
  return
}

// -----

// 2. Freed early, and of sizes that cannot be compared: slots would have to hold the larger one twice. The second two begin where the
// first one was.
// CHECK-LABEL: func @one_and_two
// CHECK:         %[[N:.*]] = arith.muli
// CHECK:         %[[M:.*]] = arith.muli
// CHECK:         %[[ONE:.*]] = arith.addi
// CHECK:         %[[TWO:.*]] = arith.addi
// CHECK:         arith.maxsi
// CHECK:         memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK-NOT:     memref.alloc(
func.func @one_and_two(%n: index, %m: index, %x: f32, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %u = memref.load %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%u : f32) outs(%b : memref<?xf32>)
  %c = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<?xf32>)
  %v = memref.load %b[%c0] : memref<?xf32>
  %w = memref.load %c[%c0] : memref<?xf32>
  %sum = arith.addf %v, %w : f32
  memref.store %sum, %out[] : memref<f32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// -----

// 3. A large buffer under a condition: its size is 0 where the condition does not hold.
// CHECK-LABEL: func @sometimes
// CHECK-SAME:    index, %[[C:[a-z0-9]+]]: i1
// CHECK:         arith.select %[[C]]
// CHECK:         memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         scf.if %[[C]]
// CHECK-NOT:     memref.alloc(
func.func @sometimes(%n: index, %c: i1, %x: f32, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x64xf32>)
  scf.if %c {
    %large = memref.alloc(%n) : memref<?x256xf32>
    linalg.fill ins(%x : f32) outs(%large : memref<?x256xf32>)
    %u = memref.load %large[%c0, %c0] : memref<?x256xf32>
    linalg.fill ins(%u : f32) outs(%a : memref<?x64xf32>)
    memref.dealloc %large : memref<?x256xf32>
  }
  %v = memref.load %a[%c0, %c0] : memref<?x64xf32>
  %b = memref.alloc(%n) : memref<?x32xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?x32xf32>)
  %w = memref.load %b[%c0, %c0] : memref<?x32xf32>
  %t = memref.load %a[%c0, %c0] : memref<?x64xf32>
  %sum = arith.addf %w, %t : f32
  memref.store %sum, %out[] : memref<f32>
  memref.dealloc %a : memref<?x64xf32>
  memref.dealloc %b : memref<?x32xf32>
  return
}

// -----

// 4. A chain of five sizes that cannot be compared: those that are live at once are in two layers.
// CHECK-LABEL: func @chain
// CHECK:         memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK-NOT:     memref.alloc(
func.func @chain(%k: index, %l: index, %m: index, %n: index, %o: index, %x: f32, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%k) : memref<?xf32>
  %b = memref.alloc(%l) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %u = memref.load %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %c = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%u : f32) outs(%c : memref<?xf32>)
  %v = memref.load %b[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%d : memref<?xf32>)
  %w = memref.load %c[%c0] : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  %e = memref.alloc(%o) : memref<?xf32>
  linalg.fill ins(%w : f32) outs(%e : memref<?xf32>)
  %y = memref.load %d[%c0] : memref<?xf32>
  %z = memref.load %e[%c0] : memref<?xf32>
  %sum = arith.addf %y, %z : f32
  memref.store %sum, %out[] : memref<f32>
  memref.dealloc %d : memref<?xf32>
  memref.dealloc %e : memref<?xf32>
  return
}

// -----

// 5. In a loop, beside a buffer of static size outside: the arena outside is no place for it, and it has none to share with.
// CHECK-LABEL: func @inside
// CHECK:         memref.alloc() {{{.*}}memplan.arena} : memref<128xi8>
// CHECK:         scf.for
// CHECK-NEXT:      %[[SIZE:.*]] = arith.select
// CHECK-NEXT:      memref.alloc(%[[SIZE]])
func.func @inside(%n: index, %t: index, %c: i1) {
  %a = memref.alloc() : memref<16xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %t step %c1 {
    %size = arith.select %c, %i, %n : index
    %b = memref.alloc(%size) : memref<?xi8>
  }
  return
}

// -----

// 6. Sizes of bytes that the program computes by a maximum, a minimum or by rounding.
// CHECK-LABEL: func @bytes
// CHECK:         memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK-NOT:     memref.alloc(
func.func @bytes(%n: index, %m: index, %x: i8, %out: memref<?xi8>) {
  %c63 = arith.constant 63 : index
  %m64 = arith.constant -64 : index
  %larger = arith.maxsi %n, %m : index
  %smaller = arith.minsi %n, %m : index
  %more = arith.addi %n, %c63 : index
  %rounded = arith.andi %more, %m64 : index
  %a = memref.alloc(%larger) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  %b = memref.alloc(%smaller) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  %c = memref.alloc(%rounded) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%c : memref<?xi8>)
  memref.copy %a, %out : memref<?xi8> to memref<?xi8>
  memref.copy %b, %out : memref<?xi8> to memref<?xi8>
  memref.copy %c, %out : memref<?xi8> to memref<?xi8>
  return
}
