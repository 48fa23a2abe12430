// Programs of sizes at which anything quadratic shows.

// 1. Many blocks, each of which stores what it got: where it comes from is followed once.
// RUN: bash %S/Inputs/stores.sh blocks 20000 > %t.blocks.mlir
// RUN: timeout 20 %memplan-opt %t.blocks.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: warning: is not freed

// 2. Many stores to one memref of memrefs, and a read: whether the read follows is decided from its side.
// RUN: bash %S/Inputs/stores.sh branches 4000 > %t.branches.mlir
// RUN: timeout 20 %memplan-opt %t.branches.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BRANCHES
// BRANCHES-COUNT-4000: warning: is not freed

// 3. Where each of many buffers may be each other one, one gather at the end of the iteration compares all: the code
// is not quadratic. It is where there are few.
// RUN: bash %S/Inputs/rotation.sh 300 > %t.many.mlir
// RUN: timeout 20 %memplan-opt %t.many.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=MANY
// MANY-COUNT-2: bufferization.dealloc
// MANY-NOT:     bufferization.dealloc
// RUN: bash %S/Inputs/rotation.sh 3 > %t.few.mlir
// RUN: %memplan-opt %t.few.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=FEW
// FEW:          scf.for
// FEW-COUNT-3:  bufferization.dealloc
// FEW:          scf.yield

// 4. So it is with the results of one call, which may be each other.
// RUN: bash %S/Inputs/results.sh 200 > %t.results.mlir
// RUN: timeout 20 %memplan-opt %t.results.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=RESULTS
// RESULTS:     bufferization.dealloc
// RESULTS-NOT: bufferization.dealloc
// RUN: bash %S/Inputs/results.sh 3 > %t.three.mlir
// RUN: %memplan-opt %t.three.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=THREE
// THREE:         memref.dealloc %{{.*}}#0
// THREE-COUNT-2: bufferization.dealloc

// 5. In a chain of branches, the last buffer may be any before it: all are owned to the end, and each is looked at
// where it is defined and where it is freed.
// RUN: bash %S/Inputs/chain.sh 3000 > %t.chain.mlir
// RUN: timeout 20 %memplan-opt %t.chain.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=CHAIN
// CHAIN-COUNT-3000: bufferization.dealloc
// CHAIN-NEXT:       return
