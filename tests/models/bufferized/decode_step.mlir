#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> ()>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1, d2) -> (0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map13 = affine_map<() -> ()>
module {
  func.func @forward(%arg0: memref<1xi64>, %arg1: memref<64x32xf32>, %arg2: memref<32x96xf32>, %arg3: memref<32x96xf32>, %arg4: memref<32x32xf32>, %arg5: memref<32x32xf32>, %arg6: memref<32x128xf32>, %arg7: memref<32x128xf32>, %arg8: memref<128x32xf32>, %arg9: memref<128x32xf32>, %arg10: memref<i64> {memplan.donated}, %arg11: memref<2x4x16x8xf32> {memplan.donated}, %arg12: memref<2x4x16x8xf32> {memplan.donated}) -> (memref<1x64xf32>, memref<1xi64>, memref<i64>, memref<2x4x16x8xf32>, memref<2x4x16x8xf32>) {
    %cst = arith.constant -1.000000e+09 : f32
    %cst_0 = arith.constant 1.41421354 : f32
    %cst_1 = arith.constant 3.200000e+01 : f32
    %cst_2 = arith.constant 3.200000e+01 : f64
    %cst_3 = arith.constant 2.8284271247461903 : f64
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant 5.000000e-01 : f32
    %cst_6 = arith.constant 1.000000e+00 : f32
    %cst_7 = arith.constant 0xFF800000 : f32
    %cst_8 = arith.constant 0.000000e+00 : f32
    %cst_9 = arith.constant 0.000000e+00 : f64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<1xi64>) outs(%alloc : memref<1x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %0 = arith.index_cast %in : i64 to index
      %1 = linalg.index 1 : index
      %2 = memref.load %arg1[%0, %1] : memref<64x32xf32>
      linalg.yield %2 : f32
    }
    %alloc_10 = memref.alloc() {alignment = 64 : i64} : memref<16xi64>
    linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%alloc_10 : memref<16xi64>) {
    ^bb0(%out: i64):
      %0 = linalg.index 0 : index
      %1 = arith.index_cast %0 : index to i64
      linalg.yield %1 : i64
    }
    %expand_shape = memref.expand_shape %alloc_10 [[0, 1, 2]] output_shape [1, 16, 1] : memref<16xi64> into memref<1x16x1xi64>
    %alloc_11 = memref.alloc() {alignment = 64 : i64} : memref<1x16x1xi1>
    linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expand_shape, %arg10 : memref<1x16x1xi64>, memref<i64>) outs(%alloc_11 : memref<1x16x1xi1>) {
    ^bb0(%in: i64, %in_117: i64, %out: i1):
      %0 = arith.cmpi eq, %in, %in_117 : i64
      linalg.yield %0 : i1
    }
    %alloc_12 = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
    linalg.generic {indexing_maps = [#map2, #map5, #map2], iterator_types = ["parallel"]} ins(%alloc_10, %arg10 : memref<16xi64>, memref<i64>) outs(%alloc_12 : memref<16xf32>) {
    ^bb0(%in: i64, %in_117: i64, %out: f32):
      %0 = arith.cmpi sle, %in, %in_117 : i64
      %1 = arith.select %0, %cst_8, %cst : f32
      linalg.yield %1 : f32
    }
    %alloc_13 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf64>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc : memref<1x32xf32>) outs(%alloc_13 : memref<1x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      linalg.yield %0 : f64
    }
    %alloc_14 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_14 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_13 : memref<1x32xf64>) outs(%alloc_14 : memref<1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    %alloc_15 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_15 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_13, %alloc_14 : memref<1x32xf64>, memref<1x1xf64>) outs(%alloc_15 : memref<1x1xf64>) {
    ^bb0(%in: f64, %in_117: f64, %out: f64):
      %0 = arith.divf %in_117, %cst_2 : f64
      %1 = arith.subf %in, %0 : f64
      %2 = arith.mulf %1, %1 : f64
      %3 = arith.addf %2, %out : f64
      linalg.yield %3 : f64
    }
    %alloc_16 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_16 : memref<1x1xf32>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc : memref<1x32xf32>) outs(%alloc_16 : memref<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_17 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map6, #map6, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc, %alloc_16, %alloc_15 : memref<1x32xf32>, memref<1x1xf32>, memref<1x1xf64>) outs(%alloc_17 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %in_118: f64, %out: f32):
      %0 = arith.divf %in_118, %cst_2 : f64
      %1 = arith.truncf %0 : f64 to f32
      %2 = arith.truncf %cst_4 : f64 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.rsqrt %3 : f32
      %5 = arith.divf %in_117, %cst_1 : f32
      %6 = arith.subf %in, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      linalg.yield %7 : f32
    }
    %alloc_18 = memref.alloc() {alignment = 64 : i64} : memref<1x96xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_18 : memref<1x96xf32>)
    linalg.matmul ins(%alloc_17, %arg2 : memref<1x32xf32>, memref<32x96xf32>) outs(%alloc_18 : memref<1x96xf32>)
    %subview = memref.subview %alloc_18[0, 0] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1]>>
    %subview_19 = memref.subview %alloc_18[0, 32] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1], offset: 32>>
    %subview_20 = memref.subview %alloc_18[0, 64] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1], offset: 64>>
    %collapse_shape = memref.collapse_shape %subview_19 [[0, 1]] : memref<1x32xf32, strided<[96, 1], offset: 32>> into memref<32xf32, strided<[1], offset: 32>>
    %expand_shape_21 = memref.expand_shape %collapse_shape [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1], offset: 32>> into memref<4x1x8xf32, strided<[8, 8, 1], offset: 32>>
    %subview_22 = memref.subview %arg11[0, 0, 0, 0] [1, 4, 16, 8] [1, 1, 1, 1] : memref<2x4x16x8xf32> to memref<1x4x16x8xf32, strided<[512, 128, 8, 1]>>
    %collapse_shape_23 = memref.collapse_shape %subview_22 [[0, 1], [2], [3]] : memref<1x4x16x8xf32, strided<[512, 128, 8, 1]>> into memref<4x16x8xf32, strided<[128, 8, 1]>>
    %alloc_24 = memref.alloc() {alignment = 64 : i64} : memref<4x16x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_11, %expand_shape_21, %collapse_shape_23 : memref<1x16x1xi1>, memref<4x1x8xf32, strided<[8, 8, 1], offset: 32>>, memref<4x16x8xf32, strided<[128, 8, 1]>>) outs(%alloc_24 : memref<4x16x8xf32>) {
    ^bb0(%in: i1, %in_117: f32, %in_118: f32, %out: f32):
      %0 = arith.select %in, %in_117, %in_118 : f32
      linalg.yield %0 : f32
    }
    %collapse_shape_25 = memref.collapse_shape %subview_20 [[0, 1]] : memref<1x32xf32, strided<[96, 1], offset: 64>> into memref<32xf32, strided<[1], offset: 64>>
    %expand_shape_26 = memref.expand_shape %collapse_shape_25 [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1], offset: 64>> into memref<4x1x8xf32, strided<[8, 8, 1], offset: 64>>
    %subview_27 = memref.subview %arg12[0, 0, 0, 0] [1, 4, 16, 8] [1, 1, 1, 1] : memref<2x4x16x8xf32> to memref<1x4x16x8xf32, strided<[512, 128, 8, 1]>>
    %collapse_shape_28 = memref.collapse_shape %subview_27 [[0, 1], [2], [3]] : memref<1x4x16x8xf32, strided<[512, 128, 8, 1]>> into memref<4x16x8xf32, strided<[128, 8, 1]>>
    %alloc_29 = memref.alloc() {alignment = 64 : i64} : memref<4x16x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_11, %expand_shape_26, %collapse_shape_28 : memref<1x16x1xi1>, memref<4x1x8xf32, strided<[8, 8, 1], offset: 64>>, memref<4x16x8xf32, strided<[128, 8, 1]>>) outs(%alloc_29 : memref<4x16x8xf32>) {
    ^bb0(%in: i1, %in_117: f32, %in_118: f32, %out: f32):
      %0 = arith.select %in, %in_117, %in_118 : f32
      linalg.yield %0 : f32
    }
    %collapse_shape_30 = memref.collapse_shape %subview [[0, 1]] : memref<1x32xf32, strided<[96, 1]>> into memref<32xf32, strided<[1]>>
    %expand_shape_31 = memref.expand_shape %collapse_shape_30 [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1]>> into memref<4x1x8xf32>
    %alloc_32 = memref.alloc() {alignment = 64 : i64} : memref<4x8x16xf32>
    linalg.transpose ins(%alloc_24 : memref<4x16x8xf32>) outs(%alloc_32 : memref<4x8x16xf32>) permutation = [0, 2, 1] 
    %alloc_33 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_33 : memref<4x1x16xf32>)
    linalg.batch_matmul ins(%expand_shape_31, %alloc_32 : memref<4x1x8xf32>, memref<4x8x16xf32>) outs(%alloc_33 : memref<4x1x16xf32>)
    %alloc_34 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_33, %alloc_12 : memref<4x1x16xf32>, memref<16xf32>) outs(%alloc_34 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.truncf %cst_3 : f64 to f32
      %1 = arith.divf %in, %0 : f32
      %2 = arith.addf %1, %in_117 : f32
      linalg.yield %2 : f32
    }
    %alloc_35 = memref.alloc() {alignment = 64 : i64} : memref<4x1xf32>
    %expand_shape_36 = memref.expand_shape %alloc_35 [[0], [1, 2]] output_shape [4, 1, 1] : memref<4x1xf32> into memref<4x1x1xf32>
    linalg.fill ins(%cst_7 : f32) outs(%expand_shape_36 : memref<4x1x1xf32>)
    %expand_shape_37 = memref.expand_shape %alloc_34 [[0], [1, 2], [3]] output_shape [4, 1, 1, 16] : memref<4x1x16xf32> into memref<4x1x1x16xf32>
    linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_37 : memref<4x1x1x16xf32>) outs(%expand_shape_36 : memref<4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_38 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_34, %expand_shape_36 : memref<4x1x16xf32>, memref<4x1x1xf32>) outs(%alloc_38 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.subf %in, %in_117 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %alloc_39 = memref.alloc() {alignment = 64 : i64} : memref<4x1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_39 : memref<4x1x1xf32>)
    linalg.generic {indexing_maps = [#map3, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_38 : memref<4x1x16xf32>) outs(%alloc_39 : memref<4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_40 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_38, %alloc_39 : memref<4x1x16xf32>, memref<4x1x1xf32>) outs(%alloc_40 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.divf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_41 = memref.alloc() {alignment = 64 : i64} : memref<4x1x8xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_41 : memref<4x1x8xf32>)
    linalg.batch_matmul ins(%alloc_40, %alloc_29 : memref<4x1x16xf32>, memref<4x16x8xf32>) outs(%alloc_41 : memref<4x1x8xf32>)
    %collapse_shape_42 = memref.collapse_shape %alloc_41 [[0, 1, 2]] : memref<4x1x8xf32> into memref<32xf32>
    %expand_shape_43 = memref.expand_shape %collapse_shape_42 [[0, 1]] output_shape [1, 32] : memref<32xf32> into memref<1x32xf32>
    %alloc_44 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_44 : memref<1x32xf32>)
    linalg.matmul ins(%expand_shape_43, %arg4 : memref<1x32xf32>, memref<32x32xf32>) outs(%alloc_44 : memref<1x32xf32>)
    %alloc_45 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc, %alloc_44 : memref<1x32xf32>, memref<1x32xf32>) outs(%alloc_45 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.addf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_46 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf64>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_45 : memref<1x32xf32>) outs(%alloc_46 : memref<1x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      linalg.yield %0 : f64
    }
    %alloc_47 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_47 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_46 : memref<1x32xf64>) outs(%alloc_47 : memref<1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    %alloc_48 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_48 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_46, %alloc_47 : memref<1x32xf64>, memref<1x1xf64>) outs(%alloc_48 : memref<1x1xf64>) {
    ^bb0(%in: f64, %in_117: f64, %out: f64):
      %0 = arith.divf %in_117, %cst_2 : f64
      %1 = arith.subf %in, %0 : f64
      %2 = arith.mulf %1, %1 : f64
      %3 = arith.addf %2, %out : f64
      linalg.yield %3 : f64
    }
    %alloc_49 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_49 : memref<1x1xf32>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_45 : memref<1x32xf32>) outs(%alloc_49 : memref<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_50 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map6, #map6, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_45, %alloc_49, %alloc_48 : memref<1x32xf32>, memref<1x1xf32>, memref<1x1xf64>) outs(%alloc_50 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %in_118: f64, %out: f32):
      %0 = arith.divf %in_118, %cst_2 : f64
      %1 = arith.truncf %0 : f64 to f32
      %2 = arith.truncf %cst_4 : f64 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.rsqrt %3 : f32
      %5 = arith.divf %in_117, %cst_1 : f32
      %6 = arith.subf %in, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      linalg.yield %7 : f32
    }
    %alloc_51 = memref.alloc() {alignment = 64 : i64} : memref<1x128xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_51 : memref<1x128xf32>)
    linalg.matmul ins(%alloc_50, %arg6 : memref<1x32xf32>, memref<32x128xf32>) outs(%alloc_51 : memref<1x128xf32>)
    %alloc_52 = memref.alloc() {alignment = 64 : i64} : memref<1x128xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_51 : memref<1x128xf32>) outs(%alloc_52 : memref<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %cst_0 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %cst_6 : f32
      %3 = arith.mulf %2, %cst_5 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_53 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_53 : memref<1x32xf32>)
    linalg.matmul ins(%alloc_52, %arg8 : memref<1x128xf32>, memref<128x32xf32>) outs(%alloc_53 : memref<1x32xf32>)
    %alloc_54 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_45, %alloc_53 : memref<1x32xf32>, memref<1x32xf32>) outs(%alloc_54 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.addf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_55 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf64>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_54 : memref<1x32xf32>) outs(%alloc_55 : memref<1x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      linalg.yield %0 : f64
    }
    %alloc_56 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_56 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_55 : memref<1x32xf64>) outs(%alloc_56 : memref<1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    %alloc_57 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_57 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_55, %alloc_56 : memref<1x32xf64>, memref<1x1xf64>) outs(%alloc_57 : memref<1x1xf64>) {
    ^bb0(%in: f64, %in_117: f64, %out: f64):
      %0 = arith.divf %in_117, %cst_2 : f64
      %1 = arith.subf %in, %0 : f64
      %2 = arith.mulf %1, %1 : f64
      %3 = arith.addf %2, %out : f64
      linalg.yield %3 : f64
    }
    %alloc_58 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_58 : memref<1x1xf32>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_54 : memref<1x32xf32>) outs(%alloc_58 : memref<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_59 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map6, #map6, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_54, %alloc_58, %alloc_57 : memref<1x32xf32>, memref<1x1xf32>, memref<1x1xf64>) outs(%alloc_59 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %in_118: f64, %out: f32):
      %0 = arith.divf %in_118, %cst_2 : f64
      %1 = arith.truncf %0 : f64 to f32
      %2 = arith.truncf %cst_4 : f64 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.rsqrt %3 : f32
      %5 = arith.divf %in_117, %cst_1 : f32
      %6 = arith.subf %in, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      linalg.yield %7 : f32
    }
    %alloc_60 = memref.alloc() {alignment = 64 : i64} : memref<1x96xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_60 : memref<1x96xf32>)
    linalg.matmul ins(%alloc_59, %arg3 : memref<1x32xf32>, memref<32x96xf32>) outs(%alloc_60 : memref<1x96xf32>)
    %subview_61 = memref.subview %alloc_60[0, 0] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1]>>
    %subview_62 = memref.subview %alloc_60[0, 32] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1], offset: 32>>
    %subview_63 = memref.subview %alloc_60[0, 64] [1, 32] [1, 1] : memref<1x96xf32> to memref<1x32xf32, strided<[96, 1], offset: 64>>
    %collapse_shape_64 = memref.collapse_shape %subview_62 [[0, 1]] : memref<1x32xf32, strided<[96, 1], offset: 32>> into memref<32xf32, strided<[1], offset: 32>>
    %expand_shape_65 = memref.expand_shape %collapse_shape_64 [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1], offset: 32>> into memref<4x1x8xf32, strided<[8, 8, 1], offset: 32>>
    %subview_66 = memref.subview %arg11[1, 0, 0, 0] [1, 4, 16, 8] [1, 1, 1, 1] : memref<2x4x16x8xf32> to memref<1x4x16x8xf32, strided<[512, 128, 8, 1], offset: 512>>
    %collapse_shape_67 = memref.collapse_shape %subview_66 [[0, 1], [2], [3]] : memref<1x4x16x8xf32, strided<[512, 128, 8, 1], offset: 512>> into memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    %alloc_68 = memref.alloc() {alignment = 64 : i64} : memref<4x16x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_11, %expand_shape_65, %collapse_shape_67 : memref<1x16x1xi1>, memref<4x1x8xf32, strided<[8, 8, 1], offset: 32>>, memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>) outs(%alloc_68 : memref<4x16x8xf32>) {
    ^bb0(%in: i1, %in_117: f32, %in_118: f32, %out: f32):
      %0 = arith.select %in, %in_117, %in_118 : f32
      linalg.yield %0 : f32
    }
    %collapse_shape_69 = memref.collapse_shape %subview_63 [[0, 1]] : memref<1x32xf32, strided<[96, 1], offset: 64>> into memref<32xf32, strided<[1], offset: 64>>
    %expand_shape_70 = memref.expand_shape %collapse_shape_69 [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1], offset: 64>> into memref<4x1x8xf32, strided<[8, 8, 1], offset: 64>>
    %subview_71 = memref.subview %arg12[1, 0, 0, 0] [1, 4, 16, 8] [1, 1, 1, 1] : memref<2x4x16x8xf32> to memref<1x4x16x8xf32, strided<[512, 128, 8, 1], offset: 512>>
    %collapse_shape_72 = memref.collapse_shape %subview_71 [[0, 1], [2], [3]] : memref<1x4x16x8xf32, strided<[512, 128, 8, 1], offset: 512>> into memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    %alloc_73 = memref.alloc() {alignment = 64 : i64} : memref<4x16x8xf32>
    linalg.generic {indexing_maps = [#map7, #map8, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_11, %expand_shape_70, %collapse_shape_72 : memref<1x16x1xi1>, memref<4x1x8xf32, strided<[8, 8, 1], offset: 64>>, memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>) outs(%alloc_73 : memref<4x16x8xf32>) {
    ^bb0(%in: i1, %in_117: f32, %in_118: f32, %out: f32):
      %0 = arith.select %in, %in_117, %in_118 : f32
      linalg.yield %0 : f32
    }
    %collapse_shape_74 = memref.collapse_shape %subview_61 [[0, 1]] : memref<1x32xf32, strided<[96, 1]>> into memref<32xf32, strided<[1]>>
    %expand_shape_75 = memref.expand_shape %collapse_shape_74 [[0, 1, 2]] output_shape [4, 1, 8] : memref<32xf32, strided<[1]>> into memref<4x1x8xf32>
    %alloc_76 = memref.alloc() {alignment = 64 : i64} : memref<4x8x16xf32>
    linalg.transpose ins(%alloc_68 : memref<4x16x8xf32>) outs(%alloc_76 : memref<4x8x16xf32>) permutation = [0, 2, 1] 
    %alloc_77 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_77 : memref<4x1x16xf32>)
    linalg.batch_matmul ins(%expand_shape_75, %alloc_76 : memref<4x1x8xf32>, memref<4x8x16xf32>) outs(%alloc_77 : memref<4x1x16xf32>)
    %alloc_78 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map9, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_77, %alloc_12 : memref<4x1x16xf32>, memref<16xf32>) outs(%alloc_78 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.truncf %cst_3 : f64 to f32
      %1 = arith.divf %in, %0 : f32
      %2 = arith.addf %1, %in_117 : f32
      linalg.yield %2 : f32
    }
    %alloc_79 = memref.alloc() {alignment = 64 : i64} : memref<4x1xf32>
    %expand_shape_80 = memref.expand_shape %alloc_79 [[0], [1, 2]] output_shape [4, 1, 1] : memref<4x1xf32> into memref<4x1x1xf32>
    linalg.fill ins(%cst_7 : f32) outs(%expand_shape_80 : memref<4x1x1xf32>)
    %expand_shape_81 = memref.expand_shape %alloc_78 [[0], [1, 2], [3]] output_shape [4, 1, 1, 16] : memref<4x1x16xf32> into memref<4x1x1x16xf32>
    linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expand_shape_81 : memref<4x1x1x16xf32>) outs(%expand_shape_80 : memref<4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_82 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_78, %expand_shape_80 : memref<4x1x16xf32>, memref<4x1x1xf32>) outs(%alloc_82 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.subf %in, %in_117 : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %alloc_83 = memref.alloc() {alignment = 64 : i64} : memref<4x1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_83 : memref<4x1x1xf32>)
    linalg.generic {indexing_maps = [#map3, #map12], iterator_types = ["parallel", "parallel", "reduction"]} ins(%alloc_82 : memref<4x1x16xf32>) outs(%alloc_83 : memref<4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_84 = memref.alloc() {alignment = 64 : i64} : memref<4x1x16xf32>
    linalg.generic {indexing_maps = [#map3, #map12, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%alloc_82, %alloc_83 : memref<4x1x16xf32>, memref<4x1x1xf32>) outs(%alloc_84 : memref<4x1x16xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.divf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_85 = memref.alloc() {alignment = 64 : i64} : memref<4x1x8xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_85 : memref<4x1x8xf32>)
    linalg.batch_matmul ins(%alloc_84, %alloc_73 : memref<4x1x16xf32>, memref<4x16x8xf32>) outs(%alloc_85 : memref<4x1x8xf32>)
    %collapse_shape_86 = memref.collapse_shape %alloc_85 [[0, 1, 2]] : memref<4x1x8xf32> into memref<32xf32>
    %expand_shape_87 = memref.expand_shape %collapse_shape_86 [[0, 1]] output_shape [1, 32] : memref<32xf32> into memref<1x32xf32>
    %alloc_88 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_88 : memref<1x32xf32>)
    linalg.matmul ins(%expand_shape_87, %arg5 : memref<1x32xf32>, memref<32x32xf32>) outs(%alloc_88 : memref<1x32xf32>)
    %alloc_89 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_54, %alloc_88 : memref<1x32xf32>, memref<1x32xf32>) outs(%alloc_89 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.addf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_90 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf64>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_89 : memref<1x32xf32>) outs(%alloc_90 : memref<1x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      linalg.yield %0 : f64
    }
    %alloc_91 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_91 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_90 : memref<1x32xf64>) outs(%alloc_91 : memref<1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    %alloc_92 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_92 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_90, %alloc_91 : memref<1x32xf64>, memref<1x1xf64>) outs(%alloc_92 : memref<1x1xf64>) {
    ^bb0(%in: f64, %in_117: f64, %out: f64):
      %0 = arith.divf %in_117, %cst_2 : f64
      %1 = arith.subf %in, %0 : f64
      %2 = arith.mulf %1, %1 : f64
      %3 = arith.addf %2, %out : f64
      linalg.yield %3 : f64
    }
    %alloc_93 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_93 : memref<1x1xf32>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_89 : memref<1x32xf32>) outs(%alloc_93 : memref<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_94 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map6, #map6, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_89, %alloc_93, %alloc_92 : memref<1x32xf32>, memref<1x1xf32>, memref<1x1xf64>) outs(%alloc_94 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %in_118: f64, %out: f32):
      %0 = arith.divf %in_118, %cst_2 : f64
      %1 = arith.truncf %0 : f64 to f32
      %2 = arith.truncf %cst_4 : f64 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.rsqrt %3 : f32
      %5 = arith.divf %in_117, %cst_1 : f32
      %6 = arith.subf %in, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      linalg.yield %7 : f32
    }
    %alloc_95 = memref.alloc() {alignment = 64 : i64} : memref<1x128xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_95 : memref<1x128xf32>)
    linalg.matmul ins(%alloc_94, %arg7 : memref<1x32xf32>, memref<32x128xf32>) outs(%alloc_95 : memref<1x128xf32>)
    %alloc_96 = memref.alloc() {alignment = 64 : i64} : memref<1x128xf32>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_95 : memref<1x128xf32>) outs(%alloc_96 : memref<1x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %cst_0 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %cst_6 : f32
      %3 = arith.mulf %2, %cst_5 : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    }
    %alloc_97 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_97 : memref<1x32xf32>)
    linalg.matmul ins(%alloc_96, %arg9 : memref<1x128xf32>, memref<128x32xf32>) outs(%alloc_97 : memref<1x32xf32>)
    %alloc_98 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_89, %alloc_97 : memref<1x32xf32>, memref<1x32xf32>) outs(%alloc_98 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %out: f32):
      %0 = arith.addf %in, %in_117 : f32
      linalg.yield %0 : f32
    }
    %alloc_99 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf64>
    linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_98 : memref<1x32xf32>) outs(%alloc_99 : memref<1x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %0 = arith.extf %in : f32 to f64
      linalg.yield %0 : f64
    }
    %alloc_100 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_100 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_99 : memref<1x32xf64>) outs(%alloc_100 : memref<1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %0 = arith.addf %in, %out : f64
      linalg.yield %0 : f64
    }
    %alloc_101 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf64>
    linalg.fill ins(%cst_9 : f64) outs(%alloc_101 : memref<1x1xf64>)
    linalg.generic {indexing_maps = [#map1, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_99, %alloc_100 : memref<1x32xf64>, memref<1x1xf64>) outs(%alloc_101 : memref<1x1xf64>) {
    ^bb0(%in: f64, %in_117: f64, %out: f64):
      %0 = arith.divf %in_117, %cst_2 : f64
      %1 = arith.subf %in, %0 : f64
      %2 = arith.mulf %1, %1 : f64
      %3 = arith.addf %2, %out : f64
      linalg.yield %3 : f64
    }
    %alloc_102 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_102 : memref<1x1xf32>)
    linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "reduction"]} ins(%alloc_98 : memref<1x32xf32>) outs(%alloc_102 : memref<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    %alloc_103 = memref.alloc() {alignment = 64 : i64} : memref<1x32xf32>
    linalg.generic {indexing_maps = [#map1, #map6, #map6, #map1], iterator_types = ["parallel", "parallel"]} ins(%alloc_98, %alloc_102, %alloc_101 : memref<1x32xf32>, memref<1x1xf32>, memref<1x1xf64>) outs(%alloc_103 : memref<1x32xf32>) {
    ^bb0(%in: f32, %in_117: f32, %in_118: f64, %out: f32):
      %0 = arith.divf %in_118, %cst_2 : f64
      %1 = arith.truncf %0 : f64 to f32
      %2 = arith.truncf %cst_4 : f64 to f32
      %3 = arith.addf %1, %2 : f32
      %4 = math.rsqrt %3 : f32
      %5 = arith.divf %in_117, %cst_1 : f32
      %6 = arith.subf %in, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      linalg.yield %7 : f32
    }
    %alloc_104 = memref.alloc() {alignment = 64 : i64} : memref<32x64xf32>
    linalg.transpose ins(%arg1 : memref<64x32xf32>) outs(%alloc_104 : memref<32x64xf32>) permutation = [1, 0] 
    %alloc_105 = memref.alloc() {alignment = 64 : i64} : memref<1x64xf32>
    linalg.fill ins(%cst_8 : f32) outs(%alloc_105 : memref<1x64xf32>)
    linalg.matmul ins(%alloc_103, %alloc_104 : memref<1x32xf32>, memref<32x64xf32>) outs(%alloc_105 : memref<1x64xf32>)
    %alloc_106 = memref.alloc() {alignment = 64 : i64} : memref<8x16x8xf32>
    %subview_107 = memref.subview %alloc_106[0, 0, 0] [4, 16, 8] [1, 1, 1] : memref<8x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1]>>
    memref.copy %alloc_24, %subview_107 : memref<4x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1]>>
    %subview_108 = memref.subview %alloc_106[4, 0, 0] [4, 16, 8] [1, 1, 1] : memref<8x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    memref.copy %alloc_68, %subview_108 : memref<4x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    %expand_shape_109 = memref.expand_shape %alloc_106 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : memref<8x16x8xf32> into memref<2x4x16x8xf32>
    %alloc_110 = memref.alloc() {alignment = 64 : i64} : memref<8x16x8xf32>
    %subview_111 = memref.subview %alloc_110[0, 0, 0] [4, 16, 8] [1, 1, 1] : memref<8x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1]>>
    memref.copy %alloc_29, %subview_111 : memref<4x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1]>>
    %subview_112 = memref.subview %alloc_110[4, 0, 0] [4, 16, 8] [1, 1, 1] : memref<8x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    memref.copy %alloc_73, %subview_112 : memref<4x16x8xf32> to memref<4x16x8xf32, strided<[128, 8, 1], offset: 512>>
    %expand_shape_113 = memref.expand_shape %alloc_110 [[0, 1], [2], [3]] output_shape [2, 4, 16, 8] : memref<8x16x8xf32> into memref<2x4x16x8xf32>
    %alloc_114 = memref.alloc() {alignment = 64 : i64} : memref<i64>
    linalg.generic {indexing_maps = [#map13, #map13], iterator_types = []} ins(%arg10 : memref<i64>) outs(%alloc_114 : memref<i64>) {
    ^bb0(%in: i64, %out: i64):
      %0 = arith.addi %in, %c1_i64 : i64
      linalg.yield %0 : i64
    }
    %alloc_115 = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
    linalg.fill ins(%cst_7 : f32) outs(%alloc_115 : memref<1xf32>)
    %alloc_116 = memref.alloc() {alignment = 64 : i64} : memref<1xi64>
    linalg.fill ins(%c0_i64 : i64) outs(%alloc_116 : memref<1xi64>)
    linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%alloc_105 : memref<1x64xf32>) outs(%alloc_115, %alloc_116 : memref<1xf32>, memref<1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_117: i64):
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i64
      %2 = arith.maximumf %in, %out : f32
      %3 = arith.cmpf ogt, %in, %out : f32
      %4 = arith.select %3, %1, %out_117 : i64
      linalg.yield %2, %4 : f32, i64
    }
    return %alloc_105, %alloc_116, %alloc_114, %expand_shape_109, %expand_shape_113 : memref<1x64xf32>, memref<1xi64>, memref<i64>, memref<2x4x16x8xf32>, memref<2x4x16x8xf32>
  }
}

