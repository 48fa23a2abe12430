// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-verify)' -split-input-file -verify-diagnostics

// Workgroup memory of kernels, as memplan-merge-workgroup writes it, with faults.

#wg = #gpu.address_space<workgroup>

// 1. A barrier separates the two buffers: no fault.
gpu.module @good {
  gpu.func @good(%x: f32, %y: memref<64xf32>) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %u, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. Without the second barrier, a slow thread reads what a fast one has overwritten.
gpu.module @removed {
  gpu.func @removed(%x: f32, %y: memref<64xf32>) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-note @below {{the other access}}
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    // expected-error @below {{buffers 0 and 1 share bytes, and no barrier separates this access from one to the other [memplan-E218]}}
    memref.store %u, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. A buffer is read again after the other one took its bytes.
gpu.module @lost {
  gpu.func @lost(%x: f32, %y: memref<64xf32>) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-note @below {{overwritten here}}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.barrier
    // expected-error @below {{buffer 0 is read after buffer 1 overwrote its bytes [memplan-E201]}}
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. Threads of one branch.
gpu.module @branch {
  gpu.func @branch(%x: f32) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %f = arith.cmpi eq, %t, %c0 : index
    scf.if %f {
      // expected-note @below {{the other access}}
      memref.store %x, %a[%t] : memref<64xf32, #wg>
    } else {
      // expected-error @below {{no barrier separates this access}}
      memref.store %x, %b[%t] : memref<64xf32, #wg>
    }
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. A copy in flight.
gpu.module @flight {
  gpu.func @flight(%x: f32, %y: memref<64xf32>) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %a = memref.view %bytes[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    %b = memref.view %bytes[%c0][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-note @below {{the other access}}
    %0 = nvgpu.device_async_copy %y[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %1 = nvgpu.device_async_create_group %0
    gpu.barrier
    // expected-error @below {{no barrier separates this access}}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 6. Views that leave the bytes, are not aligned, or have no constant place; and other uses.
gpu.module @places {
  gpu.func @places(%x: f32, %n: index, %v: i8) workgroup(%bytes: memref<256xi8, #wg> {llvm.align = 4 : i64}, %other: memref<256xi8, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    // expected-error @below {{it ends after the workgroup memory [memplan-E219]}}
    %a = memref.view %bytes[%c128][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<64xf32, #wg>
    // expected-error @below {{it is not aligned}}
    %b = memref.view %bytes[%c2][] {memplan.buffer = 1 : i64} : memref<256xi8, #wg> to memref<8xf32, #wg>
    // expected-error @below {{its offset is not constant}}
    %c = memref.view %bytes[%n][] {memplan.buffer = 2 : i64} : memref<256xi8, #wg> to memref<8xi8, #wg>
    %d = memref.view %bytes[%c0][] {memplan.buffer = 3 : i64} : memref<256xi8, #wg> to memref<8xi8, #wg>
    // expected-error @below {{two views are buffer 3}}
    %e = memref.view %bytes[%c0][] {memplan.buffer = 3 : i64} : memref<256xi8, #wg> to memref<8xi8, #wg>
    // expected-error @below {{the workgroup memory of a kernel is used as a whole}}
    memref.store %v, %bytes[%c0] : memref<256xi8, #wg>
    // expected-error @below {{buffer 3 cannot be followed: its address is extracted as a number}}
    %p = memref.extract_aligned_pointer_as_index %d : memref<8xi8, #wg> -> index
    // expected-error @below {{it is not aligned}}
    %f = memref.view %other[%c0][] {memplan.buffer = 0 : i64} : memref<256xi8, #wg> to memref<8xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 7. A callee has no barrier on one of its paths: the accesses before and after the call are not separated.
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

// 8. A callee accesses a buffer after its last barrier.
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

// 9. A callee frees a buffer.
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

// 10. A barrier without fences.
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

// 11. Between two loops over lanes there is no barrier: the lanes of another warp may still be in the first one.
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

// 12. Buffers that are a whole attribution: the barrier between them is missing, and one is larger than it.
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
