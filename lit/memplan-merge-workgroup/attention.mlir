// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' -verify-diagnostics \
// RUN:   | FileCheck %s

// Rows of softmax(Q K^T) V: tiles of keys and of values are in different barrier intervals of a loop. Each iteration overwrites
// them as a whole, so neither is needed while the other is there. The largest interval has the tiles of Q, V, the scores, and
// a number for each row.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @attention
  // CHECK-SAME:  workgroup(%{{.*}} : memref<5184xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // expected-remark @below {{workgroup memory: 5184 bytes, 9280 before; 5184 in the largest barrier interval, and at least 5184 with these barriers}}
  // expected-remark @below {{merged: memref<16x32xf32, #gpu.address_space<workgroup>> of 2048 bytes at offset 0 }}
  // expected-remark @below {{of 2048 bytes at offset 2048 }}
  // expected-remark @below {{of 1024 bytes at offset 4096 }}
  // expected-remark @below {{of 64 bytes at offset 5120 }}
  gpu.func @attention(%q: memref<16x32xf32>, %k: memref<64x32xf32>, %v: memref<64x32xf32>, %o: memref<16x32xf32>)
      workgroup(%qs: memref<16x32xf32, #wg>, %ks: memref<16x32xf32, #wg>, %ss: memref<16x16xf32, #wg>, %vs: memref<16x32xf32, #wg>, %rows: memref<16xf32, #wg>, %os: memref<16x32xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    scf.for %d = %tx to %c32 step %c16 {
      %x = memref.load %q[%ty, %d] : memref<16x32xf32>
      memref.store %x, %qs[%ty, %d] : memref<16x32xf32, #wg>
    }
    %acc = scf.for %j = %c0 to %c64 step %c16 iter_args(%a = %zero) -> f32 {
      %key = arith.addi %j, %ty : index
      scf.for %d = %tx to %c32 step %c16 {
        %x = memref.load %k[%key, %d] : memref<64x32xf32>
        memref.store %x, %ks[%ty, %d] : memref<16x32xf32, #wg>
      }
      gpu.barrier
      %s = scf.for %d = %c0 to %c32 step %c1 iter_args(%p = %zero) -> f32 {
        %x = memref.load %qs[%ty, %d] : memref<16x32xf32, #wg>
        %y = memref.load %ks[%tx, %d] : memref<16x32xf32, #wg>
        %m = arith.mulf %x, %y : f32
        %n = arith.addf %p, %m : f32
        scf.yield %n : f32
      }
      gpu.barrier
      memref.store %s, %ss[%ty, %tx] : memref<16x16xf32, #wg>
      scf.for %d = %tx to %c32 step %c16 {
        %x = memref.load %v[%key, %d] : memref<64x32xf32>
        memref.store %x, %vs[%ty, %d] : memref<16x32xf32, #wg>
      }
      gpu.barrier
      %is_first = arith.cmpi eq, %tx, %c0 : index
      scf.if %is_first {
        %max = scf.for %i = %c0 to %c16 step %c1 iter_args(%p = %zero) -> f32 {
          %x = memref.load %ss[%ty, %i] : memref<16x16xf32, #wg>
          %n = arith.maximumf %p, %x : f32
          scf.yield %n : f32
        }
        memref.store %max, %rows[%ty] : memref<16xf32, #wg>
      }
      gpu.barrier
      %r = memref.load %rows[%ty] : memref<16xf32, #wg>
      %b = scf.for %i = %c0 to %c16 step %c1 iter_args(%p = %a) -> f32 {
        %x = memref.load %ss[%ty, %i] : memref<16x16xf32, #wg>
        %z = arith.subf %x, %r : f32
        %e = math.exp %z : f32
        %y = memref.load %vs[%i, %tx] : memref<16x32xf32, #wg>
        %m = arith.mulf %e, %y : f32
        %n = arith.addf %p, %m : f32
        scf.yield %n : f32
      }
      gpu.barrier
      scf.yield %b : f32
    }
    scf.for %d = %tx to %c32 step %c16 {
      memref.store %acc, %os[%ty, %d] : memref<16x32xf32, #wg>
    }
    gpu.barrier
    scf.for %d = %tx to %c32 step %c16 {
      %x = memref.load %os[%ty, %d] : memref<16x32xf32, #wg>
      memref.store %x, %o[%ty, %d] : memref<16x32xf32>
    }
    gpu.return
  }
}
