// Buffers that are donated to callees are not read afterwards, and not passed twice.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics \
// RUN:   -o /dev/null

// 1. It is read on one path after the call; what is written to it later is not lost.
func.func private @consume(%x: memref<8xf32> {memplan.donated}) {
  return
}
func.func @read(%c: i1, %in: memref<8xf32>, %out: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  scf.if %c {
    // expected-note @+1 {{donated here}}
    func.call @consume(%a) : (memref<8xf32>) -> ()
  }
  // expected-error @+1 {{buffer 0 is read after it was donated to a callee [memplan-E213]}}
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 2. The call passes it twice, or a buffer in the same bytes.
func.func private @consume(%x: memref<8xf32> {jax.buffer_donor = true}, %y: memref<8xf32>) {
  return
}
func.func @twice(%in: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  // expected-error @+1 {{buffer 0 is donated to a callee that receives it as another argument, too [memplan-E213]}}
  func.call @consume(%a, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}
func.func @shared(%in: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<64xi8>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
  // expected-error @+4 {{buffer 0 is read while buffer 1 overwrites its bytes [memplan-E201]}}
  // expected-error @+3 {{buffer 0 is donated to a callee that receives buffer 1 in the same bytes, too [memplan-E213]}}
  // expected-error @+2 {{buffer 1 is read while buffer 0 overwrites its bytes [memplan-E201]}}
  // expected-note @+1 {{overwritten here}}
  func.call @consume(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// 3. The callee returns it: the result is not lost. It returns the other argument: the result is that.
func.func private @first(%x: memref<8xf32> {memplan.donated}, %y: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
func.func private @second(%x: memref<8xf32> {memplan.donated}, %y: memref<8xf32>) -> memref<8xf32> {
  return %y : memref<8xf32>
}
func.func @returned(%in: memref<8xf32>, %out: memref<8xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.view %arena[%c64][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%b : memref<8xf32>)
  %r = func.call @first(%a, %b) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  // expected-note @+1 {{donated here}}
  %s = func.call @second(%r, %b) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  memref.copy %s, %out : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{buffer 0 is read after it was donated to a callee [memplan-E213]}}
  memref.copy %r, %out : memref<8xf32> to memref<8xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}
