// `share=entry-points`: all public functions of a module have one arena in a global, as large as the largest.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global share=entry-points scope=module verify})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{arena=global share=entry-points scope=module verify})' \
// RUN:   | FileCheck %s

// CHECK:       memref.global "private" @entry_points_arena : memref<12000xi8> = uninitialized {alignment = 64 : i64}
// CHECK-NOT:   memref.global
// CHECK-LABEL: func @init
// CHECK:         memref.get_global @entry_points_arena : memref<12000xi8>
// CHECK-LABEL: func @step
// CHECK:         memref.get_global @entry_points_arena : memref<12000xi8>
// CHECK-NOT:   memref.alloc
func.func @init(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  %a = memref.alloc() : memref<1000xf32>
  linalg.transpose ins(%x : memref<1000xf32>) outs(%a : memref<1000xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<1000xf32>) outs(%y : memref<1000xf32>) permutation = [0]
  return
}
func.func @step(%x: memref<3000xf32>, %y: memref<3000xf32>) {
  call @inner(%x, %y) : (memref<3000xf32>, memref<3000xf32>) -> ()
  return
}
func.func private @inner(%x: memref<3000xf32>, %y: memref<3000xf32>) {
  %a = memref.alloc() : memref<3000xf32>
  linalg.transpose ins(%x : memref<3000xf32>) outs(%a : memref<3000xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<3000xf32>) outs(%y : memref<3000xf32>) permutation = [0]
  return
}
// A function without buffers may call the others.
func.func @both(%x: memref<1000xf32>, %y: memref<1000xf32>) {
  call @init(%x, %y) : (memref<1000xf32>, memref<1000xf32>) -> ()
  return
}
