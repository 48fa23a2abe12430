// Buffers of dynamic size: slots and their sizes, and the remarks.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify remarks})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,memplan-verify)' \
// RUN:   --split-input-file -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=ANALYSE
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.json})' --split-input-file -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: memplan table --check %t.json

// 1. Two slots: the size of each, at most what no memory holds; the second one starts where the first one
// ends, rounded up; the arena ends where the second one does. The sum goes through a cell on the stack, so that no
// pass takes it for a constant and makes another allocation of the arena, without its marks.
// CHECK-LABEL: func @two
// CHECK-SAME:  %[[N:.*]]: index
// CHECK-DAG:   %[[START:.*]] = arith.constant 0 : index
// CHECK:       %[[LIMITED:.*]] = arith.minui %[[N]], %c4503599627370496
// CHECK:       %[[SIZE:.*]] = arith.muli %[[LIMITED]], %c4
// CHECK:       %[[MORE:.*]] = arith.addi %[[SIZE]], %{{.*}} : index
// CHECK:       %[[UP:.*]] = arith.andi %[[MORE]], %{{.*}} : index
// CHECK:       %[[NEXT:.*]] = arith.addi %[[START]], %[[UP]] : index
// CHECK:       %[[SIZE2:.*]] = arith.muli
// CHECK-NEXT:  %[[TOTAL:.*]] = arith.addi %[[NEXT]], %[[SIZE2]] : index
// CHECK:       memref.store %[[TOTAL]], %[[CELL:.*]][] : memref<index>
// CHECK-NEXT:  %[[OPAQUE:.*]] = memref.load %[[CELL]][] : memref<index>
// CHECK-NEXT:  %[[ARENA:.*]] = memref.alloc(%[[OPAQUE]]) {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<?xi8>
// CHECK:       memref.view %[[ARENA]][%[[START]]][%[[N]]] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:       memref.view %[[ARENA]][%[[NEXT]]][%[[N]]] {memplan.buffer = 1 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:       memref.view %[[ARENA]][%[[START]]][%[[N]]] {memplan.buffer = 2 : i64} : memref<?xi8> to memref<?xf32>
// CHECK-NOT:   memref.alloc
// CHECK:       memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// ANALYSE-LABEL: func @two
// ANALYSE:       memref.alloc{{.*}}memplan.slot = 0
// ANALYSE:       memref.alloc{{.*}}memplan.slot = 1
// ANALYSE:       memref.alloc{{.*}}memplan.slot = 0
// JSON: {"name":"two",
// JSON: "planned_bytes":0,{{.*}}"buffers":[],"slots":[
// JSON-NEXT: {"size":["4*d1"],"alignment":64,"buffers":[{"id":0,{{.*}}"type":"memref<?xf32>","live":{{.*}}},{"id":2,
// JSON-NEXT: {"size":["4*d1"],"alignment":64,"buffers":[{"id":1,
// JSON-SAME: "dimensions":[
// JSON-NEXT: {"name":"d0","argument":1,"dimension":0},
// JSON-NEXT: {"name":"d1","argument":0}]
func.func private @use(memref<?xf32>)
func.func @two(%n: index, %out: memref<?xf32>) {
  // expected-remark @+1 {{merged: in a slot of 4*d1 bytes, which 2 share}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-remark @+1 {{merged: in a slot of 4*d1 bytes, which 1 share}}
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  // expected-remark @+1 {{merged: in a slot of 4*d1 bytes, which 2 share}}
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 2. Sizes that are equal though their values differ: a dimension of a view of the allocated memory, a sum with
// swapped operands. A smaller one, by bounds, needs no max.
// CHECK-LABEL: func @equal
// CHECK-COUNT-1: arith.minui
// CHECK-NOT:   arith.minui
// CHECK:       memref.alloc(
// CHECK-NOT:   memref.alloc(
func.func private @use(memref<?x8xf32>)
func.func @equal(%n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %s = arith.addi %n, %m : index
  // expected-remark @+1 {{merged: in a slot of 32*d0 bytes, which 4 share}}
  %a = memref.alloc(%s) : memref<?x8xf32>
  %v = memref.expand_shape %a [[0, 1], [2]] output_shape [%s, 1, 8] : memref<?x8xf32> into memref<?x1x8xf32>
  %d = memref.dim %v, %c0 : memref<?x1x8xf32>
  call @use(%a) : (memref<?x8xf32>) -> ()
  // expected-remark @+1 {{merged: in a slot of 32*d0 bytes, which 4 share}}
  %b = memref.alloc(%d) : memref<?x8xf32>
  call @use(%b) : (memref<?x8xf32>) -> ()
  %t = arith.addi %m, %n : index
  // expected-remark @+1 {{merged: in a slot of 32*d0 bytes, which 4 share}}
  %c = memref.alloc(%t) : memref<?x8xf32>
  call @use(%c) : (memref<?x8xf32>) -> ()
  %u = affine.apply affine_map<()[s0] -> (s0 - 1)>()[%s]
  // expected-remark @+1 {{merged: in a slot of 32*d0 bytes, which 4 share}}
  %e = memref.alloc(%u) : memref<?x8xf32>
  call @use(%e) : (memref<?x8xf32>) -> ()
  return
}

// -----

// 3. Sizes that look equal and are not: another dimension, a product, a value of another iteration. Each one counts.
// CHECK-LABEL: func @unequal
// CHECK:       arith.maxsi
// CHECK:       %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended
// CHECK:       %[[MORE:.*]] = arith.cmpi ne, %[[HIGH]], %c0
// CHECK:       %[[PRODUCT:.*]] = arith.select %[[MORE]], %c-1{{.*}}, %[[LOW]]
// CHECK:       arith.minui %[[PRODUCT]]
// CHECK:       arith.maxsi
// CHECK:       memref.alloc(
// CHECK-NOT:   memref.alloc(
func.func private @use(memref<?xf32>)
func.func @unequal(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %p = arith.muli %n, %m : index
  // expected-remark @+1 {{merged: in a slot of max(4*d0, 4*d1, 4*d0*d1) bytes, which 3 share}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-remark @+1 {{merged: in a slot of max(4*d0, 4*d1, 4*d0*d1) bytes, which 3 share}}
  %b = memref.alloc(%m) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  // expected-remark @+1 {{merged: in a slot of max(4*d0, 4*d1, 4*d0*d1) bytes, which 3 share}}
  %c = memref.alloc(%p) : memref<?xf32>
  call @use(%c) : (memref<?xf32>) -> ()
  return
}

// -----

// 4. A size that is known to be at least a constant has space for it, also where only the source of a cast shows that.
// CHECK-LABEL: func @space_by_a_cast
// CHECK:         scf.if %{{.*}} {
// CHECK:           memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// CHECK-NOT:       memref.alloc
// CHECK:         return
func.func @space_by_a_cast(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // expected-remark @+1 {{merged: 36 bytes}}
  %a = memref.alloc() : memref<9xf32>
  %b = memref.cast %a : memref<9xf32> to memref<?xf32>
  // expected-remark @+1 {{merged: in a slot of 4*d0 bytes, which 1 share}}
  %e = memref.alloc(%n) : memref<?xf32>
  %n1 = arith.addi %n, %c1 : index
  %bit = arith.remui %n1, %c2 : index
  %even = arith.cmpi eq, %bit, %c0 : index
  %r = scf.if %even -> (memref<?xf32>) {
    scf.yield %b : memref<?xf32>
  } else {
    scf.yield %b : memref<?xf32>
  }
  %z = scf.for %i = %c0 to %c0 step %c1 iter_args(%p = %e) -> (memref<?xf32>) {
    scf.for %j = %c0 to %c3 step %c1 {
      %j3 = arith.addi %j, %c3 : index
      %rest = arith.remui %j3, %c3 : index
      %never = arith.cmpi ult, %rest, %c0 : index
      scf.if %never {
        // expected-remark @+1 {{merged: in a slot of 4*d2 bytes, which 2 share}}
        %s = memref.alloc(%c3) {alignment = 64 : i64} : memref<?xf32>
        %t_size = memref.dim %b, %c0 : memref<?xf32>
        // expected-remark @+1 {{merged: in a slot of 4*d2 bytes, which 2 share}}
        %t = memref.alloc(%t_size) : memref<?xf32>
      }
    }
    scf.yield %r : memref<?xf32>
  }
  return
}
