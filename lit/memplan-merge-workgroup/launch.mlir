// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup,memplan-merge-workgroup{verify})' -split-input-file \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// 1. Allocations of a launch become one, with its alignment. An attribution of bytes could not have one.
// CHECK-LABEL: func @launch
// CHECK:       workgroup(%{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK-NEXT:  %[[BYTES:.*]] = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK:       memref.view %[[BYTES]][%[[C0:.*]]][] {memplan.buffer = 0 : i64}
// CHECK:       memref.view %[[BYTES]][%[[C0]]][] {memplan.buffer = 1 : i64}
// CHECK-NOT:   memref.alloc
// CHECK:       memref.dealloc %[[BYTES]] {bufferization.manual_deallocation}
// CHECK-NEXT:  gpu.terminator
func.func @launch(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{gpu.launch cannot state the alignment that bytes for it need [launch-attribution]; run gpu-kernel-outlining first}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%w : memref<64xf32, #wg>) {
    // expected-remark @below {{of 256 bytes at offset 0 of 256 bytes}}
    %a = memref.alloc() : memref<64xf32, #wg>
    // expected-remark @below {{of 256 bytes at offset 0 of 256 bytes}}
    %b = memref.alloc() : memref<64xf32, #wg>
    %v = memref.load %x[%tx] : memref<64xf32>
    memref.store %v, %a[%tx] : memref<64xf32, #wg>
    memref.store %v, %w[%tx] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %u, %b[%tx] : memref<64xf32, #wg>
    gpu.barrier
    %r = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %r, %y[%tx] : memref<64xf32>
    memref.dealloc %a : memref<64xf32, #wg>
    memref.dealloc %b : memref<64xf32, #wg>
    gpu.terminator
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. The size of the workgroup is that of the launch: each iteration overwrites both buffers, in memory space 3 as well.
// CHECK-LABEL: func @loop
// CHECK:       memref.alloc() {{.*}} : memref<256xi8, 3>
func.func @loop(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    // expected-remark @below {{merged}}
    %a = memref.alloc() : memref<64xf32, 3>
    // expected-remark @below {{merged}}
    %b = memref.alloc() : memref<64xf32, 3>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %x[%tx] : memref<64xf32>
      memref.store %v, %a[%tx] : memref<64xf32, 3>
      gpu.barrier
      %u = memref.load %a[%i] : memref<64xf32, 3>
      gpu.barrier
      memref.store %u, %b[%tx] : memref<64xf32, 3>
      gpu.barrier
      %r = memref.load %b[%i] : memref<64xf32, 3>
      memref.store %r, %x[%tx] : memref<64xf32>
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. Where the size is not known, contents may stay from one iteration to the next.
// CHECK-LABEL: func @unknown_size
// CHECK-NOT:   memplan
func.func @unknown_size(%x: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %x[%tx] : memref<64xf32>
      memref.store %v, %a[%tx] : memref<64xf32, #wg>
      gpu.barrier
      %u = memref.load %a[%i] : memref<64xf32, #wg>
      gpu.barrier
      memref.store %u, %b[%tx] : memref<64xf32, #wg>
      gpu.barrier
      %r = memref.load %b[%i] : memref<64xf32, #wg>
      memref.store %r, %x[%tx] : memref<64xf32>
      gpu.barrier
    }
    gpu.terminator
  }
  return
}
