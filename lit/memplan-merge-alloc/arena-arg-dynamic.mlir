// Arenas of dynamic size in arguments: callers from outside ask for their size, with the dimensions that it depends on.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ASSERT
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg verify assert-size=false})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,FREE --implicit-check-not=cf.assert
// A second run changes nothing, and what it was computed from can be simplified.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg})' -o %t.once
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg})' \
// RUN:   | diff %t.once -
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(canonicalize,cse,memplan-verify)' \
// RUN:   -o /dev/null
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg hoist-parallel=3 verify})'

// 1. A dimension of an argument, an integer argument and a condition. The static part comes first. What is computed after the start of
// the function is computed there.
// CHECK-LABEL: func.func @all_three_arena_size(
// CHECK-SAME:    %[[D:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: i32, %[[C:[a-z0-9]+]]: i1) -> (index, index)
// CHECK-SAME:    attributes {memplan.dimensions = array<i64: 1, 0, 2, -1, 3, -1>} {
// CHECK-DAG:     arith.mului_extended %[[D]]
// CHECK-DAG:     arith.index_cast %[[K]] : i32 to index
// CHECK-DAG:     arith.select %[[C]]
// CHECK:         return %{{.*}}, %c64{{.*}} : index, index
// CHECK-LABEL: func.func @all_three(
// CHECK-SAME:    %[[GIVEN:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}) {
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// ASSERT:        %[[BYTES:.*]] = memref.dim %[[GIVEN]]
// ASSERT:        %[[FITS:.*]] = arith.cmpi sle, %[[TOTAL:.*]], %[[BYTES]] : index
// ASSERT:        cf.assert %[[FITS]], "the arena is smaller than its size function says"
// ASSERT:        %[[ARENA:.*]] = memref.view %[[GIVEN]][%{{.*}}][%[[TOTAL]]] {memplan.arena = 64 : i64}
// FREE:          %[[ARENA:.*]] = memref.view %[[GIVEN]][%{{.*}}][%{{.*}}] {memplan.arena = 64 : i64}
// CHECK:         memref.view %[[ARENA]][%{{.*}}][] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<5xf32>
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 1 : i64}
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 2 : i64}
// CHECK:         memref.view %[[ARENA]]{{.*}} {memplan.buffer = 3 : i64}
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @all_three(%y: memref<f32>, %x: memref<?x8xf32>, %k: i32, %c: i1) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %s = memref.alloc() : memref<5xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<5xf32>)
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %i = arith.index_cast %k : i32 to index
  %b = memref.alloc(%i) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  scf.if %c {
    %d = memref.alloc(%i, %n) : memref<?x?xf32>
    linalg.fill ins(%one : f32) outs(%d : memref<?x?xf32>)
    %v = memref.load %d[%c0, %c0] : memref<?x?xf32>
    memref.store %v, %s[%c0] : memref<5xf32>
  }
  %u = memref.load %a[%c0, %c0] : memref<?x8xf32>
  %w = memref.load %b[%c0] : memref<?xf32>
  %t = memref.load %s[%c0] : memref<5xf32>
  %v = arith.addf %u, %w : f32
  %r = arith.addf %v, %t : f32
  memref.store %r, %y[] : memref<f32>
  return
}

// -----

// 2. What depends on data stays on the heap; the rest is in the argument.
// CHECK-LABEL: func.func @data_arena_size(%{{[a-z0-9]+}}: index) -> (index, index)
// CHECK-LABEL: func.func @data(
// CHECK-SAME:    %[[GIVEN:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}) {
// CHECK:         memref.view %[[GIVEN]]
// CHECK:         memref.alloc
func.func @data(%x: memref<?xindex>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %k = memref.load %x[%c0] : memref<?xindex>
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  %u = memref.load %a[%c0] : memref<?xf32>
  %v = memref.load %b[%c0] : memref<?xf32>
  %s = arith.addf %u, %v : f32
  memref.store %s, %y[%c0] : memref<?xf32>
  return
}

// -----

// 3. A function that another one calls receives one, too: that one computes the size, and its own includes it.
// CHECK-LABEL: func.func @called_arena_size(
// CHECK-LABEL: func.func @called(
// CHECK-SAME:    %[[GIVEN:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}) {
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @caller_arena_size(
// CHECK-SAME:    %{{[a-z0-9]+}}: index) -> (index, index) attributes {memplan.dimensions = array<i64: 0, 0>}
// CHECK-LABEL: func.func @caller(
// CHECK-SAME:    %[[GIVEN:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}) {
// CHECK:         %[[ARENA:.*]] = memref.view %[[GIVEN]][%{{.*}}][%{{.*}}] {memplan.arena = 64 : i64}
// CHECK:         %[[PASSED:.*]] = memref.view %[[ARENA]][%{{.*}}][%{{.*}}] {memplan.buffer = 0 : i64}
// CHECK-NOT:     memref.alloc
// CHECK:         call @called(%{{.*}}, %[[PASSED]])
func.func @called(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @caller(%x: memref<?xf32>) {
  call @called(%x) : (memref<?xf32>) -> ()
  return
}

// -----

// 4. A division that computes a size executes in both functions, also where its divisor is 0.
// CHECK-LABEL: func.func @divided_arena_size(
// CHECK:         arith.divui
// CHECK-LABEL: func.func @divided(
func.func @divided(%n: index, %k: index, %y: memref<f32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %q = arith.divui %n, %k : index
  %a = memref.alloc(%q) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  %u = memref.load %a[%c0] : memref<?xf32>
  %v = memref.load %b[%c0] : memref<?xf32>
  %s = arith.addf %u, %v : f32
  memref.store %s, %y[] : memref<f32>
  return
}

// -----

// 5. A loop whose iterations lie in the arena of the function: what is dynamic stays on the heap.
// CHECK-LABEL: func.func @hoisted(
func.func @hoisted(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %a = memref.alloc(%n) : memref<?xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<?xi32>)
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %b = memref.alloc() : memref<4xi32>
    linalg.fill ins(%one : i32) outs(%b : memref<4xi32>)
  }
  return
}
