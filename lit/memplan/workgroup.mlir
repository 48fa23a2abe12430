// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{insert-barriers verify})' \
// RUN:   | FileCheck %s --check-prefix=MORE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{workgroup=false})' | FileCheck %s --check-prefix=OFF

// The pipeline merges workgroup memory of kernels.
// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME:  workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-LABEL: gpu.func @no_barrier
// CHECK-SAME:  workgroup(%{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>)
// MORE-LABEL:  gpu.func @no_barrier
// MORE-SAME:   workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// OFF-LABEL:   gpu.func @kernel
// OFF-SAME:    workgroup(%{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>)

#wg = #gpu.address_space<workgroup>

gpu.module @m {
  gpu.func @kernel(%x: f32, %y: memref<64xf32>) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%c0] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %0, %b[%t] : memref<64xf32, #wg>
    gpu.barrier
    %1 = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %1, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @no_barrier(%x: f32, %y: memref<64xf32>) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    %0 = memref.load %a[%c0] : memref<64xf32, #wg>
    memref.store %0, %b[%t] : memref<64xf32, #wg>
    gpu.barrier
    %1 = memref.load %b[%c0] : memref<64xf32, #wg>
    memref.store %1, %y[%t] : memref<64xf32>
    gpu.return
  }
}
