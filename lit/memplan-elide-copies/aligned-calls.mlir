// Callees that may rely on the alignment of what is passed.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-elide-copies)' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(memplan-elide-copies))' \
// RUN:   | FileCheck %s --check-prefix=ALONE

// 1. A function has a vector operation: the argument may be aligned less than the buffer.
// CHECK-LABEL: func @vectors_inside
// CHECK:         memref.alloc() {alignment = 64 : i64}
// CHECK:         memref.copy
func.func private @vectors(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<16xf32>
  vector.store %v, %x[%c0] : memref<16xf32>, vector<16xf32>
  return
}
func.func @vectors_inside(%out: memref<16xf32> {memplan.noalias}) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @vectors(%a) : (memref<16xf32>) -> ()
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 2. None has one. On a single function, callees are not read.
// CHECK-LABEL: func @no_vectors
// CHECK-NOT:     memref.alloc
// CHECK:         call @fill(%arg0)
// ALONE-LABEL: func @no_vectors
// ALONE:         memref.copy
func.func private @fill(%x: memref<16xf32>) {
  %v = arith.constant 1.0 : f32
  linalg.fill ins(%v : f32) outs(%x : memref<16xf32>)
  return
}
func.func @no_vectors(%out: memref<16xf32> {memplan.noalias}) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @fill(%a) : (memref<16xf32>) -> ()
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// 3. No body.
// CHECK-LABEL: func @no_body
// CHECK:         memref.copy
func.func private @unknown(memref<16xf32>)
func.func @no_body(%out: memref<16xf32> {memplan.noalias}) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  call @unknown(%a) : (memref<16xf32>) -> ()
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}
