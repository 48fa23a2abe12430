// The size of a buffer that is allocated under a condition, as the offset of another one: it is not one of two layouts.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{alignment=1 in-place=false verify})' \
// RUN:   | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[SIZE:.*]] = arith.select %arg2, %{{.*}}, %{{.*}} : index
// CHECK: %[[START:.*]] = arith.maxsi %[[SIZE]], %{{.*}} : index
// CHECK: memref.view %{{.*}}[%[[START]]]{{.*}}memplan.buffer = 2
func.func @f(%n: index, %m: index, %p: i1, %x: memref<?xi64>) {
  %e = arith.constant 1 : i64
  %a = memref.alloc(%m) : memref<?xi64>
  linalg.fill ins(%e : i64) outs(%a : memref<?xi64>)
  memref.copy %a, %x : memref<?xi64> to memref<?xi64>
  scf.if %p {
  } else {
    %v = memref.alloc(%n) : memref<?xi64>
    linalg.fill ins(%e : i64) outs(%v : memref<?xi64>)
    %w = memref.alloc(%n) : memref<?xi64>
    linalg.fill ins(%e : i64) outs(%w : memref<?xi64>)
    memref.copy %v, %x : memref<?xi64> to memref<?xi64>
    memref.copy %w, %x : memref<?xi64> to memref<?xi64>
  }
  return
}
