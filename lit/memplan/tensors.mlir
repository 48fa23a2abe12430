// Programs that are not bufferized: a warning names the first tensor, and the pass to run.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' --split-input-file --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc))' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. An argument.
// expected-warning @+1 {{the memory of tensor<8xf32> is not planned: bufferize the program first, as with `one-shot-bufferize{bufferize-function-boundaries}` [memplan-W001]}}
func.func @argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x: tensor<8xf32>) outs(%e: tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// 2. A result, in a branch; what is on memrefs is planned.
func.func @result(%n: index, %b: i1, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  scf.if %b {
    // expected-warning @+1 {{the memory of tensor<?xi32> is not planned}}
    %e = tensor.empty(%n) : tensor<?xi32>
    %d = tensor.dim %e, %c0 : tensor<?xi32>
    %v = memref.load %a[%d] : memref<8xf32>
    memref.store %v, %y[%d] : memref<8xf32>
  }
  memref.dealloc %a : memref<8xf32>
  return
}

// -----

// 3. None.
func.func @none(%x: memref<8xf32>, %v: vector<4xf32>) {
  return
}
