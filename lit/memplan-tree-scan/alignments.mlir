// Sizes are rounded up to the strictest alignment only where buffers move.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{verify}))' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{verify mode=scan fit=first}))' \
// RUN:   | FileCheck %s --check-prefix=FIRST
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{verify mode=plain}))' \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{verify virtual}))' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{verify report=%t.json}))' \
// RUN:   -o /dev/null
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE

// 1. Eight bytes, and four single ones.
// CHECK-LABEL: func @one_strict
// CHECK:         memref.alloc() {alignment = 8 : i64, {{.*}}} : memref<12xi8>
// FIRST-LABEL: func @one_strict
// FIRST:         memref<12xi8>
// PLAIN-LABEL: func @one_strict
// PLAIN:         memref<12xi8>
// TABLE:       one_strict
func.func @one_strict(%v: i8, %w: i64) -> i64 {
  %z = arith.constant 0 : index
  %d = memref.alloc() : memref<1xi64>
  memref.store %w, %d[%z] : memref<1xi64>
  %a = memref.alloc() : memref<1xi8>
  %b = memref.alloc() : memref<1xi8>
  %c = memref.alloc() : memref<1xi8>
  %e = memref.alloc() : memref<1xi8>
  memref.store %v, %a[%z] : memref<1xi8>
  memref.store %v, %b[%z] : memref<1xi8>
  memref.store %v, %c[%z] : memref<1xi8>
  memref.store %v, %e[%z] : memref<1xi8>
  %la = memref.load %a[%z] : memref<1xi8>
  %lb = memref.load %b[%z] : memref<1xi8>
  %lc = memref.load %c[%z] : memref<1xi8>
  %le = memref.load %e[%z] : memref<1xi8>
  %ld = memref.load %d[%z] : memref<1xi64>
  %s0 = arith.addi %la, %lc : i8
  %s1 = arith.addi %s0, %lb : i8
  %s4 = arith.addi %s1, %le : i8
  %s2 = arith.extsi %s4 : i8 to i64
  %s3 = arith.addi %s2, %ld : i64
  return %s3 : i64
}

// 2. A strict one after single bytes is aligned, and one more lies in the gap. The planner leaves no gap.
// CHECK-LABEL: func @gap
// CHECK:         memref.alloc() {alignment = 8 : i64, {{.*}}} : memref<12xi8>
// FIRST-LABEL: func @gap
// FIRST:         memref<16xi8>
// PLAIN-LABEL: func @gap
// PLAIN:         memref<17xi8>
func.func @gap(%x: memref<3xi8>, %y: memref<1xi64>, %z: memref<1xi8>) {
  %a = memref.alloc() : memref<3xi8>
  memref.copy %x, %a : memref<3xi8> to memref<3xi8>
  %b = memref.alloc() : memref<1xi64>
  memref.copy %y, %b : memref<1xi64> to memref<1xi64>
  %c = memref.alloc() : memref<1xi8>
  memref.copy %z, %c : memref<1xi8> to memref<1xi8>
  memref.copy %c, %z : memref<1xi8> to memref<1xi8>
  memref.copy %b, %y : memref<1xi64> to memref<1xi64>
  memref.copy %a, %x : memref<3xi8> to memref<3xi8>
  return
}
