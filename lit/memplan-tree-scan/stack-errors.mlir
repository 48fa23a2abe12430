// Where a stack cannot live.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{arena=alloca})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{arena=alloca virtual=true})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. A function that is no scope of stack memory.
// expected-error @+1 {{arena=alloca: the function is not an AutomaticAllocationScope, so it cannot hold stack memory [memplan-E807]}}
ml_program.func @no_scope() {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  ml_program.return
}
