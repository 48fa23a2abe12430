// RUN: mlir-opt %s %memplan-plugin --pass-pipeline='builtin.module(memplan)' | FileCheck %s
// RUN: memplan-opt %s --memplan | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:         memref.alloc() {{.*}}memplan.arena{{.*}} : memref<256xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc
func.func @f(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%x : memref<64xf32>)
  linalg.add ins(%a, %x : memref<64xf32>, memref<64xf32>) outs(%x : memref<64xf32>)
  return
}
