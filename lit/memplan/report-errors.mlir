// A report that cannot be written fails the pass, and what was there before stays.
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{report=/dev/full})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not %memplan-opt %s -o /dev/null 2>&1 \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{report=/dev/full}))' \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{report=/dev/full})' -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{report=/dev/full})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{report=/dev/full})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{report=/dev/full})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write report '/dev/full': No space left on device (os error 28) [memplan-E003]

// RUN: rm -rf %t && mkdir %t
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{report=%t})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: {{.*}}cannot write report '{{.*}}': is a directory [memplan-E003]

// RUN: echo old > %t/report.json
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan{report=%t/report.json capacity=16})' -o /dev/null
// RUN: FileCheck %s --check-prefix=KEPT < %t/report.json
// KEPT: old
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
