// Where `memplan.donated` has no meaning.
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan-elide-copies)'
// RUN: %memplan-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(memplan)'

// 1. No memref.
// expected-error @+1 {{argument 1 is donated, but is no memref [memplan-E121]}}
func.func @number(%x: memref<4xf32>, %v: f32 {memplan.donated}) {
  return
}

// -----

// 2. No body, which the caller's other tools could not know of.
// expected-error @+1 {{argument 0 is donated, but belongs to a function without a body [memplan-E121]}}
func.func private @external(memref<4xf32> {memplan.donated})

// -----

// 3. Attributes of other tools have their own meaning there.
func.func private @jax(memref<4xf32> {jax.buffer_donor = true}, f32 {tf.aliasing_output = 0 : i32})
func.func @numbers(%v: f32 {tf.aliasing_output = 0 : i32}) -> f32 {
  return %v : f32
}
