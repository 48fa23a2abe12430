// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup,memplan-merge-workgroup{verify})' \
// RUN:   -split-input-file \
// RUN:   | FileCheck %s
// After outlining, offsets are free, as the function states an alignment.
// RUN: %memplan-opt %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup,gpu-kernel-outlining,\
// RUN:   memplan-merge-workgroup{verify})' \
// RUN:   | FileCheck %s --check-prefix=OUTLINED
// RUN: %memplan-opt %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup,canonicalize,memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=CANONICAL
// CANONICAL: memref.reinterpret_cast

#wg = #gpu.address_space<workgroup>

// 1. An attribution of a launch has the alignment of its type: each shares all of a larger one with the same elements. The last has
// other elements.
// CHECK-LABEL: func @launch
// CHECK:       workgroup(%[[D:.*]] : memref<8xi64, #gpu.address_space<workgroup>>, %[[ALL:.*]] : memref<1x1x64xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME:  private(%{{.*}} : memref<1xf32, #gpu.address_space<private>>)
// CHECK-DAG:   %[[A:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [64], strides: [1] {memplan.buffer = 0 : i64}
// CHECK-DAG:   %[[B:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [8, 4], strides: [4, 1] {memplan.buffer = 1 : i64} : memref<1x1x64xf32, #gpu.address_space<workgroup>> to memref<8x4xf32, #gpu.address_space<workgroup>>
// CHECK:       memref.store %{{.*}}, %[[A]]
// CHECK:       memref.store %{{.*}}, %[[B]]
// OUTLINED-LABEL: gpu.func @launch_kernel
// OUTLINED-SAME: workgroup(%[[BYTES:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// OUTLINED-COUNT-3: memref.view %[[BYTES]]
func.func @launch(%x: f32, %n: i64, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 256 bytes, 384 before}}
  // expected-remark @below {{merged: memref<64xf32, #gpu.address_space<workgroup>> of 256 bytes at offset 0 of 256 bytes}}
  // expected-remark @below {{merged: memref<8x4xf32, #gpu.address_space<workgroup>> of 128 bytes at offset 0 of 256 bytes}}
  // expected-remark @below {{memref<8xi64, #gpu.address_space<workgroup>>: it can share no other attribution as a whole, and gpu.launch cannot state the alignment that bytes for it need [launch-attribution]; run gpu-kernel-outlining first}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%a : memref<64xf32, #wg>, %b : memref<8x4xf32, #wg>, %d : memref<8xi64, #wg>)
             private(%p : memref<1xf32, #gpu.address_space<private>>) {
    memref.store %x, %a[%tx] : memref<64xf32, #wg>
    memref.store %x, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    gpu.barrier
    memref.store %x, %b[%c0, %c0] : memref<8x4xf32, #wg>
    gpu.barrier
    memref.store %n, %d[%c0] : memref<8xi64, #wg>
    gpu.terminator
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. Without a barrier, and where the program promises an alignment that the other attribution may not have.
// CHECK-LABEL: func @left
// CHECK-NOT:   memplan.buffer
func.func @left(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  // expected-remark @below {{memref<32xf32, #gpu.address_space<workgroup>>: it can share no other attribution as a whole, and gpu.launch cannot state the alignment}}
  // expected-remark @below {{memref<64xf32, #gpu.address_space<workgroup>>: it can share no other attribution as a whole, and gpu.launch cannot state the alignment}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%a : memref<64xf32, #wg>, %b : memref<64xf32, #wg>, %c : memref<32xf32, #wg>) {
    memref.store %x, %a[%tx] : memref<64xf32, #wg>
    memref.store %x, %b[%tx] : memref<64xf32, #wg>
    gpu.barrier
    %0 = memref.assume_alignment %c, 64 : memref<32xf32, #wg>
    memref.store %x, %0[%c0] : memref<32xf32, #wg>
    gpu.terminator
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. Canonicalization keeps what memplan-verify follows. Another layout is left alone.
// CHECK-LABEL: func @layout
// CHECK:       workgroup(%{{.*}} : memref<8x8xf32, strided<[1, 8]>, #gpu.address_space<workgroup>>, %[[ALL:.*]] : memref<1x64xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-2: memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [64], strides: [1]
func.func @layout(%x: f32) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{of 256 bytes at offset 0 of 256 bytes}}
  // expected-remark @below {{[layout]}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%a : memref<64xf32, #wg>, %b : memref<64xf32, #wg>, %c : memref<8x8xf32, strided<[1, 8]>, #wg>) {
    memref.store %x, %a[%tx] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %x, %b[%tx] : memref<64xf32, #wg>
    gpu.terminator
  }
  return
}
