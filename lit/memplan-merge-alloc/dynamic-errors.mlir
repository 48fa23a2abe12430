// Arenas, options and operations that dynamic sizes do not support.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc)' -split-input-file -verify-diagnostics -o /dev/null
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{dynamic=maybe})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// OPTION: dynamic
// OPTION-SAME: slots, skip

// 1. To be at a fixed offset.
func.func @fixed(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{`memplan.offset` fixes an allocation of dynamic size [memplan-E104]}}
  %a = memref.alloc(%n) {memplan.offset = 0 : i64} : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %b[%c0] : memref<?xf32>
  return
}
