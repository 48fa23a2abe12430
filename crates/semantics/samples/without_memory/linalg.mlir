// linalg.index
func.func @linalg_index(%a: memref<?x?xindex>, %i: index) -> index {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%a : memref<?x?xindex>) {
  ^bb0(%old: index):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %product = arith.muli %row, %column : index
    %new = arith.addi %old, %product : index
    linalg.yield %new : index
  }
  %r = memref.load %a[%i, %i] : memref<?x?xindex>
  return %r : index
}
// -----
// linalg.pack
// compile: no
func.func @linalg_pack(%a: memref<4x8xf32>, %x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  memref.store %y, %a[%c1, %i] : memref<4x8xf32>
  %t = bufferization.to_tensor %a restrict : memref<4x8xf32> to tensor<4x8xf32>
  %empty = tensor.empty() : tensor<2x2x2x4xf32>
  %p = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %empty : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  %r = tensor.extract %p[%c0, %c0, %c1, %i] : tensor<2x2x2x4xf32>
  return %r : f32
}
// -----
// linalg.pack: with padding
// compile: no
func.func @linalg_pack_padding(%a: memref<3x7xf32>, %x: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %t = bufferization.to_tensor %a restrict : memref<3x7xf32> to tensor<3x7xf32>
  %empty = tensor.empty() : tensor<2x2x2x4xf32>
  %p = linalg.pack %t padding_value(%y : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %empty : tensor<3x7xf32> -> tensor<2x2x2x4xf32>
  %r = tensor.extract %p[%c1, %c1, %c1, %i] : tensor<2x2x2x4xf32>
  return %r : f32
}
// -----
// linalg.unpack
// compile: no
func.func @linalg_unpack(%a: memref<2x2x2x4xf32>, %x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  memref.store %y, %a[%c0, %c0, %c1, %i] : memref<2x2x2x4xf32>
  %t = bufferization.to_tensor %a restrict : memref<2x2x2x4xf32> to tensor<2x2x2x4xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %p = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %empty : tensor<2x2x2x4xf32> -> tensor<4x8xf32>
  %r = tensor.extract %p[%c1, %i] : tensor<4x8xf32>
  return %r : f32
}
// -----
// linalg.winograd_filter_transform
// compile: no
func.func @linalg_winograd_filter_transform(%a: memref<2x3x3x2xf32>, %x: f32, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  memref.store %y, %a[%c1, %c1, %i, %c1] : memref<2x3x3x2xf32>
  %t = bufferization.to_tensor %a restrict : memref<2x3x3x2xf32> to tensor<2x3x3x2xf32>
  %empty = tensor.empty() : tensor<4x4x2x2xf32>
  %w = linalg.winograd_filter_transform fmr(F_2_3) ins(%t : tensor<2x3x3x2xf32>) outs(%empty : tensor<4x4x2x2xf32>) -> tensor<4x4x2x2xf32>
  %r = tensor.extract %w[%c1, %i, %c1, %c1] : tensor<4x4x2x2xf32>
  return %r : f32
}
// -----
// linalg.winograd_input_transform
// compile: no
func.func @linalg_winograd_input_transform(%a: memref<2x4x4x2xf32>, %x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  memref.store %y, %a[%c1, %c1, %i, %c1] : memref<2x4x4x2xf32>
  %t = bufferization.to_tensor %a restrict : memref<2x4x4x2xf32> to tensor<2x4x4x2xf32>
  %empty = tensor.empty() : tensor<4x4x1x1x2x2xf32>
  %w = linalg.winograd_input_transform fmr(F_2_3) ins(%t : tensor<2x4x4x2xf32>) outs(%empty : tensor<4x4x1x1x2x2xf32>) -> tensor<4x4x1x1x2x2xf32>
  %r = tensor.extract %w[%c1, %i, %c0, %c0, %c1, %c1] : tensor<4x4x1x1x2x2xf32>
  return %r : f32
}
// -----
// linalg.winograd_output_transform
// compile: no
func.func @linalg_winograd_output_transform(%a: memref<4x4x1x1x2x2xf32>, %x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  memref.store %y, %a[%c1, %i, %c0, %c0, %c1, %c1] : memref<4x4x1x1x2x2xf32>
  %t = bufferization.to_tensor %a restrict : memref<4x4x1x1x2x2xf32> to tensor<4x4x1x1x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2x2x2xf32>
  %full = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
  %w = linalg.winograd_output_transform fmr(F_2_3) ins(%t : tensor<4x4x1x1x2x2xf32>) outs(%full : tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
  %r = tensor.extract %w[%c1, %c1, %c0, %c1] : tensor<2x2x2x2xf32>
  return %r : f32
}
