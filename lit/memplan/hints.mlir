// Hints and flushes read and write nothing: the plan is that without them, in every pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify})' --split-input-file | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify dynamic=regions})' --split-input-file \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline)' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FREED

// 1. memref.prefetch, affine.prefetch.
// CHECK-LABEL: func @prefetch
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         affine.prefetch
// FREED-LABEL: func @prefetch
// FREED-COUNT-2: memref.dealloc
func.func @prefetch(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.prefetch %a[%c0], write, locality<0>, data : memref<64xf32>
  affine.for %i = 0 to 64 {
    affine.prefetch %a[%i], read, locality<3>, data : memref<64xf32>
    %v = affine.load %a[%i] : memref<64xf32>
    affine.store %v, %y[%i] : memref<64xf32>
  }
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 2. omp.flush, of a memref and of all memory.
// CHECK-LABEL: func @flush
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         omp.flush
// FREED-LABEL: func @flush
// FREED-COUNT-2: memref.dealloc
func.func @flush(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  omp.flush(%a : memref<64xf32>)
  omp.flush
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}

// -----

// 3. memref.assume_alignment, memref.distinct_objects of memory from outside.
// CHECK-LABEL: func @assumptions
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// FREED-LABEL: func @assumptions
// FREED-COUNT-2: memref.dealloc
func.func @assumptions(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  %k = memref.assume_alignment %a, 16 : memref<64xf32>
  %d:2 = memref.distinct_objects %x, %y : memref<64xf32>, memref<64xf32>
  memref.copy %k, %d#1 : memref<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %y : memref<64xf32> to memref<64xf32>
  return
}
