"""A program of torch-mlir: bufferized by its MLIR, planned by memplan, and read back."""

import memplan
from torch_mlir.ir import Context, Module
from torch_mlir.passmanager import PassManager

PROGRAM = """
func.func @f(%x: tensor<64xf32>, %w: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %a = linalg.matvec ins(%w, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  %b = linalg.matvec ins(%w, %a : tensor<64x64xf32>, tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.matvec ins(%w, %b : tensor<64x64xf32>, tensor<64xf32>) outs(%i : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
"""

with Context():
    module = Module.parse(PROGRAM)
    # The two versions of MLIR share text. Bytecode is for one version.
    bufferize = "builtin.module(one-shot-bufferize{bufferize-function-boundaries})"
    PassManager.parse(bufferize).run(module.operation)
    result = memplan.optimize(str(module))
    print(result.table())
    planned = Module.parse(result.module)
    assert planned.operation.verify()
