// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

// Asynchronous copies access their memory until a wait has covered their group, and a barrier follows.

#wg = #gpu.address_space<workgroup>

// 1. Matrix multiplication with two stages: tiles of the next iteration are copied while those of this one are read. All
// groups are done before the tile of C is written.
gpu.module @stages {
  // CHECK-LABEL: gpu.func @two_stages
  // CHECK-SAME:  workgroup(%{{.*}} : memref<4096xi8
  // expected-remark @below {{workgroup memory: 4096 bytes, 5120 before; 4096 in the largest barrier interval, and at least 4096}}
  // expected-remark @below {{of 2048 bytes at offset}}
  // expected-remark @below {{of 1024 bytes at offset}}
  gpu.func @two_stages(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>)
      workgroup(%as: memref<2x16x16xf32, #wg>, %bs: memref<2x16x16xf32, #wg>, %cs: memref<16x16xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 4, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c48 = arith.constant 48 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %x = arith.muli %tx, %c4 : index
    %t0 = nvgpu.device_async_copy %a[%ty, %x], %as[%c0, %ty, %x], 4 : memref<16x64xf32> to memref<2x16x16xf32, #wg>
    %t1 = nvgpu.device_async_copy %b[%ty, %x], %bs[%c0, %ty, %x], 4 : memref<64x16xf32> to memref<2x16x16xf32, #wg>
    %g0 = nvgpu.device_async_create_group %t0, %t1
    %sum = scf.for %k = %c0 to %c48 step %c16 iter_args(%acc = %zero) -> f32 {
      nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
      gpu.barrier
      %i = arith.divui %k, %c16 : index
      %stage = arith.remui %i, %c2 : index
      %other = arith.subi %c1, %stage : index
      %next = arith.addi %k, %c16 : index
      %col = arith.addi %next, %x : index
      %row = arith.addi %next, %ty : index
      %t2 = nvgpu.device_async_copy %a[%ty, %col], %as[%other, %ty, %x], 4 : memref<16x64xf32> to memref<2x16x16xf32, #wg>
      %t3 = nvgpu.device_async_copy %b[%row, %x], %bs[%other, %ty, %x], 4 : memref<64x16xf32> to memref<2x16x16xf32, #wg>
      %g1 = nvgpu.device_async_create_group %t2, %t3
      %in = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
        %u = memref.load %as[%stage, %ty, %j] : memref<2x16x16xf32, #wg>
        %v = memref.load %bs[%stage, %j, %tx] : memref<2x16x16xf32, #wg>
        %m = arith.mulf %u, %v : f32
        %n = arith.addf %s, %m : f32
        scf.yield %n : f32
      }
      scf.yield %in : f32
    }
    nvgpu.device_async_wait %g0 {numGroups = 0 : i32}
    gpu.barrier
    memref.store %sum, %cs[%ty, %tx] : memref<16x16xf32, #wg>
    gpu.barrier
    %r = memref.load %cs[%ty, %c0] : memref<16x16xf32, #wg>
    memref.store %r, %c[%ty, %tx] : memref<16x16xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. The newest group is still in flight after the wait: its buffer shares nothing. The other one does.
gpu.module @newest {
  // expected-remark @below {{workgroup memory: 512 bytes, 768 before}}
  // expected-remark @below {{of 256 bytes at offset 0 }}
  // expected-remark @below {{of 256 bytes at offset 256 }}
  gpu.func @newest(%x: memref<64xf32>, %y: f32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>, %c: memref<64xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %t0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %g0 = nvgpu.device_async_create_group %t0
    %t1 = nvgpu.device_async_copy %x[%t], %b[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %g1 = nvgpu.device_async_create_group %t1
    nvgpu.device_async_wait %g1 {numGroups = 1 : i32}
    gpu.barrier
    memref.store %y, %c[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. A wait for a token covers its group and older ones.
gpu.module @token {
  // expected-remark @below {{workgroup memory: 512 bytes, 768 before}}
  // expected-remark @below {{of 256 bytes at offset 0 }}
  // expected-remark @below {{of 256 bytes at offset 256 }}
  gpu.func @token(%x: memref<64xf32>, %y: f32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>, %c: memref<64xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %t0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %g0 = nvgpu.device_async_create_group %t0
    %t1 = nvgpu.device_async_copy %x[%t], %b[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %g1 = nvgpu.device_async_create_group %t1
    nvgpu.device_async_wait %g0
    gpu.barrier
    memref.store %y, %c[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. Without a barrier after the wait, another thread may not have waited yet.
gpu.module @unknown {
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @unknown(%x: memref<64xf32>, %y: f32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %t0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    %g0 = nvgpu.device_async_create_group %t0
    gpu.barrier
    nvgpu.device_async_wait %g0
    memref.store %y, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. No wait covers a copy that no group has.
gpu.module @alone {
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @alone(%x: memref<64xf32>, %y: f32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %none = nvgpu.device_async_create_group {}
    %t0 = nvgpu.device_async_copy %x[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, #wg>
    nvgpu.device_async_wait %none {numGroups = 0 : i32}
    gpu.barrier
    memref.store %y, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}
