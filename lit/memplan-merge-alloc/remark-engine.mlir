// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc))' \
// RUN:   --remarks-filter='memplan-merge-alloc' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc))' \
// RUN:   --remarks-filter-missed='memplan.*' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHECK-MISSED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc))' \
// RUN:   --remarks-filter='another-pass' -o /dev/null 2>&1 \
// RUN:   | count 0

// Merged and missed allocations are reported to MLIR's remark engine, which filters by the pass.

// CHECK: [Passed] merged | Category:memplan-merge-alloc | Function=f | Remark="merged: 32 bytes at offset 0 of an arena of 32 bytes [memplan-R101]"
// CHECK: [Missed] returned | Category:memplan-merge-alloc | Function=f | Remark="not merged: it is or may be returned to the caller [returned]; let the caller pass a buffer for the result (buffer-results-to-out-params) [memplan-R102]"
// CHECK-MISSED-NOT: Passed
// CHECK-MISSED: [Missed] returned
func.func @f(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}
