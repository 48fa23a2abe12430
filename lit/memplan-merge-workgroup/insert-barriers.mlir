// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{insert-barriers remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{insert-barriers max-barriers=0})' -split-input-file \
// RUN:   | FileCheck %s --check-prefix=NONE

#wg = #gpu.address_space<workgroup>

// 1. A barrier before the write of the second buffer.
gpu.module @one {
  // CHECK-LABEL: gpu.func @one
  // CHECK-SAME:  memref<256xi8
  // CHECK:       memref.store
  // CHECK-NEXT:  gpu.barrier
  // CHECK-NEXT:  memref.load
  // CHECK-NEXT:  gpu.barrier
  // CHECK-NEXT:  memref.store
  // NONE-LABEL:  gpu.func @one
  // NONE-NOT:    memplan
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{of 256 bytes at offset 0 of 256 bytes}}
  gpu.func @one(%x: f32, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    // expected-remark @below {{barrier added before this operation: without it, workgroup memory would have 256 more bytes [memplan-R853]}}
    memref.store %u, %b[%t] : memref<64xf32, #wg>
    gpu.barrier
    %r = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %r, %y[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. No barrier where threads differ: it is before the branch, and another one after it.
gpu.module @divergent {
  // CHECK-LABEL: gpu.func @divergent
  // CHECK:       gpu.barrier
  // CHECK:       memref.load
  // CHECK:       gpu.barrier
  // CHECK-NEXT:  scf.if
  // CHECK-NOT:   gpu.barrier
  // CHECK:       }
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{of 256 bytes at offset 0 of 256 bytes}}
  gpu.func @divergent(%x: f32, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    memref.store %u, %y[%t] : memref<64xf32>
    %is_first = arith.cmpi ult, %t, %c1 : index
    // expected-remark @below {{barrier added before this operation: without it, workgroup memory would have 256 more bytes}}
    scf.if %is_first {
      memref.store %u, %b[%c0] : memref<64xf32, #wg>
    }
    gpu.barrier
    %r = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %r, %y[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. An operation that reads one buffer and writes another stays whole.
gpu.module @whole {
  // CHECK-LABEL: gpu.func @whole
  // CHECK-NOT:   memplan
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @whole(%x: f32, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32, #wg>)
    gpu.barrier
    memref.copy %a, %b : memref<64xf32, #wg> to memref<64xf32, #wg>
    gpu.barrier
    memref.copy %b, %y : memref<64xf32, #wg> to memref<64xf32>
    gpu.return
  }
}
