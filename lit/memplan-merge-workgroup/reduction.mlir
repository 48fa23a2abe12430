// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' -verify-diagnostics \
// RUN:   | FileCheck %s

// A sum by halving in an unknown number of steps. Some threads add, and the barrier is outside of their branch. The second
// buffer takes the bytes of the first one.

#wg = #gpu.address_space<workgroup>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @reduction
  // CHECK-SAME:  workgroup(%{{.*}} : memref<1024xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // expected-remark @below {{workgroup memory: 1024 bytes, 2048 before; 1024 in the largest barrier interval, and at least 1024 with these barriers}}
  // expected-remark @below {{of 1024 bytes at offset 0 }}
  gpu.func @reduction(%x: memref<256xf32>, %y: memref<1xf32>, %z: memref<256xf32>)
      workgroup(%part: memref<256xf32, #wg>, %sorted: memref<256xf32, #wg>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : memref<256xf32>
    memref.store %a, %part[%t] : memref<256xf32, #wg>
    gpu.barrier
    %last = scf.while (%s = %c128) : (index) -> index {
      %more = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %is_in = arith.cmpi ult, %t, %s : index
      scf.if %is_in {
        %u = arith.addi %t, %s : index
        %b = memref.load %part[%u] : memref<256xf32, #wg>
        %c = memref.load %part[%t] : memref<256xf32, #wg>
        %d = arith.addf %b, %c : f32
        memref.store %d, %part[%t] : memref<256xf32, #wg>
      }
      gpu.barrier
      %half = arith.divui %s, %c2 : index
      scf.yield %half : index
    }
    %sum = memref.load %part[%c0] : memref<256xf32, #wg>
    memref.store %sum, %y[%c0] : memref<1xf32>
    gpu.barrier
    memref.store %sum, %sorted[%t] : memref<256xf32, #wg>
    gpu.barrier
    %e = memref.load %sorted[%c0] : memref<256xf32, #wg>
    memref.store %e, %z[%t] : memref<256xf32>
    gpu.return
  }
}
