// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-workgroup,memplan-merge-alloc{verify}))' \
// RUN:   -split-input-file \
// RUN:   | FileCheck %s --check-prefix=BOTH

#wg = #gpu.address_space<workgroup>

// 1. Iterations are threads. They overwrite each buffer together, in both dimensions.
// CHECK-LABEL: func @threads
// CHECK:       scf.forall
// CHECK:       scf.forall
// CHECK-NEXT:  memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK:       {memplan.buffer = 0 : i64}
// CHECK:       {memplan.buffer = 1 : i64}
// CHECK:       memref.dealloc
// BOTH-LABEL:  func @threads
// BOTH:        memref.alloc() {alignment = 16 : i64
func.func @threads(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%bx) in (4) {
    // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
    scf.forall (%i, %j) in (8, 8) {
      // expected-remark @below {{merged}}
      %a = memref.alloc() : memref<8x8xf32, #wg>
      // expected-remark @below {{merged}}
      %b = memref.alloc() : memref<64xf32, #wg>
      scf.for %k = %c0 to %n step %c1 {
        %v = memref.load %x[%i, %j] : memref<8x8xf32>
        memref.store %v, %a[%j, %i] : memref<8x8xf32, #wg>
        gpu.barrier
        %u = memref.load %a[%i, %j] : memref<8x8xf32, #wg>
        gpu.barrier
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%i, %j)
        memref.store %u, %b[%at] : memref<64xf32, #wg>
        gpu.barrier
        %r = memref.load %b[%k] : memref<64xf32, #wg>
        memref.store %r, %y[%i, %j] : memref<8x8xf32>
        gpu.barrier
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. Without the barrier, a slow thread may still read one buffer while a fast one writes the other. memplan-merge-alloc does
// not follow barriers, and leaves both alone.
// CHECK-LABEL: func @no_barrier
// CHECK-NOT:   memplan
// BOTH-LABEL:  func @no_barrier
// BOTH-NOT:    memplan
func.func @no_barrier(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  scf.forall (%i) in (64) {
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    memref.store %u, %b[%i] : memref<64xf32, #wg>
    gpu.barrier
    %r = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %r, %y[%i] : memref<64xf32>
  } {mapping = [#gpu.thread<x>]}
  return
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. Allocations in a loop over blocks, which threads of the loops in it use one loop after the other: a loop is done before
// the next one starts, so memplan-merge-alloc plans them.
// CHECK-LABEL: func @blocks
// CHECK-NOT:   memplan
// BOTH-LABEL:  func @blocks
// BOTH:        memref.alloc() {{.*}}memplan.arena} : memref<256xi8, #gpu.address_space<workgroup>>
func.func @blocks(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%bx) in (4) {
    %a = memref.alloc() : memref<64xf32, #wg>
    %b = memref.alloc() : memref<64xf32, #wg>
    scf.forall (%i) in (64) {
      %v = memref.load %x[%i] : memref<64xf32>
      memref.store %v, %a[%i] : memref<64xf32, #wg>
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      %u = memref.load %a[%c0] : memref<64xf32, #wg>
      memref.store %u, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      %v = memref.load %x[%i] : memref<64xf32>
      memref.store %v, %b[%i] : memref<64xf32, #wg>
    } {mapping = [#gpu.thread<x>]}
    scf.forall (%i) in (64) {
      %u = memref.load %b[%c0] : memref<64xf32, #wg>
      memref.store %u, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
  } {mapping = [#gpu.block<x>]}
  return
}
