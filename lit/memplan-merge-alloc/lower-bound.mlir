// Lower bounds of arenas of dynamic size, as expressions.
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{in-place=false report=%t.json})'
// RUN: FileCheck %s < %t.json

// 1. Multiples of one dimension: two of three are live at once.
// CHECK: "name":"multiples"
// CHECK: "lower_bound_sizes":["96*d0"]
// CHECK: {"size":["64*d0"]
// CHECK: {"size":["32*d0"]
func.func @multiples(%x: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%n) : memref<?x8xf64>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x8xf32>) outs(%b : memref<?x8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %wide = arith.extf %in : f32 to f64
    linalg.yield %wide : f64
  }
  %c = memref.alloc(%n) : memref<?x8xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<?x8xf64>) outs(%c : memref<?x8xf32>) {
  ^bb0(%in: f64, %out: f32):
    %narrow = arith.truncf %in : f64 to f32
    linalg.yield %narrow : f32
  }
  memref.copy %c, %x : memref<?x8xf32> to memref<?x8xf32>
  return
}

// 2. Two dimensions: which sum is larger depends on their values. What may not be allocated does not count.
// CHECK: "name":"orders"
// CHECK: "lower_bound_sizes":["8*d1*d1","8*d2*d2"]
func.func @orders(%n: index, %m: index, %out: memref<?xf32>, %p: i1) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x?xf32>)
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  linalg.reduce ins(%b : memref<?x?xf32>) outs(%out : memref<?xf32>) dimensions = [1]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  scf.if %p {
    %e = memref.alloc(%n, %n) : memref<?x?xf32>
    linalg.fill ins(%zero : f32) outs(%e : memref<?x?xf32>)
    linalg.reduce ins(%e : memref<?x?xf32>) outs(%out : memref<?xf32>) dimensions = [1]
      (%in: f32, %init: f32) { linalg.yield %in : f32 }
  }
  %c = memref.alloc(%m, %m) : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32>)
  %d = memref.alloc(%m, %m) : memref<?x?xf32>
  linalg.exp ins(%c : memref<?x?xf32>) outs(%d : memref<?x?xf32>)
  linalg.reduce ins(%d : memref<?x?xf32>) outs(%out : memref<?xf32>) dimensions = [1]
    (%in: f32, %init: f32) { linalg.yield %in : f32 }
  return
}

// 3. A buffer of static size counts, too.
// CHECK: "name":"both"
// CHECK: "lower_bound_sizes":["4*d0 + 64"]
func.func @both(%x: memref<?xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s = memref.alloc() : memref<16xf32>
  linalg.exp ins(%y : memref<16xf32>) outs(%s : memref<16xf32>)
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  memref.copy %s, %y : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  return
}
