// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' -verify-diagnostics \
// RUN:   | FileCheck %s

// C = A B by tiles of 16 x 16. The tile of C, which goes through workgroup memory to be transposed, takes the bytes of that
// of A: the barrier at the end of each iteration separates them.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @matmul
  // CHECK-SAME:  workgroup(%[[BYTES:.*]] : memref<2048xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
  // CHECK:       memref.view %[[BYTES]][%[[C0:.*]]][] {memplan.buffer = 0 : i64}
  // CHECK:       memref.view %[[BYTES]][%[[C1024:.*]]][] {memplan.buffer = 1 : i64}
  // CHECK:       memref.view %[[BYTES]][%[[C0]]][] {memplan.buffer = 2 : i64}
  // expected-remark @below {{workgroup memory: 2048 bytes, 3072 before; 2048 in the largest barrier interval, and at least 2048 with these barriers [memplan-R854]}}
  // expected-remark @below {{at offset 0 of 2048 bytes of workgroup memory [memplan-R851]}}
  // expected-remark @below {{at offset 1024 of 2048 bytes}}
  gpu.func @matmul(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>)
      workgroup(%as: memref<16x16xf32, #wg>, %bs: memref<16x16xf32, #wg>, %cs: memref<16x16xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %r0 = arith.muli %by, %c16 : index
    %row = arith.addi %r0, %ty : index
    %k0 = arith.muli %bx, %c16 : index
    %col = arith.addi %k0, %tx : index
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %zero) -> f32 {
      %ka = arith.addi %k, %tx : index
      %va = memref.load %a[%row, %ka] : memref<64x64xf32>
      memref.store %va, %as[%ty, %tx] : memref<16x16xf32, #wg>
      %kb = arith.addi %k, %ty : index
      %vb = memref.load %b[%kb, %col] : memref<64x64xf32>
      memref.store %vb, %bs[%ty, %tx] : memref<16x16xf32, #wg>
      gpu.barrier
      %in = scf.for %j = %c0 to %c16 step %c1 iter_args(%s = %acc) -> f32 {
        %x = memref.load %as[%ty, %j] : memref<16x16xf32, #wg>
        %y = memref.load %bs[%j, %tx] : memref<16x16xf32, #wg>
        %m = arith.mulf %x, %y : f32
        %n = arith.addf %s, %m : f32
        scf.yield %n : f32
      }
      gpu.barrier
      scf.yield %in : f32
    }
    memref.store %sum, %cs[%ty, %tx] : memref<16x16xf32, #wg>
    gpu.barrier
    %v = memref.load %cs[%tx, %ty] : memref<16x16xf32, #wg>
    memref.store %v, %c[%row, %col] : memref<64x64xf32>
    gpu.return
  }
}
