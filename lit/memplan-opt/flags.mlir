// memplan-opt has as flags what the plugin has in pipelines.
// 1. The whole job.
// RUN: memplan-opt %s --memplan | FileCheck %s --check-prefix=ALL
// 2. A pass, with its options, among MLIR's.
// RUN: memplan-opt %s --canonicalize --memplan-merge-alloc="alignment=128 verify" --memplan-verify --cse \
// RUN:   | FileCheck %s --check-prefix=MERGED
// 3. The same bytes as with the plugin.
// RUN: memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o %t.one.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' -o %t.other.mlir && cmp %t.one.mlir %t.other.mlir
// 4. All of it is in the help.
// RUN: memplan-opt --help | FileCheck %s --check-prefix=HELP
// RUN: memplan-opt --version | FileCheck %s --check-prefix=VERSION
// 5. Errors are errors.
// RUN: not memplan-opt %s --memplan-merge-alloc=planner=none 2>&1 | FileCheck %s --check-prefix=ERROR

// ALL: memref.alloc() {{.*}}memplan.arena
// ALL-NOT: memref.alloc
// ALL: memref.dealloc
// MERGED: memref.alloc() {alignment = 128 : i64{{.*}}memplan.arena
// HELP: mlir-opt with memplan
// HELP-DAG: --memplan-merge-alloc {{ *}}-
// HELP-DAG: --memplan-verify {{ *}}-
// HELP-DAG: --memplan {{ *}}-
// HELP-DAG: --memplan-dealloc-pipeline {{ *}}-
// HELP-DAG: --canonicalize {{ *}}-
// VERSION: LLVM version 22
// VERSION: memplan {{[0-9]+\.[0-9]+}}
// ERROR: planner
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
