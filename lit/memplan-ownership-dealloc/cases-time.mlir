// 1. A row of branches that meet again: upstream's search for loops goes through all paths. Ours takes 2,000 of them
// in the time in which upstream's does not do 40.
// RUN: bash %S/Inputs/diamonds.sh 40 > %t.few.mlir
// RUN: bash %S/Inputs/diamonds.sh 2000 > %t.many.mlir
// RUN: timeout 60 %memplan-opt %t.many.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// RUN: timeout 60 %memplan-opt %t.many.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' -o /dev/null
// RUN: not timeout 3 %memplan-opt %t.few.mlir \
// RUN:   --pass-pipeline='builtin.module(ownership-based-buffer-deallocation)' -o /dev/null
// CHECK-COUNT-2001: dealloc
