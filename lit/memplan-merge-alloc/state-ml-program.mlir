// Globals of the ml_program dialect become state when upstream's bufferization has made memrefs of them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries},\
// RUN:   canonicalize,memplan{arena=global share=entry-points state=arena verify})' \
// RUN:   | FileCheck %s

// CHECK-NOT:   memref.global "private" @seen
// CHECK:       memref.global "private" @entry_points_arena : memref<{{.*}}xi8> = dense<0>
// CHECK-SAME:    memplan.state = array<i64: 0, 16>
// CHECK-LABEL: func @step
// CHECK:         memref.get_global @entry_points_arena : {{.*}}memplan.state
// CHECK-NOT:     memref.get_global @seen
ml_program.global private mutable @seen(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func @step(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %old = ml_program.global_load @seen : tensor<4xf32>
  %sum = linalg.add ins(%old, %x : tensor<4xf32>, tensor<4xf32>) outs(%old : tensor<4xf32>) -> tensor<4xf32>
  ml_program.global_store @seen = %sum : tensor<4xf32>
  %r = tensor.extract %sum[%c0] : tensor<4xf32>
  return %r : f32
}
