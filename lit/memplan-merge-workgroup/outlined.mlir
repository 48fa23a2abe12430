// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-workgroup{launch-attributions verify})' \
// RUN:   | FileCheck %s --check-prefix=LAUNCH
// RUN: %memplan-opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{launch-attributions},gpu-kernel-outlining)'
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-workgroup{verify})' \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// Attributions of a launch become an allocation, which states its alignment, and after outlining an attribution of the
// function with the same alignment. A private attribution stays.
// LAUNCH-LABEL: func @f
// LAUNCH:       gpu.launch
// LAUNCH-NOT:   workgroup(
// LAUNCH-SAME:  private(%{{.*}} : memref<1xf32, #gpu.address_space<private>>)
// LAUNCH-NEXT:  memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK-LABEL:  gpu.func @f_kernel
// CHECK-SAME:   workgroup(%[[BYTES:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-NOT:    memref.alloc
// CHECK-COUNT-3: memref.view %[[BYTES]]
// CHECK-NOT:    memref.dealloc
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%a : memref<64xf32, #wg>, %b : memref<64xf32, #wg>)
             private(%p : memref<1xf32, #gpu.address_space<private>>) {
    %d = memref.alloc() : memref<16xf32, #wg>
    %v = memref.load %x[%tx] : memref<64xf32>
    memref.store %v, %a[%tx] : memref<64xf32, #wg>
    memref.store %v, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %u, %b[%tx] : memref<64xf32, #wg>
    gpu.barrier
    %r = memref.load %b[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %r, %d[%c0] : memref<16xf32, #wg>
    memref.store %r, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
