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

// -----

// 4. What is donated is used after the call, or passed twice. The result of the call may be used.
func.func private @step(%x: memref<4xf32> {memplan.donated}, %y: memref<4xf32>) -> memref<4xf32> {
  linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  return %x : memref<4xf32>
}
func.func @later(%y: memref<4xf32>, %i: index, %c: i1) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  // expected-error @+1 {{argument 0 is donated, but its memory is used after the call [memplan-E122]}}
  %r = call @step(%a, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %v = scf.if %c -> f32 {
    // expected-note @+1 {{it is used here}}
    %old = memref.load %a[%i] : memref<4xf32>
    scf.yield %old : f32
  } else {
    %new = memref.load %r[%i] : memref<4xf32>
    scf.yield %new : f32
  }
  return %v : f32
}
func.func @twice(%y: memref<4xf32>, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  // expected-error @+1 {{argument 0 is donated, and its memory is argument 1, too [memplan-E122]}}
  %r = call @step(%a, %a) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %v = memref.load %r[%i] : memref<4xf32>
  return %v : f32
}

// -----

// 5. On another path it may be used, and a later iteration has another one.
func.func private @step(%x: memref<4xf32> {memplan.donated}, %y: memref<4xf32>) -> memref<4xf32> {
  linalg.exp ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
  return %x : memref<4xf32>
}
func.func @paths(%y: memref<4xf32>, %i: index, %n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  %b = scf.for %j = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    %r = func.call @step(%x, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  }
  %v = scf.if %c -> f32 {
    %r = func.call @step(%b, %y) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    %new = memref.load %r[%i] : memref<4xf32>
    scf.yield %new : f32
  } else {
    %old = memref.load %b[%i] : memref<4xf32>
    scf.yield %old : f32
  }
  return %v : f32
}

// -----

// 7. It is stored, or a callee may keep it.
func.func private @keep(%x: memref<4xf32>, %cell: memref<memref<4xf32>>) {
  memref.store %x, %cell[] : memref<memref<4xf32>>
  return
}
// expected-error @+1 {{argument 0 is donated, but its address may be stored in memory [memplan-E123]}}
func.func @stored(%x: memref<4xf32> {memplan.donated}, %cell: memref<memref<4xf32>>) {
  memref.store %x, %cell[] : memref<memref<4xf32>>
  return
}
// expected-error @+1 {{argument 0 is donated, but it is passed to a call that may capture or free it [memplan-E123]}}
func.func @passed(%x: memref<4xf32> {memplan.donated}, %cell: memref<memref<4xf32>>) {
  call @keep(%x, %cell) : (memref<4xf32>, memref<memref<4xf32>>) -> ()
  return
}
func.func @jax(%x: memref<4xf32> {jax.buffer_donor = true}, %cell: memref<memref<4xf32>>) {
  memref.store %x, %cell[] : memref<memref<4xf32>>
  return
}

// -----

// 8. The result that starts as its copy is in another space, or is aligned more strictly.
// expected-error @+1 {{argument 0 is donated, but the result that starts as its copy is in another memory space [memplan-E124]}}
func.func @space(%x: memref<4xf32> {memplan.donated}) -> memref<4xf32, 1> {
  %r = memref.alloc() : memref<4xf32, 1>
  memref.copy %x, %r : memref<4xf32> to memref<4xf32, 1>
  return %r : memref<4xf32, 1>
}
// expected-error @+1 {{argument 0 is donated, but the result that starts as its copy is aligned to 64 bytes, and the argument to 16 [memplan-E124]}}
func.func @alignment(%x: memref<4xf32> {memplan.donated, llvm.align = 16 : i64}) -> memref<4xf32> {
  %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %x, %r : memref<4xf32> to memref<4xf32>
  return %r : memref<4xf32>
}
