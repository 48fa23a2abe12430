// Programs of sizes at which anything quadratic shows.

// 1. A loop that carries one memref ten thousand times, and passes it around.
// RUN: bash %S/Inputs/carried.sh swapped 10000 > %t.swapped.mlir
// RUN: timeout 20 %memplan-opt %t.swapped.mlir --pass-pipeline='builtin.module(memplan-fold-merges)' | FileCheck %s
// CHECK: memref.copy %arg0, %arg0

// 2. A block that carries one memref ten thousand times, and passes it around.
// RUN: bash %S/Inputs/carried.sh blocks 10000 > %t.blocks.mlir
// RUN: timeout 20 %memplan-opt %t.blocks.mlir --pass-pipeline='builtin.module(memplan-fold-merges)' | FileCheck %s

// 3. A thousand branches in each other: what the innermost holds moves once.
// RUN: bash %S/Inputs/carried.sh nested 1000 > %t.nested.mlir
// RUN: timeout 20 %memplan-opt %t.nested.mlir --pass-pipeline='builtin.module(memplan-fold-merges)' \
// RUN:   | FileCheck %s --check-prefix=NESTED
// NESTED:      memref.copy %arg0, %arg0
// NESTED-NEXT: memref.copy %arg0, %arg0
// NESTED-NEXT: return

// 4. A loop that carries many buffers, planned and freed.
// RUN: bash %S/Inputs/carried.sh each 2000 > %t.each.mlir
// RUN: timeout 20 %memplan-opt %t.each.mlir --pass-pipeline='builtin.module(memplan)' \
// RUN:   | FileCheck %s --check-prefix=PLANNED
// RUN: timeout 20 %memplan-opt %t.each.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=FREED
// PLANNED:           memref.alloc()
// PLANNED-NOT:       memref.alloc()
// PLANNED:           memref.dealloc
// FREED-COUNT-4000:  memref.dealloc
// FREED-NOT:         memref.dealloc
