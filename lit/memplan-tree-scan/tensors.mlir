// A warning names the first tensor of a program that is not bufferized.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan)' --verify-diagnostics -o /dev/null
func.func @f() {
  // expected-warning @+1 {{the memory of tensor<8xf32> is not planned}}
  %e = tensor.empty() : tensor<8xf32>
  return
}
