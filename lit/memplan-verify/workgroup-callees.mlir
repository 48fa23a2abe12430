// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics

// Workgroup memory of kernels: functions that threads call, barriers below gpu, inner loops over threads, and whole attributions.

#wg = #gpu.address_space<workgroup>

// 1. A callee has no barrier on one of its paths: the accesses before and after the call are not separated.
gpu.module @callee {
  func.func @perhaps(%p: i1) {
    scf.if %p {
      gpu.barrier
    }
    return
  }
  gpu.func @callee(%x: f32, %p: i1) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-note @below {{the other access}}
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    func.call @perhaps(%p) : (i1) -> ()
    // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. A callee accesses a buffer after its last barrier.
gpu.module @after {
  func.func @sum(%a: memref<64xf32, #wg>, %x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %r = memref.load %a[%c0] : memref<64xf32, #wg>
    return %r : f32
  }
  gpu.func @after(%x: f32) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-note @below {{the other access}}
    %r = func.call @sum(%a, %x) : (memref<64xf32, #wg>, f32) -> f32
    // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
    memref.store %r, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. A callee frees a buffer.
gpu.module @frees {
  func.func @free(%a: memref<64xf32, #wg>) {
    memref.dealloc %a : memref<64xf32, #wg>
    return
  }
  gpu.func @frees(%x: f32) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-error @below {{buffer 0 cannot be followed: it is freed by something other than memref.dealloc}}
    func.call @free(%a) : (memref<64xf32, #wg>) -> ()
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. A barrier without fences.
gpu.module @fences {
  gpu.func @fences(%x: f32) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-note @below {{the other access}}
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    rocdl.s.barrier
    // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. Between two loops over lanes there is no barrier: the lanes of another warp may still be in the first one.
func.func @lanes(%x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%w) in (4) {
    %bytes = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<512xi8, #wg>
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<512xi8, #wg> to memref<4x32xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<512xi8, #wg> to memref<4x32xf32, #wg>
    scf.forall (%l) in (32) {
      // expected-note @below {{the other access}}
      memref.store %x, %a[%w, %l] : memref<4x32xf32, #wg>
    } {mapping = [#gpu.lane<linear_dim_0>]}
    scf.forall (%l) in (32) {
      // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
      memref.store %x, %b[%w, %l] : memref<4x32xf32, #wg>
    } {mapping = [#gpu.lane<linear_dim_0>]}
    memref.dealloc %bytes {bufferization.manual_deallocation} : memref<512xi8, #wg>
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 6. Buffers that are a whole attribution: the barrier between them is missing, and one is larger than it.
func.func @whole(%x: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1)
             workgroup(%all : memref<64xf32, #wg>, %small : memref<8xf32, #wg>) {
    %a = memref.reinterpret_cast %all to offset: [0], sizes: [64], strides: [1] {memplan.buffer = 0 : i64} : memref<64xf32, #wg> to memref<64xf32, #wg>
    %b = memref.reinterpret_cast %all to offset: [0], sizes: [8, 4], strides: [4, 1] {memplan.buffer = 1 : i64} : memref<64xf32, #wg> to memref<8x4xf32, #wg>
    // expected-error @below {{it ends after the workgroup memory [memplan-E219]}}
    %c = memref.reinterpret_cast %small to offset: [0], sizes: [16], strides: [1] {memplan.buffer = 0 : i64} : memref<8xf32, #wg> to memref<16xf32, #wg>
    // expected-note @below {{the other access}}
    memref.store %x, %a[%tx] : memref<64xf32, #wg>
    // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
    memref.store %x, %b[%tx, %tx] : memref<8x4xf32, #wg>
    memref.store %x, %c[%tx] : memref<16xf32, #wg>
    gpu.terminator
  }
  return
}
