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
