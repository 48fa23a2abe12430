// A form of the function has a chain whose code cannot be written: that form is given up, and another one is split.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-split)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify=true})' -o /dev/null
// CHECK:       scf.for

func.func @lengths(%a1: memref<1x2x?x5xf64>, %a11: memref<4x1x2xf64>, %a23: memref<2x2x5x3xf64>, %a41: memref<4x2x3x1xf64>, %a50: memref<3x2xf64>) -> (memref<4x4x?x5xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %low = arith.constant -3.0 : f64
  %v2 = arith.constant 2 : index
  %v3 = memref.dim %a1, %v2 : memref<1x2x?x5xf64>
  %m4 = memref.alloc(%v3) : memref<1x2x?x5xf64>
  %v5 = arith.constant 3 : index
  %v6 = arith.addi %v3, %v5 : index
  %m7 = memref.alloc(%v6) : memref<1x2x?x5xf64>
  %v9 = affine.apply affine_map<(d0) -> (d0 + -4 + 1)>(%v6)
  %m10 = memref.alloc(%v9) : memref<4x2x?x5xf64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d1, d2 + d5 * 3, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%m7, %a11 : memref<1x2x?x5xf64>, memref<4x1x2xf64>) outs(%m10 : memref<4x2x?x5xf64>) {
  ^bb0(%e0: f64, %e1: f64, %o: f64):
    %p = arith.mulf %e0, %e1 : f64
    %s = arith.addf %p, %o : f64
    linalg.yield %s : f64
  }
  %m12 = memref.alloc(%v9) : memref<4x2x?x5xf64>
  linalg.abs ins(%m10 : memref<4x2x?x5xf64>) outs(%m12 : memref<4x2x?x5xf64>)
  %v13 = affine.apply affine_map<()[s0] -> (s0 + 4)>()[%v9]
  %m14 = memref.alloc(%v13) : memref<4x2x?x7xf64>
  %v15 = memref.subview %m14[0, 0, 2, 1] [4, 2, %v9, 5] [1, 1, 1, 1] : memref<4x2x?x7xf64> to memref<4x2x?x5xf64, strided<[?, ?, 7, 1], offset: 15>>
  memref.copy %m12, %v15 : memref<4x2x?x5xf64> to memref<4x2x?x5xf64, strided<[?, ?, 7, 1], offset: 15>>
  %v16 = arith.constant 2 : index
  %v17 = memref.dim %m14, %v16 : memref<4x2x?x7xf64>
  %v18 = arith.constant 4 : index
  %v19 = arith.subi %v17, %v18 : index
  %v20 = arith.constant 2 : index
  %v21 = arith.ceildivsi %v19, %v20 : index
  %m22 = memref.alloc(%v21) : memref<4x2x?x5xf64>
  linalg.conv_2d_nchw_fchw {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%m14, %a23 : memref<4x2x?x7xf64>, memref<2x2x5x3xf64>) outs(%m22 : memref<4x2x?x5xf64>)
  %m24 = memref.alloc(%v21) : memref<4x2x?x5xf64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m22 : memref<4x2x?x5xf64>) outs(%m24 : memref<4x2x?x5xf64>) {
  ^bb0(%e0: f64, %o: f64):
    %d = math.tanh %e0 : f64
    %s = arith.addf %d, %one : f64
    linalg.yield %s : f64
  }
  %m25 = memref.alloc(%v21) : memref<4x2x?x2x5xf64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%m24 : memref<4x2x?x5xf64>) outs(%m25 : memref<4x2x?x2x5xf64>) {
  ^bb0(%e0: f64, %o: f64):
    %d = math.tanh %e0 : f64
    %s = arith.addf %d, %one : f64
    linalg.yield %s : f64
  }
  %v28 = memref.collapse_shape %m25 [[0], [1], [2, 3], [4]] : memref<4x2x?x2x5xf64> into memref<4x2x?x5xf64>
  %v29 = arith.constant 2 : index
  %v31 = arith.constant 2 : index
  %v32 = memref.dim %v28, %v31 : memref<4x2x?x5xf64>
  %v33 = arith.constant 2 : index
  %v34 = arith.addi %v32, %v33 : index
  %m35 = memref.alloc(%v34) : memref<4x2x?x5xf64>
  %v37 = arith.constant 2 : index
  %v38 = memref.dim %m35, %v37 : memref<4x2x?x5xf64>
  %v39 = affine.apply affine_map<()[s0] -> (s0 + -3 + 1)>()[%v38]
  %m40 = memref.alloc(%v39) : memref<4x4x?x5xf64>
  linalg.conv_2d_nchw_fchw {dilations = dense<[1, 1]> : vector<2xi64>, strides = dense<[1, 1]> : vector<2xi64>} ins(%m35, %a41 : memref<4x2x?x5xf64>, memref<4x2x3x1xf64>) outs(%m40 : memref<4x4x?x5xf64>)
  %v42 = arith.constant 2 : index
  %v43 = memref.dim %m40, %v42 : memref<4x4x?x5xf64>
  %v44 = arith.constant 1 : index
  %v45 = arith.addi %v39, %v44 : index
  %m46 = memref.alloc(%v45) : memref<6x4x?x5xf64>
  %v47 = memref.subview %m46[1, 0, 0, 0] [4, 4, %v43, 5] [1, 1, 1, 1] : memref<6x4x?x5xf64> to memref<4x4x?x5xf64, strided<[?, ?, 5, 1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m40 : memref<4x4x?x5xf64>) outs(%v47 : memref<4x4x?x5xf64, strided<[?, ?, 5, 1], offset: ?>>) {
  ^bb0(%e0: f64, %o: f64):
    %s = arith.subf %e0, %one : f64
    linalg.yield %s : f64
  }
  %v48 = affine.apply affine_map<(d0) -> (d0 + -1)>(%v45)
  %m49 = memref.alloc(%v48) : memref<4x4x?x5xf64>
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d4, d1, d2 + d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%m46, %a50 : memref<6x4x?x5xf64>, memref<3x2xf64>) outs(%m49 : memref<4x4x?x5xf64>) {
  ^bb0(%e0: f64, %e1: f64, %o: f64):
    %s = arith.maximumf %e0, %o : f64
    linalg.yield %s : f64
  }
  return %m49 : memref<4x4x?x5xf64>
}
