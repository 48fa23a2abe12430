// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// 1. Barriers of dialects below gpu for all threads of the workgroup, which order their accesses to its memory.
gpu.module @all {
  // CHECK-LABEL: gpu.func @all
  // CHECK-SAME:  workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // expected-remark @below {{workgroup memory: 256 bytes, 1536 before}}
  // expected-remark @below {{merged}}
  gpu.func @all(%x: f32, %p: i32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>, %c: memref<64xf32, #wg>, %d: memref<64xf32, #wg>,
                %e: memref<64xf32, #wg>, %f: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %id = arith.constant 3 : i32
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    nvvm.barrier0
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    nvvm.barrier
    memref.store %x, %c[%t] : memref<64xf32, #wg>
    nvvm.barrier id = %id
    memref.store %x, %d[%t] : memref<64xf32, #wg>
    rocdl.barrier
    memref.store %x, %e[%t] : memref<64xf32, #wg>
    amdgpu.lds_barrier
    memref.store %x, %f[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. Barriers that are none here: for a number of threads, of an id that is not constant, for a warp; without fences; and the
// halves of a barrier.
gpu.module @some {
  // CHECK-LABEL: gpu.func @some
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @some(%x: f32, %id: i32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %count = arith.constant 64 : i32
    %mask = arith.constant -1 : i32
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    nvvm.barrier id = %id
    nvvm.barrier id = %mask number_of_threads = %count
    nvvm.barrier.arrive number_of_threads = %count
    nvvm.bar.warp.sync %mask : i32
    rocdl.s.barrier
    rocdl.s.barrier.signal id = -1
    rocdl.s.barrier.wait id = -1
    amdgpu.sched_barrier allow = <none>
    gpu.barrier {address_spaces = [#gpu.address_space<global>]}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. Only some threads may come to it.
gpu.module @divergent {
  // CHECK-LABEL: gpu.func @divergent
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @divergent(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      // expected-warning @below {{not all threads may reach this barrier}}
      nvvm.barrier0
    }
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}
