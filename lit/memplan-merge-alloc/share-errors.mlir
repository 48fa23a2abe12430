// What `share=entry-points` refuses.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global share=entry-points})'
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{share=entry-points})' 2>&1 \
// RUN:   | FileCheck %s
// CHECK: option 'share=entry-points' needs 'arena=global'

// 1. An entry point that calls another one, through a private function.
// expected-error @+1 {{share=entry-points: @outer and @other would use one arena at once: one calls the other [memplan-E109]}}
func.func @outer(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.transpose ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) permutation = [0]
  // expected-note @+1 {{called here}}
  call @between(%a) : (memref<4xf32>) -> ()
  linalg.transpose ins(%a : memref<4xf32>) outs(%x : memref<4xf32>) permutation = [0]
  return
}
func.func private @between(%x: memref<4xf32>) {
  call @other(%x) : (memref<4xf32>) -> ()
  return
}
func.func @other(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.transpose ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<4xf32>) outs(%x : memref<4xf32>) permutation = [0]
  return
}

// -----

// 2. Unknown code may call any entry point.
func.func private @unknown()
// expected-error @+1 {{@unknown has no body and may call it again}}
func.func @calls_unknown(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.transpose ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) permutation = [0]
  // expected-note @+1 {{called here}}
  call @unknown() : () -> ()
  linalg.transpose ins(%a : memref<4xf32>) outs(%x : memref<4xf32>) permutation = [0]
  return
}
