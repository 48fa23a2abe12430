// Functions of sizes at which anything quadratic shows.

// 1. Chains of selects and of branches, each of which may be any buffer before.
// RUN: bash %S/Inputs/scale.sh origins 10000 > %t.origins.mlir
// RUN: timeout 20 %memplan-opt %t.origins.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: bash %S/Inputs/scale.sh merges 10000 > %t.merges.mlir
// RUN: timeout 20 %memplan-opt %t.merges.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=ALL
// ALL-COUNT-10000: memref.dealloc
// ALL-NOT:         memref.dealloc

// 2. Copies of values that may be any argument.
// RUN: bash %S/Inputs/scale.sh copies 20000 > %t.copies.mlir
// RUN: timeout 20 %memplan-opt %t.copies.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=COPIES
// COPIES-COUNT-20000: memref.copy
// COPIES-NOT:         memref.copy

// 3. Buffers that the next block receives.
// RUN: bash %S/Inputs/scale.sh passed 10000 > %t.passed.mlir
// RUN: timeout 20 %memplan-opt %t.passed.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=ALL

// 4. A loop that rotates buffers, of regions and of blocks: no two of them are compared.
// RUN: bash %S/Inputs/scale.sh rotating 30000 > %t.rotating.mlir
// RUN: timeout 20 %memplan-opt %t.rotating.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=ROTATED
// RUN: bash %S/Inputs/scale.sh blocks 30000 > %t.blocks.mlir
// RUN: timeout 20 %memplan-opt %t.blocks.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=ROTATED
// ROTATED-COUNT-30000: memref.dealloc
// ROTATED-NOT:         memref.dealloc

// 5. A loop that carries buffers: its results share one list of its operands.
// RUN: bash %S/Inputs/scale.sh carried 30000 > %t.carried.mlir
// RUN: timeout 20 %memplan-opt %t.carried.mlir --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=CARRIED
// CARRIED-COUNT-60000: memref.dealloc
// CARRIED-NOT:         memref.dealloc
