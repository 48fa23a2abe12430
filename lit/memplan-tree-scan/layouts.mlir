// Layouts on one stack.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{mode=defrag fit=first})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,DEFRAG
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{mode=scan fit=first})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,SCAN
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{mode=plain})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=planner})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,PLANNER
// Moves are verified.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first},memplan-verify)' -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first verify=true})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,DEFRAG
// Twice is once.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first},memplan-tree-scan{fit=first})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,DEFRAG

func.func private @use(memref<?xi8>) attributes {memplan.bounded}

// 1. Three buffers of 32, 16 and 32 bytes; the outer ones die, and 64 are wanted: free in total, not in one piece. By
// hand: 144 bytes one after the other, 112 with reused holes, 80 with 16 bytes moved, which are live at once.
// CHECK-LABEL: @figure
// PLAIN: memref.alloc() {alignment = 1 : i64, bufferization.manual_deallocation, memplan.arena} : memref<144xi8>
// SCAN: memref.alloc() {alignment = 1 : i64, bufferization.manual_deallocation, memplan.arena} : memref<112xi8>
// PLANNER: memref.alloc() {alignment = 1 : i64, bufferization.manual_deallocation, memplan.arena} : memref<80xi8>
// PLANNER-NOT: memplan.move
// DEFRAG: %[[STACK:.*]] = memref.alloc() {alignment = 1 : i64, bufferization.manual_deallocation, memplan.arena} : memref<80xi8>
// DEFRAG-DAG: %[[C0:.*]] = arith.constant 0 : index
// DEFRAG-DAG: %[[C16:.*]] = arith.constant 16 : index
// DEFRAG-DAG: %[[C32:.*]] = arith.constant 32 : index
// DEFRAG: %[[FROM:.*]] = memref.view %[[STACK]][%[[C32]]][] {memplan.buffer = 1 : i64} : memref<80xi8> to memref<16xi8>
// DEFRAG: %[[B:.*]] = memref.view %[[STACK]][%[[C0]]][] {memplan.buffer = 1 : i64, memplan.move} : memref<80xi8> to memref<16xi8>
// DEFRAG-NEXT: memref.copy %[[FROM]], %[[B]] {memplan.move}
// DEFRAG-NEXT: %[[D:.*]] = memref.view %[[STACK]][%[[C16]]][] {memplan.buffer = 3 : i64} : memref<80xi8> to memref<64xi8>
// DEFRAG: memref.cast %[[B]]
// CHECK: memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// CHECK-NEXT: return
func.func @figure() {
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<16xi8>
  %c = memref.alloc() : memref<32xi8>
  %va = memref.cast %a : memref<32xi8> to memref<?xi8>
  %vc = memref.cast %c : memref<32xi8> to memref<?xi8>
  call @use(%va) : (memref<?xi8>) -> ()
  call @use(%vc) : (memref<?xi8>) -> ()
  %d = memref.alloc() : memref<64xi8>
  %vb = memref.cast %b : memref<16xi8> to memref<?xi8>
  %vd = memref.cast %d : memref<64xi8> to memref<?xi8>
  call @use(%vb) : (memref<?xi8>) -> ()
  call @use(%vd) : (memref<?xi8>) -> ()
  memref.dealloc %b : memref<16xi8>
  return
}

// 2. Places that overlap: 24 bytes go down by 8, element by element from below. A view made before is made again.
// CHECK-LABEL: @overlap
// DEFRAG: memref.alloc() {{.*}} : memref<40xi8>
// DEFRAG: %[[FROM:.*]] = memref.view {{.*}} {memplan.buffer = 1 : i64} : memref<40xi8> to memref<3xi64>
// DEFRAG-NEXT: memref.subview
// DEFRAG: %[[B:.*]] = memref.view {{.*}} {memplan.buffer = 1 : i64, memplan.move} : memref<40xi8> to memref<3xi64>
// DEFRAG-NEXT: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// DEFRAG-NEXT:   %[[X:.*]] = memref.load %[[FROM]][%[[I]]]
// DEFRAG-NEXT:   memref.store %[[X]], %[[B]][%[[I]]]
// DEFRAG-NEXT: } {memplan.move}
// DEFRAG-NEXT: memref.view {{.*}} to memref<2xi64>
// DEFRAG: memref.subview %[[B]][1] [2] [1]
func.func @overlap(%v: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xi64>
  %b = memref.alloc() : memref<3xi64>
  %s = memref.subview %b[1] [2] [1] : memref<3xi64> to memref<2xi64, strided<[1], offset: 1>>
  memref.store %v, %s[%c0] : memref<2xi64, strided<[1], offset: 1>>
  memref.store %v, %a[%c0] : memref<1xi64>
  %x = memref.load %a[%c0] : memref<1xi64>
  %d = memref.alloc() : memref<2xi64>
  memref.store %v, %d[%c0] : memref<2xi64>
  %y = memref.load %s[%c0] : memref<2xi64, strided<[1], offset: 1>>
  %z = memref.load %d[%c0] : memref<2xi64>
  return %y, %z : i64, i64
}

// 3. Memory that one edge does not need is free on it.
// CHECK-LABEL: @edges
// SCAN: memref.alloc() {{.*}} : memref<64xi8>
// DEFRAG: memref.alloc() {{.*}} : memref<64xi8>
// PLAIN: memref.alloc() {{.*}} : memref<128xi8>
// PLANNER: memref.alloc() {{.*}} : memref<64xi8>
// CHECK: cf.cond_br
// CHECK: memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// CHECK-NEXT: return
// CHECK: memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// CHECK-NEXT: return
func.func @edges(%c: i1) {
  %a = memref.alloc() : memref<64xi8>
  cf.cond_br %c, ^one, ^other
^one:
  %b = memref.alloc() : memref<64xi8>
  %vb = memref.cast %b : memref<64xi8> to memref<?xi8>
  call @use(%vb) : (memref<?xi8>) -> ()
  return
^other:
  %va = memref.cast %a : memref<64xi8> to memref<?xi8>
  call @use(%va) : (memref<?xi8>) -> ()
  return
}

// 4. Returned memory is left alone.
// CHECK-LABEL: @returned
// CHECK: %[[A:.*]] = memref.alloc() : memref<8xi8>
// CHECK: return %[[A]]
func.func @returned() -> memref<8xi8> {
  %a = memref.alloc() : memref<8xi8>
  return %a : memref<8xi8>
}

// 5. A buffer of two dimensions goes down by less than its size as a row of its elements.
// CHECK-LABEL: @rows
// DEFRAG: %[[FROM:.*]] = memref.view {{.*}} {memplan.buffer = 1 : i64} : memref<64xi8> to memref<2x3xi64>
// DEFRAG: %[[B:.*]] = memref.view {{.*}} {memplan.buffer = 1 : i64, memplan.move} : memref<64xi8> to memref<2x3xi64>
// DEFRAG-NEXT: %[[ROW:.*]] = memref.reinterpret_cast %[[FROM]] to offset: [0], sizes: [6], strides: [1] : memref<2x3xi64> to memref<6xi64>
// DEFRAG-NEXT: %[[TO:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [6], strides: [1] : memref<2x3xi64> to memref<6xi64>
// DEFRAG-NEXT: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// DEFRAG-NEXT:   %[[X:.*]] = memref.load %[[ROW]][%[[I]]]
// DEFRAG-NEXT:   memref.store %[[X]], %[[TO]][%[[I]]]
// DEFRAG-NEXT: } {memplan.move}
func.func @rows(%v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xi64>
  %b = memref.alloc() : memref<2x3xi64>
  memref.store %v, %b[%c0, %c0] : memref<2x3xi64>
  memref.store %v, %a[%c0] : memref<1xi64>
  %d = memref.alloc() : memref<2xi64>
  memref.store %v, %d[%c0] : memref<2xi64>
  %y = memref.load %b[%c0, %c0] : memref<2x3xi64>
  memref.store %y, %d[%c0] : memref<2xi64>
  return %y : i64
}
