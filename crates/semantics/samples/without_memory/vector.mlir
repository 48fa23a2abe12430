// vector.bitcast
func.func @vector_bitcast(%x: vector<4xf32>) -> vector<4xi32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.bitcast %s : vector<4xf32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_bitcast_wider(%x: vector<4xi32>) -> vector<2xi64> {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.bitcast %s : vector<4xi32> to vector<2xi64>
  return %r : vector<2xi64>
}
func.func @vector_bitcast_narrower(%x: vector<2xf64>) -> vector<8xi16> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf64>
  %s = arith.addf %x, %ks : vector<2xf64>
  %r = vector.bitcast %s : vector<2xf64> to vector<8xi16>
  return %r : vector<8xi16>
}
func.func @vector_bitcast_bits(%x: vector<8xi1>) -> vector<1xi8> {
  %ks = arith.constant dense<[true, false, true, true, false, true, true, false]> : vector<8xi1>
  %s = arith.andi %x, %ks : vector<8xi1>
  %r = vector.bitcast %s : vector<8xi1> to vector<1xi8>
  return %r : vector<1xi8>
}
// -----
// vector.bitcast: rank 2
func.func @vector_bitcast_rank2(%x: vector<2x4xi32>) -> vector<2x2xi64> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8]]> : vector<2x4xi32>
  %s = arith.addi %x, %ks : vector<2x4xi32>
  %r = vector.bitcast %s : vector<2x4xi32> to vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// vector.bitcast: rank 0
func.func @vector_bitcast_rank0(%x: f32) -> i32 {
  %v = vector.broadcast %x : f32 to vector<f32>
  %b = vector.bitcast %v : vector<f32> to vector<i32>
  %r = vector.extract %b[] : i32 from vector<i32>
  return %r : i32
}
// -----
// vector.shape_cast
func.func @vector_shape_cast_1_2(%x: vector<6xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0]> : vector<6xf32>
  %s = arith.addf %x, %ks : vector<6xf32>
  %r = vector.shape_cast %s : vector<6xf32> to vector<2x3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_shape_cast_2_1(%x: vector<2x4xi32>) -> vector<8xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8]]> : vector<2x4xi32>
  %s = arith.addi %x, %ks : vector<2x4xi32>
  %r = vector.shape_cast %s : vector<2x4xi32> to vector<8xi32>
  return %r : vector<8xi32>
}
func.func @vector_shape_cast_2_2(%x: vector<2x6xf32>) -> vector<3x4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0, 5.0, -6.0], [7.0, 8.0, -9.0, 10.0, 11.0, -12.0]]> : vector<2x6xf32>
  %s = arith.addf %x, %ks : vector<2x6xf32>
  %r = vector.shape_cast %s : vector<2x6xf32> to vector<3x4xf32>
  return %r : vector<3x4xf32>
}
func.func @vector_shape_cast_3_2(%x: vector<2x2x2xi8>) -> vector<4x2xi8> {
  %ks = arith.constant dense<[[[1, 2], [-3, 4]], [[5, -6], [7, 8]]]> : vector<2x2x2xi8>
  %s = arith.addi %x, %ks : vector<2x2x2xi8>
  %r = vector.shape_cast %s : vector<2x2x2xi8> to vector<4x2xi8>
  return %r : vector<4x2xi8>
}
func.func @vector_shape_cast_unit(%x: vector<4xf32>) -> vector<1x4xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.shape_cast %s : vector<4xf32> to vector<1x4xf32>
  return %r : vector<1x4xf32>
}
// -----
// vector.shape_cast: rank 0
func.func @vector_shape_cast_rank0(%x: f32) -> f32 {
  %v = vector.broadcast %x : f32 to vector<f32>
  %w = vector.shape_cast %v : vector<f32> to vector<1xf32>
  %d = arith.addf %w, %w : vector<1xf32>
  %u = vector.shape_cast %d : vector<1xf32> to vector<f32>
  %r = vector.extract %u[] : f32 from vector<f32>
  return %r : f32
}
// -----
// vector.transpose
func.func @vector_transpose(%x: vector<2x3xf32>) -> vector<3x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %r = vector.transpose %s, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  return %r : vector<3x2xf32>
}
func.func @vector_transpose_i8(%x: vector<4x4xi8>) -> vector<4x4xi8> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12], [13, 14, -15, 16]]> : vector<4x4xi8>
  %s = arith.addi %x, %ks : vector<4x4xi8>
  %r = vector.transpose %s, [1, 0] : vector<4x4xi8> to vector<4x4xi8>
  return %r : vector<4x4xi8>
}
// -----
// vector.transpose: rank 3
func.func @vector_transpose_3(%x: vector<2x3x2xf32>) -> vector<2x2x3xf32> {
  %ks = arith.constant dense<[[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]], [[7.0, 8.0], [-9.0, 10.0], [11.0, -12.0]]]> : vector<2x3x2xf32>
  %s = arith.addf %x, %ks : vector<2x3x2xf32>
  %r = vector.transpose %s, [2, 0, 1] : vector<2x3x2xf32> to vector<2x2x3xf32>
  return %r : vector<2x2x3xf32>
}
func.func @vector_transpose_3_outer(%x: vector<2x3x4xi32>) -> vector<3x2x4xi32> {
  %ks = arith.constant dense<[[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]], [[13, 14, -15, 16], [17, -18, 19, 20], [-21, 22, 23, -24]]]> : vector<2x3x4xi32>
  %s = arith.addi %x, %ks : vector<2x3x4xi32>
  %r = vector.transpose %s, [1, 0, 2] : vector<2x3x4xi32> to vector<3x2x4xi32>
  return %r : vector<3x2x4xi32>
}
// -----
// vector.transpose: index
func.func @vector_transpose_index(%x: vector<2x2xindex>) -> vector<2x2xindex> {
  %ks = arith.constant dense<[[1, 2], [-3, 4]]> : vector<2x2xindex>
  %s = arith.addi %x, %ks : vector<2x2xindex>
  %r = vector.transpose %s, [1, 0] : vector<2x2xindex> to vector<2x2xindex>
  return %r : vector<2x2xindex>
}
// -----
// vector.shuffle
func.func @vector_shuffle(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<6xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.shuffle %s, %y [0, 7, 2, 5, 1, 3] : vector<4xf32>, vector<4xf32>
  return %r : vector<6xf32>
}
// -----
// vector.shuffle: rank 2
func.func @vector_shuffle_2(%x: vector<2x2xf32>, %y: vector<2x2xf32>) -> vector<3x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0]]> : vector<2x2xf32>
  %s = arith.addf %x, %ks : vector<2x2xf32>
  %r = vector.shuffle %s, %y [1, 3, 0] : vector<2x2xf32>, vector<2x2xf32>
  return %r : vector<3x2xf32>
}
// -----
// vector.shuffle: of vectors of different lengths
func.func @vector_shuffle_mixed(%x: vector<2xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %r = vector.shuffle %s, %y [0, 5, 1, 2] : vector<2xf32>, vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// vector.interleave, vector.deinterleave
func.func @vector_interleave(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<8xi32> {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.interleave %s, %y : vector<4xi32> -> vector<8xi32>
  return %r : vector<8xi32>
}
func.func @vector_deinterleave(%x: vector<8xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0]> : vector<8xf32>
  %s = arith.addf %x, %ks : vector<8xf32>
  %a, %b = vector.deinterleave %s : vector<8xf32> -> vector<4xf32>
  return %a, %b : vector<4xf32>, vector<4xf32>
}
// -----
// vector.interleave: rank 2
func.func @vector_interleave_2(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> vector<2x4xi32> {
  %ks = arith.constant dense<[[1, 2], [-3, 4]]> : vector<2x2xi32>
  %s = arith.addi %x, %ks : vector<2x2xi32>
  %r = vector.interleave %s, %y : vector<2x2xi32> -> vector<2x4xi32>
  return %r : vector<2x4xi32>
}
// -----
// vector.interleave: rank 0
func.func @vector_interleave_0(%x: f32, %y: f32) -> vector<2xf32> {
  %k = arith.constant 4.0 : f32
  %z = arith.addf %y, %k : f32
  %a = vector.broadcast %x : f32 to vector<f32>
  %b = vector.broadcast %z : f32 to vector<f32>
  %r = vector.interleave %a, %b : vector<f32> -> vector<2xf32>
  return %r : vector<2xf32>
}
// -----
// vector.deinterleave: rank 2
func.func @vector_deinterleave_2(%x: vector<2x4xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8]]> : vector<2x4xi32>
  %s = arith.addi %x, %ks : vector<2x4xi32>
  %a, %b = vector.deinterleave %s : vector<2x4xi32> -> vector<2x2xi32>
  return %a, %b : vector<2x2xi32>, vector<2x2xi32>
}
// -----
// vector.extract_strided_slice
func.func @vector_extract_strided(%x: vector<8xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0]> : vector<8xf32>
  %s = arith.addf %x, %ks : vector<8xf32>
  %r = vector.extract_strided_slice %s {offsets = [2], sizes = [3], strides = [1]} : vector<8xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
// -----
// vector.extract_strided_slice: rank 2
func.func @vector_extract_strided_2(%x: vector<4x4xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0], [13.0, 14.0, -15.0, 16.0]]> : vector<4x4xf32>
  %s = arith.addf %x, %ks : vector<4x4xf32>
  %r = vector.extract_strided_slice %s {offsets = [1, 1], sizes = [2, 3], strides = [1, 1]} : vector<4x4xf32> to vector<2x3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_extract_strided_outer(%x: vector<4x4xf32>) -> vector<2x4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0], [13.0, 14.0, -15.0, 16.0]]> : vector<4x4xf32>
  %s = arith.addf %x, %ks : vector<4x4xf32>
  %r = vector.extract_strided_slice %s {offsets = [1], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.insert_strided_slice
func.func @vector_insert_strided(%x: vector<3xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %s = arith.addf %x, %ks : vector<3xf32>
  %r = vector.insert_strided_slice %s, %y {offsets = [2], strides = [1]} : vector<3xf32> into vector<8xf32>
  return %r : vector<8xf32>
}
// -----
// vector.insert_strided_slice: rank 2
func.func @vector_insert_strided_2(%x: vector<2x3xf32>, %y: vector<4x4xf32>) -> vector<4x4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %r = vector.insert_strided_slice %s, %y {offsets = [1, 1], strides = [1, 1]} : vector<2x3xf32> into vector<4x4xf32>
  return %r : vector<4x4xf32>
}
func.func @vector_insert_strided_row(%x: vector<2xf32>, %y: vector<4x4xf32>) -> vector<4x4xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %r = vector.insert_strided_slice %s, %y {offsets = [1, 1], strides = [1]} : vector<2xf32> into vector<4x4xf32>
  return %r : vector<4x4xf32>
}
// -----
// vector.broadcast
func.func @vector_broadcast(%x: f32, %v: vector<3xi32>) -> (vector<4xf32>, vector<2x3xf32>, vector<2x3xi32>) {
  %a = vector.broadcast %x : f32 to vector<4xf32>
  %b = vector.broadcast %x : f32 to vector<2x3xf32>
  %ks = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %s = arith.addi %v, %ks : vector<3xi32>
  %c = vector.broadcast %s : vector<3xi32> to vector<2x3xi32>
  return %a, %b, %c : vector<4xf32>, vector<2x3xf32>, vector<2x3xi32>
}
// -----
// vector.broadcast: of dimensions of one element
func.func @vector_broadcast_unit(%v: vector<2x1xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[[1], [2]]> : vector<2x1xi32>
  %s = arith.addi %v, %ks : vector<2x1xi32>
  %c = vector.broadcast %s : vector<2x1xi32> to vector<2x3xi32>
  return %c : vector<2x3xi32>
}
func.func @vector_broadcast_unit_outer(%v: vector<1x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[[1, 2, -3]]> : vector<1x3xi32>
  %s = arith.addi %v, %ks : vector<1x3xi32>
  %c = vector.broadcast %s : vector<1x3xi32> to vector<2x3xi32>
  return %c : vector<2x3xi32>
}
// -----
// vector.broadcast: of other types
func.func @vector_broadcast_types(%i: index, %b: i1, %h: f16, %g: bf16) -> (vector<4xindex>, vector<4xi1>, vector<4xf16>, vector<4xbf16>) {
  %c = vector.broadcast %i : index to vector<4xindex>
  %d = vector.broadcast %b : i1 to vector<4xi1>
  %e = vector.broadcast %h : f16 to vector<4xf16>
  %f = vector.broadcast %g : bf16 to vector<4xbf16>
  return %c, %d, %e, %f : vector<4xindex>, vector<4xi1>, vector<4xf16>, vector<4xbf16>
}
// -----
// vector.extract, vector.insert
func.func @vector_extract(%v: vector<4xf32>, %w: vector<2x3xi32>) -> (f32, vector<3xi32>, i32) {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %v, %ks : vector<4xf32>
  %kt = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi32>
  %t = arith.addi %w, %kt : vector<2x3xi32>
  %a = vector.extract %s[2] : f32 from vector<4xf32>
  %b = vector.extract %t[1] : vector<3xi32> from vector<2x3xi32>
  %c = vector.extract %t[0, 2] : i32 from vector<2x3xi32>
  return %a, %b, %c : f32, vector<3xi32>, i32
}
func.func @vector_insert(%x: f32, %v: vector<4xf32>, %w: vector<2x4xf32>) -> (vector<4xf32>, vector<2x4xf32>, vector<2x4xf32>) {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %v, %ks : vector<4xf32>
  %a = vector.insert %x, %s[1] : f32 into vector<4xf32>
  %b = vector.insert %a, %w[0] : vector<4xf32> into vector<2x4xf32>
  %c = vector.insert %x, %b[0, 3] : f32 into vector<2x4xf32>
  return %a, %b, %c : vector<4xf32>, vector<2x4xf32>, vector<2x4xf32>
}
// -----
// vector.extract, vector.insert: at a position that is not constant
func.func @vector_extract_dynamic(%v: vector<4xf32>, %i: index) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %v, %ks : vector<4xf32>
  %r = vector.extract %s[%i] : f32 from vector<4xf32>
  return %r : f32
}
func.func @vector_insert_dynamic(%x: f32, %v: vector<4xf32>, %i: index) -> vector<4xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %v, %ks : vector<4xf32>
  %r = vector.insert %x, %s[%i] : f32 into vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_extract_dynamic_inner(%v: vector<2x4xf32>, %i: index) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  %r = vector.extract %s[1, %i] : f32 from vector<2x4xf32>
  return %r : f32
}
func.func @vector_insert_dynamic_inner(%x: f32, %v: vector<2x4xf32>, %i: index) -> vector<2x4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  %r = vector.insert %x, %s[1, %i] : f32 into vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.extract: of a row whose position is not constant
// compile: no
func.func @vector_extract_dynamic_row(%v: vector<4x2xf32>, %i: index) -> vector<2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0], [7.0, 8.0]]> : vector<4x2xf32>
  %s = arith.addf %v, %ks : vector<4x2xf32>
  %r = vector.extract %s[%i] : vector<2xf32> from vector<4x2xf32>
  return %r : vector<2xf32>
}
// -----
// vector.extract: at two positions that are not constant
// compile: no
func.func @vector_extract_dynamic_2(%v: vector<4x4xf32>, %i: index) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0], [13.0, 14.0, -15.0, 16.0]]> : vector<4x4xf32>
  %s = arith.addf %v, %ks : vector<4x4xf32>
  %r = vector.extract %s[%i, %i] : f32 from vector<4x4xf32>
  return %r : f32
}
// -----
// vector.insert: of a row whose position is not constant
// compile: no
func.func @vector_insert_dynamic_row(%x: vector<2xf32>, %v: vector<4x2xf32>, %i: index) -> vector<4x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0], [7.0, 8.0]]> : vector<4x2xf32>
  %s = arith.addf %v, %ks : vector<4x2xf32>
  %r = vector.insert %x, %s[%i] : vector<2xf32> into vector<4x2xf32>
  return %r : vector<4x2xf32>
}
// -----
// vector.from_elements, vector.to_elements
func.func @vector_from_elements(%x: f32, %y: f32) -> vector<3xf32> {
  %s = arith.addf %x, %y : f32
  %r = vector.from_elements %x, %y, %s : vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_to_elements(%v: vector<3xf32>) -> (f32, f32, f32) {
  %ks = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %s = arith.addf %v, %ks : vector<3xf32>
  %r:3 = vector.to_elements %s : vector<3xf32>
  return %r#2, %r#0, %r#1 : f32, f32, f32
}
// -----
// vector.from_elements: rank 2
func.func @vector_from_elements_2(%x: f32, %y: f32) -> vector<2x2xf32> {
  %s = arith.addf %x, %y : f32
  %r = vector.from_elements %x, %y, %s, %x : vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.to_elements: rank 2
func.func @vector_to_elements_2(%v: vector<2x2xf32>) -> (f32, f32, f32, f32) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0]]> : vector<2x2xf32>
  %s = arith.addf %v, %ks : vector<2x2xf32>
  %r:4 = vector.to_elements %s : vector<2x2xf32>
  return %r#3, %r#0, %r#1, %r#2 : f32, f32, f32, f32
}
// -----
// vector.from_elements, vector.to_elements: rank 0
func.func @vector_elements_0(%x: f32) -> f32 {
  %v = vector.from_elements %x : vector<f32>
  %d = arith.addf %v, %v : vector<f32>
  %r = vector.to_elements %d : vector<f32>
  return %r : f32
}
// -----
// vector.step
func.func @vector_step(%x: vector<4xindex>) -> vector<4xindex> {
  %s = vector.step : vector<4xindex>
  %r = arith.muli %s, %x : vector<4xindex>
  return %r : vector<4xindex>
}
// -----
// vector.fma
func.func @vector_fma(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.fma %s, %y, %z : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_fma_f64(%x: vector<2xf64>, %y: vector<2xf64>, %z: vector<2xf64>) -> vector<2xf64> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf64>
  %s = arith.addf %x, %ks : vector<2xf64>
  %r = vector.fma %s, %y, %z : vector<2xf64>
  return %r : vector<2xf64>
}
// -----
// vector.fma: other types
func.func @vector_fma_f16(%x: vector<8xf16>, %y: vector<8xf16>, %z: vector<8xf16>) -> vector<8xf16> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0]> : vector<8xf16>
  %s = arith.addf %x, %ks : vector<8xf16>
  %r = vector.fma %s, %y, %z : vector<8xf16>
  return %r : vector<8xf16>
}
func.func @vector_fma_bf16(%x: vector<4xbf16>, %y: vector<4xbf16>, %z: vector<4xbf16>) -> vector<4xbf16> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xbf16>
  %s = arith.addf %x, %ks : vector<4xbf16>
  %r = vector.fma %s, %y, %z : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// vector.fma: rank 2
func.func @vector_fma_2(%x: vector<2x2xf32>, %y: vector<2x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0]]> : vector<2x2xf32>
  %s = arith.addf %x, %ks : vector<2x2xf32>
  %r = vector.fma %s, %y, %z : vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.fma: rank 0
func.func @vector_fma_0(%x: f32, %y: f32) -> f32 {
  %a = vector.broadcast %x : f32 to vector<f32>
  %b = vector.broadcast %y : f32 to vector<f32>
  %c = vector.fma %a, %b, %b : vector<f32>
  %r = vector.extract %c[] : f32 from vector<f32>
  return %r : f32
}
// -----
// vector.create_mask
func.func @vector_create_mask(%n: index, %x: vector<4xi32>) -> vector<4xi32> {
  %m = vector.create_mask %n : vector<4xi1>
  %k = arith.constant dense<9> : vector<4xi32>
  %r = arith.select %m, %x, %k : vector<4xi1>, vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// vector.create_mask: rank 2
func.func @vector_create_mask_2(%n: index, %x: vector<3x4xi32>) -> vector<3x4xi32> {
  %c3 = arith.constant 3 : index
  %m = vector.create_mask %n, %c3 : vector<3x4xi1>
  %k = arith.constant dense<9> : vector<3x4xi32>
  %r = arith.select %m, %x, %k : vector<3x4xi1>, vector<3x4xi32>
  return %r : vector<3x4xi32>
}
// -----
// vector.create_mask: rank 0
func.func @vector_create_mask_0(%n: index) -> i1 {
  %m = vector.create_mask %n : vector<i1>
  %r = vector.extract %m[] : i1 from vector<i1>
  return %r : i1
}
// -----
// vector.constant_mask
func.func @vector_constant_mask(%x: vector<4xi32>) -> vector<4xi32> {
  %m = vector.constant_mask [3] : vector<4xi1>
  %k = arith.constant dense<9> : vector<4xi32>
  %r = arith.select %m, %x, %k : vector<4xi1>, vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// vector.constant_mask: rank 2
func.func @vector_constant_mask_2(%x: vector<3x4xi32>) -> vector<3x4xi32> {
  %m = vector.constant_mask [2, 3] : vector<3x4xi1>
  %k = arith.constant dense<9> : vector<3x4xi32>
  %r = arith.select %m, %x, %k : vector<3x4xi1>, vector<3x4xi32>
  return %r : vector<3x4xi32>
}
// -----
// vector.constant_mask: rank 0
func.func @vector_constant_mask_0(%y: i1) -> i1 {
  %m = vector.constant_mask [1] : vector<i1>
  %n = vector.broadcast %y : i1 to vector<i1>
  %a = arith.xori %m, %n : vector<i1>
  %r = vector.extract %a[] : i1 from vector<i1>
  return %r : i1
}
// -----
// vector.reduction: of integers
func.func @vector_reduce_add_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <add>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_mul_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <mul>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_minui_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <minui>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_minsi_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <minsi>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_maxui_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <maxui>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_maxsi_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <maxsi>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_and_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <and>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_or_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <or>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_xor_i32(%x: vector<4xi32>) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <xor>, %s : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_add_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <add>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_mul_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <mul>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_minui_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <minui>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_minsi_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <minsi>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_maxui_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <maxui>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_maxsi_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <maxsi>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_and_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <and>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_or_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <or>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
func.func @vector_reduce_xor_i32_acc(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.reduction <xor>, %s, %y : vector<4xi32> into i32
  return %r : i32
}
// -----
// vector.reduction: of floats
func.func @vector_reduce_add_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <add>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_mul_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <mul>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_minnumf_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <minnumf>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_maxnumf_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <maxnumf>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_minimumf_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <minimumf>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_maximumf_f32(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <maximumf>, %s : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_add_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <add>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_mul_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <mul>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_minnumf_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <minnumf>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_maxnumf_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <maxnumf>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_minimumf_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <minimumf>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_maximumf_f32_acc(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <maximumf>, %s, %y : vector<4xf32> into f32
  return %r : f32
}
func.func @vector_reduce_add_f32_fast(%x: vector<4xf32>) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.reduction <add>, %s fastmath<reassoc> : vector<4xf32> into f32
  return %r : f32
}
// -----
// vector.reduction: other types
func.func @vector_reduce_add_i8(%x: vector<8xi8>) -> i8 {
  %ks = arith.constant dense<[1, 2, -3, 4, 5, -6, 7, 8]> : vector<8xi8>
  %s = arith.addi %x, %ks : vector<8xi8>
  %r = vector.reduction <add>, %s : vector<8xi8> into i8
  return %r : i8
}
func.func @vector_reduce_and_i1(%x: vector<8xi1>) -> i1 {
  %ks = arith.constant dense<[true, false, true, true, false, true, true, false]> : vector<8xi1>
  %s = arith.andi %x, %ks : vector<8xi1>
  %r = vector.reduction <and>, %s : vector<8xi1> into i1
  return %r : i1
}
func.func @vector_reduce_or_i1(%x: vector<8xi1>) -> i1 {
  %ks = arith.constant dense<[true, false, true, true, false, true, true, false]> : vector<8xi1>
  %s = arith.andi %x, %ks : vector<8xi1>
  %r = vector.reduction <or>, %s : vector<8xi1> into i1
  return %r : i1
}
func.func @vector_reduce_xor_i1(%x: vector<8xi1>) -> i1 {
  %ks = arith.constant dense<[true, false, true, true, false, true, true, false]> : vector<8xi1>
  %s = arith.andi %x, %ks : vector<8xi1>
  %r = vector.reduction <xor>, %s : vector<8xi1> into i1
  return %r : i1
}
func.func @vector_reduce_add_i64(%x: vector<2xi64>) -> i64 {
  %ks = arith.constant dense<[1, 2]> : vector<2xi64>
  %s = arith.addi %x, %ks : vector<2xi64>
  %r = vector.reduction <add>, %s : vector<2xi64> into i64
  return %r : i64
}
func.func @vector_reduce_maxsi_i64(%x: vector<2xi64>) -> i64 {
  %ks = arith.constant dense<[1, 2]> : vector<2xi64>
  %s = arith.addi %x, %ks : vector<2xi64>
  %r = vector.reduction <maxsi>, %s : vector<2xi64> into i64
  return %r : i64
}
func.func @vector_reduce_add_f64(%x: vector<2xf64>) -> f64 {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf64>
  %s = arith.addf %x, %ks : vector<2xf64>
  %r = vector.reduction <add>, %s : vector<2xf64> into f64
  return %r : f64
}
func.func @vector_reduce_add_f16(%x: vector<8xf16>) -> f16 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0]> : vector<8xf16>
  %s = arith.addf %x, %ks : vector<8xf16>
  %r = vector.reduction <add>, %s : vector<8xf16> into f16
  return %r : f16
}
func.func @vector_reduce_maximumf_f16(%x: vector<8xf16>) -> f16 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0]> : vector<8xf16>
  %s = arith.addf %x, %ks : vector<8xf16>
  %r = vector.reduction <maximumf>, %s : vector<8xf16> into f16
  return %r : f16
}
func.func @vector_reduce_add_bf16(%x: vector<4xbf16>) -> bf16 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xbf16>
  %s = arith.addf %x, %ks : vector<4xbf16>
  %r = vector.reduction <add>, %s : vector<4xbf16> into bf16
  return %r : bf16
}
func.func @vector_reduce_minimumf_bf16(%x: vector<4xbf16>) -> bf16 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xbf16>
  %s = arith.addf %x, %ks : vector<4xbf16>
  %r = vector.reduction <minimumf>, %s : vector<4xbf16> into bf16
  return %r : bf16
}
// -----
// vector.reduction: index
func.func @vector_reduce_add_index(%x: vector<4xindex>) -> index {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xindex>
  %s = arith.addi %x, %ks : vector<4xindex>
  %r = vector.reduction <add>, %s : vector<4xindex> into index
  return %r : index
}
func.func @vector_reduce_maxsi_index(%x: vector<4xindex>) -> index {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xindex>
  %s = arith.addi %x, %ks : vector<4xindex>
  %r = vector.reduction <maxsi>, %s : vector<4xindex> into index
  return %r : index
}
func.func @vector_reduce_minui_index(%x: vector<4xindex>) -> index {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xindex>
  %s = arith.addi %x, %ks : vector<4xindex>
  %r = vector.reduction <minui>, %s : vector<4xindex> into index
  return %r : index
}
// -----
// vector.multi_reduction: of the outer dimension
func.func @vector_multi_add_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <add>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_mul_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <mul>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_minui_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minui>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_minsi_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minsi>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_maxui_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxui>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_maxsi_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxsi>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_and_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <and>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_or_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <or>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_xor_i32_0(%x: vector<3x4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <xor>, %s, %y [0] : vector<3x4xi32> to vector<4xi32>
  return %r : vector<4xi32>
}
func.func @vector_multi_add_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <add>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_multi_mul_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <mul>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_multi_minnumf_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minnumf>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_multi_maxnumf_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maxnumf>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_multi_minimumf_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minimumf>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
func.func @vector_multi_maximumf_f32_0(%x: vector<3x4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maximumf>, %s, %y [0] : vector<3x4xf32> to vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// vector.multi_reduction: of the inner dimension
func.func @vector_multi_add_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <add>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_mul_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <mul>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_minui_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minui>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_minsi_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minsi>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_maxui_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxui>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_maxsi_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxsi>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_and_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <and>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_or_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <or>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_xor_i32_1(%x: vector<3x4xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <xor>, %s, %y [1] : vector<3x4xi32> to vector<3xi32>
  return %r : vector<3xi32>
}
func.func @vector_multi_add_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <add>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_mul_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <mul>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_minnumf_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minnumf>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_maxnumf_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maxnumf>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_minimumf_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minimumf>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_maximumf_f32_1(%x: vector<3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maximumf>, %s, %y [1] : vector<3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
// -----
// vector.multi_reduction: of both dimensions
func.func @vector_multi_add_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <add>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_mul_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <mul>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_minui_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minui>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_minsi_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <minsi>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_maxui_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxui>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_maxsi_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <maxsi>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_and_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <and>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_or_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <or>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_xor_i32_0_1(%x: vector<3x4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[[1, 2, -3, 4], [5, -6, 7, 8], [-9, 10, 11, -12]]> : vector<3x4xi32>
  %s = arith.addi %x, %ks : vector<3x4xi32>
  %r = vector.multi_reduction <xor>, %s, %y [0, 1] : vector<3x4xi32> to i32
  return %r : i32
}
func.func @vector_multi_add_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <add>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
func.func @vector_multi_mul_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <mul>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
func.func @vector_multi_minnumf_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minnumf>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
func.func @vector_multi_maxnumf_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maxnumf>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
func.func @vector_multi_minimumf_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <minimumf>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
func.func @vector_multi_maximumf_f32_0_1(%x: vector<3x4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %r = vector.multi_reduction <maximumf>, %s, %y [0, 1] : vector<3x4xf32> to f32
  return %r : f32
}
// -----
// vector.multi_reduction: rank 1
func.func @vector_multi_add_f32_0_rank1(%x: vector<4xf32>, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %r = vector.multi_reduction <add>, %s, %y [0] : vector<4xf32> to f32
  return %r : f32
}
func.func @vector_multi_maxsi_i32_0_rank1(%x: vector<4xi32>, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %r = vector.multi_reduction <maxsi>, %s, %y [0] : vector<4xi32> to i32
  return %r : i32
}
// -----
// vector.multi_reduction: rank 3
func.func @vector_multi_add_f32_1_rank3(%x: vector<2x3x4xf32>, %y: vector<2x4xf32>) -> vector<2x4xf32> {
  %ks = arith.constant dense<[[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]], [[13.0, 14.0, -15.0, 16.0], [17.0, -18.0, 19.0, 20.0], [-21.0, 22.0, 23.0, -24.0]]]> : vector<2x3x4xf32>
  %s = arith.addf %x, %ks : vector<2x3x4xf32>
  %r = vector.multi_reduction <add>, %s, %y [1] : vector<2x3x4xf32> to vector<2x4xf32>
  return %r : vector<2x4xf32>
}
func.func @vector_multi_mul_f32_0_2(%x: vector<2x3x4xf32>, %y: vector<3xf32>) -> vector<3xf32> {
  %ks = arith.constant dense<[[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]], [[13.0, 14.0, -15.0, 16.0], [17.0, -18.0, 19.0, 20.0], [-21.0, 22.0, 23.0, -24.0]]]> : vector<2x3x4xf32>
  %s = arith.addf %x, %ks : vector<2x3x4xf32>
  %r = vector.multi_reduction <mul>, %s, %y [0, 2] : vector<2x3x4xf32> to vector<3xf32>
  return %r : vector<3xf32>
}
func.func @vector_multi_add_i32_0_2(%x: vector<2x2x2xi32>, %y: vector<2xi32>) -> vector<2xi32> {
  %ks = arith.constant dense<[[[1, 2], [-3, 4]], [[5, -6], [7, 8]]]> : vector<2x2x2xi32>
  %s = arith.addi %x, %ks : vector<2x2x2xi32>
  %r = vector.multi_reduction <add>, %s, %y [0, 2] : vector<2x2x2xi32> to vector<2xi32>
  return %r : vector<2xi32>
}
// -----
// vector.scan: inclusive
func.func @vector_scan_inclusive(%x: vector<4xi32>, %z: i32) -> (vector<4xi32>, i32) {
  %y = vector.broadcast %z : i32 to vector<i32>
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<4xi32>, vector<i32>
  %c = vector.extract %b[] : i32 from vector<i32>
  return %a, %c : vector<4xi32>, i32
}
// -----
// vector.scan: exclusive
func.func @vector_scan_exclusive(%x: vector<4xi32>, %z: i32) -> (vector<4xi32>, i32) {
  %y = vector.broadcast %z : i32 to vector<i32>
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<4xi32>, vector<i32>
  %c = vector.extract %b[] : i32 from vector<i32>
  return %a, %c : vector<4xi32>, i32
}
// -----
// vector.scan: rank 2, the outer dimension
func.func @vector_scan_outer(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_outer_exclusive(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
// -----
// vector.scan: rank 2, the inner dimension
func.func @vector_scan_inner(%x: vector<2x3xf32>, %y: vector<2xf32>) -> (vector<2x3xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  return %a, %b : vector<2x3xf32>, vector<2xf32>
}
func.func @vector_scan_inner_exclusive(%x: vector<2x3xf32>, %y: vector<2xf32>) -> (vector<2x3xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  return %a, %b : vector<2x3xf32>, vector<2xf32>
}
// -----
// vector.scan: each kind
func.func @vector_scan_add_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_mul_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <mul>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_minui_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <minui>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_minsi_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <minsi>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_maxui_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <maxui>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_maxsi_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <maxsi>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_and_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <and>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_or_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <or>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_xor_i32(%x: vector<3x2xi32>, %y: vector<2xi32>) -> (vector<3x2xi32>, vector<2xi32>) {
  %ks = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %s = arith.addi %x, %ks : vector<3x2xi32>
  %a, %b = vector.scan <xor>, %s, %y {inclusive = true, reduction_dim = 0 : i64} : vector<3x2xi32>, vector<2xi32>
  return %a, %b : vector<3x2xi32>, vector<2xi32>
}
func.func @vector_scan_add_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <add>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_mul_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <mul>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_minnumf_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <minnumf>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_maxnumf_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <maxnumf>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_minimumf_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <minimumf>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
func.func @vector_scan_maximumf_f32(%x: vector<3x2xf32>, %y: vector<2xf32>) -> (vector<3x2xf32>, vector<2xf32>) {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %a, %b = vector.scan <maximumf>, %s, %y {inclusive = false, reduction_dim = 0 : i64} : vector<3x2xf32>, vector<2xf32>
  return %a, %b : vector<3x2xf32>, vector<2xf32>
}
// -----
// vector.contract: matrix and matrix
func.func @vector_matmul(%x: vector<2x3xf32>, %y: vector<3x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %t = arith.addf %y, %kt : vector<3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @vector_matmul_i32(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi32>
  %s = arith.addi %x, %ks : vector<2x3xi32>
  %kt = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %t = arith.addi %y, %kt : vector<3x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// -----
// vector.contract: transposed matrices
func.func @vector_matmul_t(%x: vector<2x3xf32>, %y: vector<2x3xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %t = arith.addf %y, %kt : vector<2x3xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xf32>, vector<2x3xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @vector_matmul_tt(%x: vector<3x2xf32>, %y: vector<2x3xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %s = arith.addf %x, %ks : vector<3x2xf32>
  %kt = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %t = arith.addf %y, %kt : vector<2x3xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<3x2xf32>, vector<2x3xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.contract: matrix and vector
func.func @vector_matvec(%x: vector<2x3xf32>, %y: vector<3xf32>, %z: vector<2xf32>) -> vector<2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return %r : vector<2xf32>
}
func.func @vector_vecmat(%x: vector<3xf32>, %y: vector<3x2xf32>, %z: vector<2xf32>) -> vector<2xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %s = arith.addf %x, %ks : vector<3xf32>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %t = arith.addf %y, %kt : vector<3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (k, i)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<3xf32>, vector<3x2xf32> into vector<2xf32>
  return %r : vector<2xf32>
}
// -----
// vector.contract: vector and vector
func.func @vector_dot(%x: vector<4xf32>, %y: vector<4xf32>, %z: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %t = arith.addf %y, %kt : vector<4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
      iterator_types = ["reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<4xf32>, vector<4xf32> into f32
  return %r : f32
}
func.func @vector_dot_i32(%x: vector<4xi32>, %y: vector<4xi32>, %z: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %kt = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %t = arith.addi %y, %kt : vector<4xi32>
  %r = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
      iterator_types = ["reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<4xi32>, vector<4xi32> into i32
  return %r : i32
}
// -----
// vector.contract: batches
func.func @vector_batch(%x: vector<2x2x3xf32>, %y: vector<2x3x2xf32>, %z: vector<2x2x2xf32>) -> vector<2x2x2xf32> {
  %ks = arith.constant dense<[[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]], [[7.0, 8.0, -9.0], [10.0, 11.0, -12.0]]]> : vector<2x2x3xf32>
  %s = arith.addf %x, %ks : vector<2x2x3xf32>
  %kt = arith.constant dense<[[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]], [[7.0, 8.0], [-9.0, 10.0], [11.0, -12.0]]]> : vector<2x3x2xf32>
  %t = arith.addf %y, %kt : vector<2x3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, k, j)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x2x3xf32>, vector<2x3x2xf32> into vector<2x2x2xf32>
  return %r : vector<2x2x2xf32>
}
// -----
// vector.contract: other kinds
func.func @vector_matmul_mul_i32(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi32>
  %s = arith.addi %x, %ks : vector<2x3xi32>
  %kt = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %t = arith.addi %y, %kt : vector<3x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<mul>} %s, %t, %z
      : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
func.func @vector_matmul_minsi_i32(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi32>
  %s = arith.addi %x, %ks : vector<2x3xi32>
  %kt = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %t = arith.addi %y, %kt : vector<3x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<minsi>} %s, %t, %z
      : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
func.func @vector_matmul_maxui_i32(%x: vector<2x3xi32>, %y: vector<3x2xi32>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi32>
  %s = arith.addi %x, %ks : vector<2x3xi32>
  %kt = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi32>
  %t = arith.addi %y, %kt : vector<3x2xi32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxui>} %s, %t, %z
      : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
func.func @vector_matmul_mul_f32(%x: vector<2x3xf32>, %y: vector<3x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %t = arith.addf %y, %kt : vector<3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<mul>} %s, %t, %z
      : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @vector_matmul_maxnumf_f32(%x: vector<2x3xf32>, %y: vector<3x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %t = arith.addf %y, %kt : vector<3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %s, %t, %z
      : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @vector_matmul_minimumf_f32(%x: vector<2x3xf32>, %y: vector<3x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf32>
  %t = arith.addf %y, %kt : vector<3x2xf32>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<minimumf>} %s, %t, %z
      : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.contract: of narrower operands
func.func @vector_matmul_i8(%x: vector<2x3xi8>, %y: vector<3x2xi8>, %z: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2, -3], [4, 5, -6]]> : vector<2x3xi8>
  %s = arith.addi %x, %ks : vector<2x3xi8>
  %kt = arith.constant dense<[[1, 2], [-3, 4], [5, -6]]> : vector<3x2xi8>
  %t = arith.addi %y, %kt : vector<3x2xi8>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xi8>, vector<3x2xi8> into vector<2x2xi32>
  return %r : vector<2x2xi32>
}
// -----
// vector.contract: of narrower floats
func.func @vector_matmul_f16(%x: vector<2x3xf16>, %y: vector<3x2xf16>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf16>
  %s = arith.addf %x, %ks : vector<2x3xf16>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xf16>
  %t = arith.addf %y, %kt : vector<3x2xf16>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xf16>, vector<3x2xf16> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
func.func @vector_matmul_bf16(%x: vector<2x3xbf16>, %y: vector<3x2xbf16>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xbf16>
  %s = arith.addf %x, %ks : vector<2x3xbf16>
  %kt = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : vector<3x2xbf16>
  %t = arith.addf %y, %kt : vector<3x2xbf16>
  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %s, %t, %z
      : vector<2x3xbf16>, vector<3x2xbf16> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.outerproduct
func.func @vector_outer(%x: vector<2xf32>, %y: vector<3xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.outerproduct %s, %t : vector<2xf32>, vector<3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_outer_acc(%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.outerproduct %s, %t, %z : vector<2xf32>, vector<3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_outer_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_scalar(%x: vector<4xf32>, %y: f32, %z: vector<4xf32>) -> vector<4xf32> {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %t = arith.addf %y, %y : f32
  %r = vector.outerproduct %s, %t, %z : vector<4xf32>, f32
  return %r : vector<4xf32>
}
// -----
// vector.outerproduct: other kinds
func.func @vector_outer_mul_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<mul>} : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_minsi_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<minsi>} : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_maxui_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<maxui>} : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_and_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<and>} : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_xor_i32(%x: vector<2xi32>, %y: vector<3xi32>, %z: vector<2x3xi32>) -> vector<2x3xi32> {
  %ks = arith.constant dense<[1, 2]> : vector<2xi32>
  %s = arith.addi %x, %ks : vector<2xi32>
  %kt = arith.constant dense<[1, 2, -3]> : vector<3xi32>
  %t = arith.addi %y, %kt : vector<3xi32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<xor>} : vector<2xi32>, vector<3xi32>
  return %r : vector<2x3xi32>
}
func.func @vector_outer_mul_f32(%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<mul>} : vector<2xf32>, vector<3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_outer_maxnumf_f32(%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<maxnumf>} : vector<2xf32>, vector<3xf32>
  return %r : vector<2x3xf32>
}
func.func @vector_outer_minimumf_f32(%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %kt = arith.constant dense<[1.0, 2.0, -3.0]> : vector<3xf32>
  %t = arith.addf %y, %kt : vector<3xf32>
  %r = vector.outerproduct %s, %t, %z {kind = #vector.kind<minimumf>} : vector<2xf32>, vector<3xf32>
  return %r : vector<2x3xf32>
}
// -----
// vector.mask, vector.reduction: masked
func.func @vector_masked_reduction(%x: vector<4xi32>, %n: index, %y: i32) -> i32 {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %m = vector.create_mask %n : vector<4xi1>
  %r = vector.mask %m { vector.reduction <add>, %s, %y : vector<4xi32> into i32 } : vector<4xi1> -> i32
  return %r : i32
}
func.func @vector_masked_reduction_f32(%x: vector<4xf32>, %n: index) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %r = vector.mask %m { vector.reduction <maxnumf>, %s : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %r : f32
}
func.func @vector_masked_reduction_add_f32(%x: vector<4xf32>, %n: index, %y: f32) -> f32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %r = vector.mask %m { vector.reduction <add>, %s, %y : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %r : f32
}
// -----
// vector.mask, vector.multi_reduction: masked, the inner dimension
func.func @vector_masked_multi_inner(%x: vector<3x4xf32>, %y: vector<3xf32>, %n: index) -> vector<3xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %m = vector.create_mask %n, %n : vector<3x4xi1>
  %r = vector.mask %m { vector.multi_reduction <add>, %s, %y [1] : vector<3x4xf32> to vector<3xf32> } : vector<3x4xi1> -> vector<3xf32>
  return %r : vector<3xf32>
}
// -----
// vector.mask, vector.multi_reduction: masked, the outer dimension
func.func @vector_masked_multi_outer(%x: vector<3x4xf32>, %y: vector<4xf32>, %n: index) -> vector<4xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0], [-9.0, 10.0, 11.0, -12.0]]> : vector<3x4xf32>
  %s = arith.addf %x, %ks : vector<3x4xf32>
  %m = vector.create_mask %n, %n : vector<3x4xi1>
  %r = vector.mask %m { vector.multi_reduction <add>, %s, %y [0] : vector<3x4xf32> to vector<4xf32> } : vector<3x4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// vector.mask, vector.contract: masked
func.func @vector_masked_contract(%x: vector<2x3xf32>, %y: vector<3x2xf32>, %z: vector<2x2xf32>, %n: index) -> vector<2x2xf32> {
  %ks = arith.constant dense<[[1.0, 2.0, -3.0], [4.0, 5.0, -6.0]]> : vector<2x3xf32>
  %s = arith.addf %x, %ks : vector<2x3xf32>
  %m = vector.create_mask %n, %n, %n : vector<2x2x3xi1>
  %r = vector.mask %m { vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %s, %y, %z : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32> } : vector<2x2x3xi1> -> vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.mask, vector.outerproduct: masked
func.func @vector_masked_outer(%x: vector<2xf32>, %y: vector<3xf32>, %z: vector<2x3xf32>, %n: index) -> vector<2x3xf32> {
  %ks = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %s = arith.addf %x, %ks : vector<2xf32>
  %m = vector.create_mask %n, %n : vector<2x3xi1>
  %r = vector.mask %m { vector.outerproduct %s, %y, %z : vector<2xf32>, vector<3xf32> } : vector<2x3xi1> -> vector<2x3xf32>
  return %r : vector<2x3xf32>
}
// -----
// vector.mask, vector.transfer_write, vector.transfer_read: masked
func.func @vector_masked_transfer(%a: memref<?xf32>, %x: vector<4xf32>, %n: index, %p: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  vector.mask %m { vector.transfer_write %s, %a[%c0] {in_bounds = [true]} : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  %r = vector.mask %m { vector.transfer_read %a[%n], %p {in_bounds = [true]} : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// vector.mask, vector.gather: masked
func.func @vector_masked_gather(%a: memref<?xf32>, %at: vector<4xindex>, %on: vector<4xi1>, %n: index, %p: vector<4xf32>) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %k = arith.constant dense<3.0> : vector<4xf32>
  %q = arith.addf %p, %k : vector<4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %r = vector.mask %m { vector.gather %a[%c0] [%at], %on, %q : memref<?xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// vector.transfer_read: rank 2
func.func @vector_read_2(%a: memref<?x?xf32>, %x: f32, %n: index) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %r = vector.transfer_read %a[%c1, %c1], %x {in_bounds = [true, true]} : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.transfer_read: out of bounds
func.func @vector_read_out(%a: memref<?x?xf32>, %x: f32, %n: index) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %c6 = arith.constant 6 : index
  %r = vector.transfer_read %a[%c1, %c6], %y : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.transfer_read: transposed
func.func @vector_read_transposed(%a: memref<?x?xf32>, %x: f32, %n: index) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %r = vector.transfer_read %a[%c1, %c1], %x {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.transfer_read: broadcast
func.func @vector_read_broadcast(%a: memref<?x?xf32>, %x: f32, %n: index) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %r = vector.transfer_read %a[%c1, %c1], %x {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>} : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.transfer_read: with a mask
func.func @vector_read_masked(%a: memref<?x?xf32>, %x: f32, %n: index) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %m = vector.create_mask %n, %n : vector<2x4xi1>
  %r = vector.transfer_read %a[%c1, %c1], %x, %m {in_bounds = [true, true]} : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.transfer_write: rank 2
func.func @vector_write_2(%a: memref<?x?xf32>, %x: f32, %v: vector<2x4xf32>) -> f32 {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  vector.transfer_write %s, %a[%c1, %c1] {in_bounds = [true, true]} : vector<2x4xf32>, memref<?x?xf32>
  %r = memref.load %a[%c1, %c1] : memref<?x?xf32>
  return %r : f32
}
// -----
// vector.transfer_write: out of bounds
func.func @vector_write_out(%a: memref<?x?xf32>, %x: f32, %v: vector<2x4xf32>) -> f32 {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  %c6 = arith.constant 6 : index
  vector.transfer_write %s, %a[%c6, %c6] : vector<2x4xf32>, memref<?x?xf32>
  %r = memref.load %a[%c6, %c6] : memref<?x?xf32>
  return %r : f32
}
// -----
// vector.transfer_write: transposed
func.func @vector_write_transposed(%a: memref<?x?xf32>, %x: f32, %v: vector<2x4xf32>) -> f32 {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  %c2 = arith.constant 2 : index
  vector.transfer_write %s, %a[%c1, %c1] {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : vector<2x4xf32>, memref<?x?xf32>
  %r = memref.load %a[%c2, %c1] : memref<?x?xf32>
  return %r : f32
}
// -----
// vector.load, vector.store: rank 2
// compile: no
func.func @vector_load_2(%a: memref<?x?xf32>, %x: f32, %v: vector<2x4xf32>) -> vector<2x4xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %ks = arith.constant dense<[[1.0, 2.0, -3.0, 4.0], [5.0, -6.0, 7.0, 8.0]]> : vector<2x4xf32>
  %s = arith.addf %v, %ks : vector<2x4xf32>
  vector.store %s, %a[%c1, %c1] : memref<?x?xf32>, vector<2x4xf32>
  %r = vector.load %a[%c1, %c1] : memref<?x?xf32>, vector<2x4xf32>
  return %r : vector<2x4xf32>
}
// -----
// vector.gather: rank 2
func.func @vector_gather_2(%a: memref<?x?xf32>, %x: f32, %at: vector<2x2xindex>, %m: vector<2x2xi1>, %p: vector<2x2xf32>) -> vector<2x2xf32> {
  %k = arith.constant 4.0 : f32
  %y = arith.addf %x, %k : f32
  %c1 = arith.constant 1 : index
  memref.store %y, %a[%c1, %c1] : memref<?x?xf32>
  %ki = arith.constant dense<[[0, 1], [2, 1]]> : vector<2x2xindex>
  %i = arith.addi %at, %ki : vector<2x2xindex>
  %c0 = arith.constant 0 : index
  %r = vector.gather %a[%c0, %c1] [%i], %m, %p : memref<?x?xf32>, vector<2x2xindex>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// vector.load, vector.store: of i1
func.func @vector_load_i1(%a: memref<?xi1>, %x: vector<8xi1>, %i: index) -> vector<8xi1> {
  %c0 = arith.constant 0 : index
  %ks = arith.constant dense<[true, false, true, true, false, true, true, false]> : vector<8xi1>
  %s = arith.andi %x, %ks : vector<8xi1>
  vector.store %s, %a[%c0] : memref<?xi1>, vector<8xi1>
  %r = vector.load %a[%c0] : memref<?xi1>, vector<8xi1>
  return %r : vector<8xi1>
}
// -----
// vector.print
func.func @vector_print(%x: vector<4xf32>, %n: i32) -> i32 {
  %ks = arith.constant dense<[1.0, 2.0, -3.0, 4.0]> : vector<4xf32>
  %s = arith.addf %x, %ks : vector<4xf32>
  vector.print %s : vector<4xf32>
  vector.print %n : i32
  %r = arith.addi %n, %n : i32
  return %r : i32
}
// -----
// vector.print: other types
func.func @vector_print_types(%a: f64, %b: i64, %c: index, %d: i1, %e: f16, %f: bf16, %i: i8) -> i64 {
  vector.print %a : f64
  vector.print %b : i64
  vector.print %c : index
  vector.print %d : i1
  vector.print %e : f16
  vector.print %f : bf16
  vector.print %i : i8
  %r = arith.addi %b, %b : i64
  return %r : i64
}
// -----
// vector.print: text and punctuation
func.func @vector_print_text(%n: i32) -> i32 {
  vector.print str "text\n"
  vector.print %n : i32 punctuation <comma>
  vector.print punctuation <newline>
  %r = arith.addi %n, %n : i32
  return %r : i32
}
// -----
// vector.print: rank 2
func.func @vector_print_2(%x: vector<2x2xi32>) -> vector<2x2xi32> {
  %ks = arith.constant dense<[[1, 2], [-3, 4]]> : vector<2x2xi32>
  %s = arith.addi %x, %ks : vector<2x2xi32>
  vector.print %s : vector<2x2xi32>
  return %s : vector<2x2xi32>
}
// -----
// vector.vscale
// compile: no
func.func @vector_vscale(%x: index) -> index {
  %s = vector.vscale
  %r = arith.muli %s, %x : index
  return %r : index
}
// -----
// vector.scalable.insert, vector.scalable.extract
func.func @vector_scalable_insert(%x: vector<4xi32>) -> vector<4xi32> {
  %ks = arith.constant dense<[1, 2, -3, 4]> : vector<4xi32>
  %s = arith.addi %x, %ks : vector<4xi32>
  %b = arith.constant dense<0> : vector<[4]xi32>
  %i = vector.scalable.insert %s, %b[0] : vector<4xi32> into vector<[4]xi32>
  %d = arith.addi %i, %i : vector<[4]xi32>
  %r = vector.scalable.extract %d[0] : vector<4xi32> from vector<[4]xi32>
  return %r : vector<4xi32>
}
// -----
// vector.broadcast, vector.extract, vector.insert: scalable
// compile: no
func.func @vector_scalable_broadcast(%x: i32, %y: i32) -> i32 {
  %b = vector.broadcast %x : i32 to vector<[4]xi32>
  %i = vector.insert %y, %b[1] : i32 into vector<[4]xi32>
  %d = arith.addi %i, %b : vector<[4]xi32>
  %r = vector.extract %d[1] : i32 from vector<[4]xi32>
  return %r : i32
}
// -----
// vector.step: scalable
// compile: no
func.func @vector_scalable_step(%x: index) -> index {
  %s = vector.step : vector<[4]xindex>
  %b = vector.broadcast %x : index to vector<[4]xindex>
  %d = arith.addi %s, %b : vector<[4]xindex>
  %r = vector.extract %d[3] : index from vector<[4]xindex>
  return %r : index
}
// -----
// vector.create_mask: scalable
// compile: no
func.func @vector_scalable_create_mask(%n: index) -> i1 {
  %m = vector.create_mask %n : vector<[4]xi1>
  %r = vector.extract %m[1] : i1 from vector<[4]xi1>
  return %r : i1
}
// -----
// vector.constant_mask: scalable
func.func @vector_scalable_constant_mask(%x: i32) -> i32 {
  %m = vector.constant_mask [4] : vector<[4]xi1>
  %b = vector.broadcast %x : i32 to vector<[4]xi32>
  %z = arith.constant dense<0> : vector<[4]xi32>
  %s = arith.select %m, %b, %z : vector<[4]xi1>, vector<[4]xi32>
  %r = vector.extract %s[1] : i32 from vector<[4]xi32>
  return %r : i32
}
// -----
// vector.interleave, vector.deinterleave: scalable
// compile: no
func.func @vector_scalable_interleave(%x: i32, %y: i32) -> (i32, i32) {
  %a = vector.broadcast %x : i32 to vector<[4]xi32>
  %b = vector.broadcast %y : i32 to vector<[4]xi32>
  %i = vector.interleave %a, %b : vector<[4]xi32> -> vector<[8]xi32>
  %c, %d = vector.deinterleave %i : vector<[8]xi32> -> vector<[4]xi32>
  %r = vector.extract %c[1] : i32 from vector<[4]xi32>
  %e = vector.extract %d[1] : i32 from vector<[4]xi32>
  return %r, %e : i32, i32
}
// -----
// vector.reduction: scalable
// compile: no
func.func @vector_scalable_reduction(%x: i32) -> i32 {
  %b = vector.broadcast %x : i32 to vector<[4]xi32>
  %r = vector.reduction <maxsi>, %b : vector<[4]xi32> into i32
  return %r : i32
}
// -----
// vector.bitcast: scalable
// compile: no
func.func @vector_scalable_bitcast(%x: f32) -> i32 {
  %b = vector.broadcast %x : f32 to vector<[4]xf32>
  %c = vector.bitcast %b : vector<[4]xf32> to vector<[4]xi32>
  %r = vector.extract %c[1] : i32 from vector<[4]xi32>
  return %r : i32
}
// -----
// vector.fma: scalable
// compile: no
func.func @vector_scalable_fma(%x: f32) -> f32 {
  %b = vector.broadcast %x : f32 to vector<[4]xf32>
  %c = vector.fma %b, %b, %b : vector<[4]xf32>
  %r = vector.extract %c[1] : f32 from vector<[4]xf32>
  return %r : f32
}
// -----
// vector.outerproduct: scalable
// compile: no
func.func @vector_scalable_outer(%x: f32) -> f32 {
  %b = vector.broadcast %x : f32 to vector<[4]xf32>
  %a = vector.broadcast %x : f32 to vector<2xf32>
  %c = vector.outerproduct %a, %b : vector<2xf32>, vector<[4]xf32>
  %r = vector.extract %c[1, 2] : f32 from vector<2x[4]xf32>
  return %r : f32
}
// -----
// vector.load, vector.store: scalable
// compile: no
func.func @vector_scalable_load(%a: memref<?xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %b = vector.broadcast %x : i32 to vector<[1]xi32>
  vector.store %b, %a[%c0] : memref<?xi32>, vector<[1]xi32>
  %v = vector.load %a[%c0] : memref<?xi32>, vector<[1]xi32>
  %r = vector.extract %v[0] : i32 from vector<[1]xi32>
  return %r : i32
}
// -----
// vector.transfer_read, vector.transfer_write: scalable
// compile: no
func.func @vector_scalable_transfer(%a: memref<?xi32>, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %b = vector.broadcast %x : i32 to vector<[4]xi32>
  vector.transfer_write %b, %a[%c0] : vector<[4]xi32>, memref<?xi32>
  %v = vector.transfer_read %a[%c0], %x : memref<?xi32>, vector<[4]xi32>
  %r = vector.extract %v[0] : i32 from vector<[4]xi32>
  return %r : i32
}
// -----
// vector.reduction: maximumf of f80
// compile: no
func.func @vector_reduction_maximumf_f80(%x: vector<4xf80>) -> f80 {
  %r = vector.reduction <maximumf>, %x : vector<4xf80> into f80
  return %r : f80
}
