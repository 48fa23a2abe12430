// Arenas of dynamic size: a slot that has space for the largest of many sizes.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. The largest of many sizes, nested to either side: all of them fit, what is no part of it does not.
func.func @largest_first(%n0: index, %n1: index, %n2: index, %n3: index, %n4: index, %n5: index, %n6: index, %n7: index, %n8: index, %n9: index, %n10: index, %n11: index, %n12: index, %n13: index, %n14: index, %n15: index, %n16: index, %n17: index, %n18: index, %n19: index, %n20: index, %n21: index, %n22: index, %n23: index, %other: index) {
  %c0 = arith.constant 0 : index
  %m0 = arith.maxsi %n0, %c0 : index
  %m1 = arith.maxsi %m0, %n1 : index
  %m2 = arith.maxsi %m1, %n2 : index
  %m3 = arith.maxsi %m2, %n3 : index
  %m4 = arith.maxsi %m3, %n4 : index
  %m5 = arith.maxsi %m4, %n5 : index
  %m6 = arith.maxsi %m5, %n6 : index
  %m7 = arith.maxsi %m6, %n7 : index
  %m8 = arith.maxsi %m7, %n8 : index
  %m9 = arith.maxsi %m8, %n9 : index
  %m10 = arith.maxsi %m9, %n10 : index
  %m11 = arith.maxsi %m10, %n11 : index
  %m12 = arith.maxsi %m11, %n12 : index
  %m13 = arith.maxsi %m12, %n13 : index
  %m14 = arith.maxsi %m13, %n14 : index
  %m15 = arith.maxsi %m14, %n15 : index
  %m16 = arith.maxsi %m15, %n16 : index
  %m17 = arith.maxsi %m16, %n17 : index
  %m18 = arith.maxsi %m17, %n18 : index
  %m19 = arith.maxsi %m18, %n19 : index
  %m20 = arith.maxsi %m19, %n20 : index
  %m21 = arith.maxsi %m20, %n21 : index
  %m22 = arith.maxsi %m21, %n22 : index
  %m23 = arith.maxsi %m22, %n23 : index
  %arena = memref.alloc(%m23) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a0 = memref.view %arena[%c0][%n0] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  %a5 = memref.view %arena[%c0][%n5] {memplan.buffer = 5 : i64} : memref<?xi8> to memref<?xi8>
  %a23 = memref.view %arena[%c0][%n23] {memplan.buffer = 23 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 40 cannot be verified: it may exceed the arena [memplan-E210]}}
  %b = memref.view %arena[%c0][%other] {memplan.buffer = 40 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
func.func @largest_last(%n0: index, %n1: index, %n2: index, %n3: index, %n4: index, %n5: index, %n6: index, %n7: index, %n8: index, %n9: index, %n10: index, %n11: index, %n12: index, %n13: index, %n14: index, %n15: index, %n16: index, %n17: index, %n18: index, %n19: index, %n20: index, %n21: index, %n22: index, %n23: index, %other: index) {
  %c0 = arith.constant 0 : index
  %m0 = arith.maxsi %n0, %c0 : index
  %m1 = arith.maxsi %n1, %m0 : index
  %m2 = arith.maxsi %n2, %m1 : index
  %m3 = arith.maxsi %n3, %m2 : index
  %m4 = arith.maxsi %n4, %m3 : index
  %m5 = arith.maxsi %n5, %m4 : index
  %m6 = arith.maxsi %n6, %m5 : index
  %m7 = arith.maxsi %n7, %m6 : index
  %m8 = arith.maxsi %n8, %m7 : index
  %m9 = arith.maxsi %n9, %m8 : index
  %m10 = arith.maxsi %n10, %m9 : index
  %m11 = arith.maxsi %n11, %m10 : index
  %m12 = arith.maxsi %n12, %m11 : index
  %m13 = arith.maxsi %n13, %m12 : index
  %m14 = arith.maxsi %n14, %m13 : index
  %m15 = arith.maxsi %n15, %m14 : index
  %m16 = arith.maxsi %n16, %m15 : index
  %m17 = arith.maxsi %n17, %m16 : index
  %m18 = arith.maxsi %n18, %m17 : index
  %m19 = arith.maxsi %n19, %m18 : index
  %m20 = arith.maxsi %n20, %m19 : index
  %m21 = arith.maxsi %n21, %m20 : index
  %m22 = arith.maxsi %n22, %m21 : index
  %m23 = arith.maxsi %n23, %m22 : index
  %arena = memref.alloc(%m23) {alignment = 64 : i64, memplan.arena} : memref<?xi8>
  %a0 = memref.view %arena[%c0][%n0] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xi8>
  %a5 = memref.view %arena[%c0][%n5] {memplan.buffer = 5 : i64} : memref<?xi8> to memref<?xi8>
  %a23 = memref.view %arena[%c0][%n23] {memplan.buffer = 23 : i64} : memref<?xi8> to memref<?xi8>
  // expected-error @+1 {{the offset of buffer 40 cannot be verified: it may exceed the arena [memplan-E210]}}
  %b = memref.view %arena[%c0][%other] {memplan.buffer = 40 : i64} : memref<?xi8> to memref<?xi8>
  memref.dealloc %arena : memref<?xi8>
  return
}
