// No order of these buffers is good for all sizes: a run computes what each of two orders takes, and takes the least.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,memplan-verify)' -o /dev/null
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify arena=arg})' \
// RUN:   | FileCheck %s --check-prefix=ARG
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify remarks})' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// 1. Where n is much larger than m, %f counts, and %a where it is smaller. What is live with both has places that suit one of them. The
// workspace's size is chosen alike.
// REMARK:        remark: merged: at byte {{.*}} or {{.*}} in a slot of min({{.*}}) bytes, which 6 share
// CHECK-LABEL: func @two_orders
// CHECK:         %[[IS_LESS:.*]] = arith.cmpi slt, %[[OTHER:.*]], %[[FIRST:[^ ]*]] : index
// CHECK:         %[[START:.*]] = arith.select %[[IS_LESS]]
// CHECK:         %[[LEAST:.*]] = arith.select %[[IS_LESS]], %[[OTHER]], %[[FIRST]] : index
// CHECK-NOT:     arith.cmpi slt
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]][%[[START]]]
// CHECK-NOT:     memref.alloc(
// ARG-LABEL:   func @two_orders_arena_size
// ARG:           arith.cmpi slt
// ARG:           arith.select
// ARG:           return
// ARG-LABEL:   func @two_orders(
// ARG-NOT:       memref.alloc
// ARG:           return
func.func @two_orders(%n: index, %m: index, %x: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%m, %m, %n) : memref<1x?x?x?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<1x?x?x?xi8>)
  %b = memref.alloc(%n) : memref<16x?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<16x?xi8>)
  %c = memref.alloc(%m, %n) : memref<1x?x?xi8>
  linalg.fill ins(%x : i8) outs(%c : memref<1x?x?xi8>)
  %vc = memref.load %c[%c0, %c0, %c0] : memref<1x?x?xi8>
  memref.dealloc %c : memref<1x?x?xi8>
  %d = memref.alloc(%n) : memref<7x?xi8>
  linalg.fill ins(%x : i8) outs(%d : memref<7x?xi8>)
  %va = memref.load %a[%c0, %c0, %c0, %c0] : memref<1x?x?x?xi8>
  %s0 = arith.addi %vc, %va : i8
  memref.dealloc %a : memref<1x?x?x?xi8>
  %vb = memref.load %b[%c0, %c0] : memref<16x?xi8>
  %s1 = arith.addi %s0, %vb : i8
  memref.dealloc %b : memref<16x?xi8>
  %e = memref.alloc(%m) : memref<7x?xi8>
  linalg.fill ins(%x : i8) outs(%e : memref<7x?xi8>)
  %vd = memref.load %d[%c0, %c0] : memref<7x?xi8>
  %s2 = arith.addi %s1, %vd : i8
  memref.dealloc %d : memref<7x?xi8>
  %f = memref.alloc(%n, %n) : memref<4x?x?xi8>
  linalg.fill ins(%x : i8) outs(%f : memref<4x?x?xi8>)
  %vf = memref.load %f[%c0, %c0, %c0] : memref<4x?x?xi8>
  %s3 = arith.addi %s2, %vf : i8
  memref.dealloc %f : memref<4x?x?xi8>
  %ve = memref.load %e[%c0, %c0] : memref<7x?xi8>
  %s4 = arith.addi %s3, %ve : i8
  memref.dealloc %e : memref<7x?xi8>
  return %s4 : i8
}

// -----

// 2. Nothing is freed, so that buffers share bytes by slots. The first order is that of the slots: no run takes more.
// CHECK-LABEL: func @of_slots
// CHECK:         arith.cmpi slt
// CHECK:         memref.alloc(
// CHECK-NOT:     memref.alloc(
func.func @of_slots(%n: index, %m: index, %x: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc(%n, %m) : memref<7x?x?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<7x?x?xi8>)
  %a = memref.alloc(%n, %n, %m) : memref<2x?x?x?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<2x?x?x?xi8>)
  %vb = memref.load %b[%c0, %c0, %c0] : memref<7x?x?xi8>
  %c = memref.alloc(%m, %m, %m) : memref<8x?x?x?xi8>
  linalg.fill ins(%x : i8) outs(%c : memref<8x?x?x?xi8>)
  %d = memref.alloc(%n, %n, %n) : memref<2x?x?x?xi8>
  linalg.fill ins(%x : i8) outs(%d : memref<2x?x?x?xi8>)
  %vc = memref.load %c[%c0, %c0, %c0, %c0] : memref<8x?x?x?xi8>
  %s0 = arith.addi %vb, %vc : i8
  %va = memref.load %a[%c0, %c0, %c0, %c0] : memref<2x?x?x?xi8>
  %s1 = arith.addi %s0, %va : i8
  %vd = memref.load %d[%c0, %c0, %c0, %c0] : memref<2x?x?x?xi8>
  %s2 = arith.addi %s1, %vd : i8
  return %s2 : i8
}
