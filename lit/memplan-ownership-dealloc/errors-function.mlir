// On a function, no option may change other functions.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-ownership-dealloc{private-function-dynamic-ownership}))' \
// RUN:   --verify-diagnostics -o /dev/null

// expected-error @+1 {{memplan-ownership-dealloc: private-function-dynamic-ownership concerns more than one function: schedule the pass on builtin.module [memplan-E004]}}
func.func private @f(%a: memref<8xf32>) -> memref<8xf32> {
  return %a : memref<8xf32>
}
