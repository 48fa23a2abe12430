// Results count where no order needs less in arenas: each is held from its first use to the end of the function.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{remarks})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-reorder{results=off})' | FileCheck %s --check-prefix=OFF
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{results=off})' | FileCheck %s --check-prefix=OFF

// 1. A large result is computed after the temporaries that another one needs.
// REMARK:        remark: reordered: {{.*}} operations, at most 8192 bytes live at once instead of 12288, results included; no order needs less
// CHECK-LABEL: func @late
// CHECK:         linalg.matmul
// CHECK:         linalg.reduce
// CHECK:         linalg.exp {{.*}}memref<32x32xf32>
// CHECK:         return
// OFF-LABEL:   func @late
// OFF:           linalg.exp
// OFF:           linalg.matmul
func.func @late(%x: memref<32x32xf32>, %z: f32) -> (memref<32x32xf32>, memref<32xf32>) {
  %r = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%r : memref<32x32xf32>)
  %t = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<32x32xf32>)
  linalg.matmul ins(%x, %x : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  %u = memref.alloc() : memref<32x32xf32>
  linalg.transpose ins(%t : memref<32x32xf32>) outs(%u : memref<32x32xf32>) permutation = [1, 0]
  %s = memref.alloc() : memref<32xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<32xf32>)
  linalg.reduce { arith.addf } ins(%u : memref<32x32xf32>) outs(%s : memref<32xf32>) dimensions = [0]
  return %r, %s : memref<32x32xf32>, memref<32xf32>
}

// 2. A result that is read by what follows stays before it.
// CHECK-LABEL: func @needed
// CHECK:         linalg.exp {{.*}}memref<32x32xf32>
// CHECK:         linalg.matmul
// CHECK:         return
func.func @needed(%x: memref<32x32xf32>, %z: f32) -> (memref<32x32xf32>, memref<32xf32>) {
  %r = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%r : memref<32x32xf32>)
  %t = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<32x32xf32>)
  linalg.matmul ins(%x, %r : memref<32x32xf32>, memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  %u = memref.alloc() : memref<32x32xf32>
  linalg.transpose ins(%t : memref<32x32xf32>) outs(%u : memref<32x32xf32>) permutation = [1, 0]
  %s = memref.alloc() : memref<32xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<32xf32>)
  linalg.reduce { arith.addf } ins(%u : memref<32x32xf32>) outs(%s : memref<32xf32>) dimensions = [0]
  return %r, %s : memref<32x32xf32>, memref<32xf32>
}

// 3. The order of the temporaries is mended first, and then, with results, that of the large result.
// REMARK:        remark: reordered: {{.*}}, results included; no order needs less
// CHECK-LABEL: func @both
// CHECK:         linalg.exp {{.*}}memref<32x32xf32>
// CHECK:         linalg.reduce
// CHECK:         linalg.sqrt {{.*}}memref<32x32xf32>
// CHECK:         linalg.reduce
// CHECK:         linalg.abs {{.*}}memref<32x32xf32>
// CHECK-NEXT:    return
func.func @both(%x: memref<32x32xf32>, %z: f32) -> (memref<32x32xf32>, memref<32xf32>, memref<32xf32>) {
  %r = memref.alloc() : memref<32x32xf32>
  linalg.abs ins(%x : memref<32x32xf32>) outs(%r : memref<32x32xf32>)
  %t = memref.alloc() : memref<32x32xf32>
  linalg.exp ins(%x : memref<32x32xf32>) outs(%t : memref<32x32xf32>)
  %u = memref.alloc() : memref<32x32xf32>
  linalg.sqrt ins(%x : memref<32x32xf32>) outs(%u : memref<32x32xf32>)
  %s = memref.alloc() : memref<32xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<32xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<32x32xf32>) outs(%s : memref<32xf32>) dimensions = [0]
  %w = memref.alloc() : memref<32xf32>
  linalg.fill ins(%z : f32) outs(%w : memref<32xf32>)
  linalg.reduce { arith.addf } ins(%u : memref<32x32xf32>) outs(%w : memref<32xf32>) dimensions = [0]
  return %r, %s, %w : memref<32x32xf32>, memref<32xf32>, memref<32xf32>
}
