// Programs of sizes at which anything cubic shows.

// Each call may read and write all buffers before it: pairs of them are compared where one is overwritten, else not.
// RUN: bash %S/Inputs/calls.sh 700 > %t.calls.mlir
// RUN: timeout 20 %memplan-opt %t.calls.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})' \
// RUN:   | FileCheck %s
// CHECK-COUNT-701: memref.view
// CHECK-NOT:       memref.view
