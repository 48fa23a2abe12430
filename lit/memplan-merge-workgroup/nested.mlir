// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup,memplan-merge-workgroup{verify})' \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// 1. Lanes of warps: barriers between the loops over lanes separate their accesses. In each iteration, the lanes overwrite both
// buffers together.
// CHECK-LABEL: func @lanes
// CHECK:       memref.alloc() {{.*}}memplan.arena} : memref<512xi8, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: {memplan.buffer =
func.func @lanes(%x: f32, %y: memref<4x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{workgroup memory: 512 bytes, 1024 before}}
  scf.forall (%w) in (4) {
    // expected-remark @below {{merged}}
    %a = memref.alloc() : memref<4x32xf32, #wg>
    // expected-remark @below {{merged}}
    %b = memref.alloc() : memref<4x32xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      scf.forall (%l) in (32) {
        memref.store %x, %a[%w, %l] : memref<4x32xf32, #wg>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        %v = memref.load %a[%w, %c0] : memref<4x32xf32, #wg>
        memref.store %v, %y[%w, %l] : memref<4x32xf32>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        memref.store %x, %b[%w, %l] : memref<4x32xf32, #wg>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        %v = memref.load %b[%w, %c0] : memref<4x32xf32, #wg>
        memref.store %v, %y[%w, %l] : memref<4x32xf32>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. The same, but the lanes miss an element: contents may stay from one iteration to the next.
// CHECK-LABEL: func @part
// CHECK-NOT:   memplan.buffer
func.func @part(%x: f32, %y: memref<4x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @below {{workgroup memory: 1024 bytes, 1024 before}}
  scf.forall (%w) in (4) {
    %a = memref.alloc() : memref<4x32xf32, #wg>
    %b = memref.alloc() : memref<4x32xf32, #wg>
    scf.for %i = %c0 to %n step %c1 {
      scf.forall (%l) in (31) {
        memref.store %x, %a[%w, %l] : memref<4x32xf32, #wg>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        %v = memref.load %a[%w, %c0] : memref<4x32xf32, #wg>
        memref.store %v, %y[%w, %l] : memref<4x32xf32>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        memref.store %x, %b[%w, %l] : memref<4x32xf32, #wg>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
      scf.forall (%l) in (32) {
        %v = memref.load %b[%w, %c0] : memref<4x32xf32, #wg>
        memref.store %v, %y[%w, %l] : memref<4x32xf32>
      } {mapping = [#gpu.lane<linear_dim_0>]}
      gpu.barrier
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. A loop over threads in a launch. Its end is no barrier: threads need not wait for each other there.
// CHECK-LABEL: func @launch
// CHECK:       memref.alloc() {{.*}}memplan.arena} : memref<512xi8, #gpu.address_space<workgroup>>
func.func @launch(%x: f32, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{workgroup memory: 512 bytes, 768 before}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    // expected-remark @below {{merged}}
    %a = memref.alloc() : memref<64xf32, #wg>
    // expected-remark @below {{merged}}
    %b = memref.alloc() : memref<64xf32, #wg>
    // expected-remark @below {{merged}}
    %c = memref.alloc() : memref<64xf32, #wg>
    scf.forall (%i) in (64) {
      memref.store %x, %a[%i] : memref<64xf32, #wg>
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      memref.store %x, %b[%i] : memref<64xf32, #wg>
    } {mapping = [#gpu.thread<x>]}
    gpu.barrier
    scf.forall (%i) in (64) {
      memref.store %x, %c[%i] : memref<64xf32, #wg>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. Two buffers in one inner loop, where threads are at different operations.
// CHECK-LABEL: func @together
// CHECK-NOT:   memplan.buffer
func.func @together(%x: f32, %y: memref<64xf32>) {
  // expected-remark @below {{workgroup memory: 1024 bytes, 1024 before}}
  scf.forall (%w) in (4) {
    %a = memref.alloc() : memref<4x32xf32, #wg>
    %b = memref.alloc() : memref<4x32xf32, #wg>
    scf.forall (%l) in (32) {
      memref.store %x, %a[%w, %l] : memref<4x32xf32, #wg>
      // expected-warning @below {{not all threads may reach this barrier}}
      gpu.barrier
      memref.store %x, %b[%w, %l] : memref<4x32xf32, #wg>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. Loops whose bounds depend on the thread, with accesses and without barriers.
gpu.module @bounds {
  // CHECK-LABEL: gpu.func @bounds
  // CHECK-SAME:  workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{merged}}
  gpu.func @bounds(%x: f32, %y: memref<64xf32>) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    scf.for %i = %t to %c64 step %c1 {
      memref.store %x, %a[%i] : memref<64xf32, #wg>
      %u = memref.load %a[%t] : memref<64xf32, #wg>
      memref.store %u, %y[%i] : memref<64xf32>
    }
    gpu.barrier
    scf.for %i = %c1 to %t step %c1 {
      memref.store %x, %b[%i] : memref<64xf32, #wg>
    }
    gpu.return
  }
}
