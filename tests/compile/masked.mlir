// Masked transfers with values for the elements that are not read, and of memrefs without dimensions.
func.func @row(%m: memref<3x5xf32>, %mask: vector<2x4xi1>, %else: vector<2x4xf32>, %i: index, %j: index) -> vector<2x4xf32> {
  %pad = arith.constant -9.0 : f32
  %r = vector.mask %mask, %else {
    vector.transfer_read %m[%i, %j], %pad : memref<3x5xf32>, vector<2x4xf32>
  } : vector<2x4xi1> -> vector<2x4xf32>
  return %r : vector<2x4xf32>
}
func.func @column(%m: memref<?x?xf32>, %mask: vector<4xi1>, %else: vector<4xf32>, %i: index, %j: index) -> vector<4xf32> {
  %pad = arith.constant -9.0 : f32
  %r = vector.mask %mask, %else {
    vector.transfer_read %m[%i, %j], %pad {permutation_map = affine_map<(i, j) -> (i)>} : memref<?x?xf32>, vector<4xf32>
  } : vector<4xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
func.func @turned(%m: memref<?x?xf32>, %mask: vector<2x4xi1>, %else: vector<4x3x2xf32>, %i: index, %j: index) -> vector<4x3x2xf32> {
  %pad = arith.constant -9.0 : f32
  %r = vector.mask %mask, %else {
    vector.transfer_read %m[%i, %j], %pad {in_bounds = [false, true, false], permutation_map = affine_map<(i, j) -> (j, 0, i)>}
      : memref<?x?xf32>, vector<4x3x2xf32>
  } : vector<2x4xi1> -> vector<4x3x2xf32>
  return %r : vector<4x3x2xf32>
}
func.func @one(%m: memref<f32>, %mask: vector<1xi1>) -> vector<4xf32> {
  %pad = arith.constant -9.0 : f32
  %r = vector.mask %mask {
    vector.transfer_read %m[], %pad {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : memref<f32>, vector<4xf32>
  } : vector<1xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
func.func @one_or(%m: memref<f32>, %mask: vector<1xi1>, %else: vector<4xf32>) -> vector<4xf32> {
  %pad = arith.constant -9.0 : f32
  %r = vector.mask %mask, %else {
    vector.transfer_read %m[], %pad {in_bounds = [true], permutation_map = affine_map<() -> (0)>} : memref<f32>, vector<4xf32>
  } : vector<1xi1> -> vector<4xf32>
  return %r : vector<4xf32>
}
func.func @increment(%m: memref<f32>, %mask: vector<1xi1>) {
  %pad = arith.constant -9.0 : f32
  %one = arith.constant dense<1.0> : vector<f32>
  %v = vector.transfer_read %m[], %pad, %mask : memref<f32>, vector<f32>
  %w = arith.addf %v, %one : vector<f32>
  vector.mask %mask { vector.transfer_write %w, %m[] : vector<f32>, memref<f32> } : vector<1xi1>
  return
}

// What the caller calls: masks are the bits of a number, and results are stored.
func.func @bits8(%bits: i8) -> vector<2x4xi1> {
  %v = vector.broadcast %bits : i8 to vector<1xi8>
  %b = vector.bitcast %v : vector<1xi8> to vector<8xi1>
  %m = vector.shape_cast %b : vector<8xi1> to vector<2x4xi1>
  return %m : vector<2x4xi1>
}
func.func @all(%m: memref<3x5xf32>, %e: memref<24xf32>, %bits: i8, %i: index, %j: index,
               %row: memref<8xf32>, %column: memref<4xf32>, %turned: memref<24xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %mask = func.call @bits8(%bits) : (i8) -> vector<2x4xi1>
  %e8 = vector.load %e[%c0] : memref<24xf32>, vector<8xf32>
  %e24 = vector.load %e[%c0] : memref<24xf32>, vector<24xf32>
  %e4 = vector.load %e[%c0] : memref<24xf32>, vector<4xf32>
  %else = vector.shape_cast %e8 : vector<8xf32> to vector<2x4xf32>
  %r = func.call @row(%m, %mask, %else, %i, %j) : (memref<3x5xf32>, vector<2x4xi1>, vector<2x4xf32>, index, index) -> vector<2x4xf32>
  %r8 = vector.shape_cast %r : vector<2x4xf32> to vector<8xf32>
  vector.store %r8, %row[%c0] : memref<8xf32>, vector<8xf32>
  %d = memref.cast %m : memref<3x5xf32> to memref<?x?xf32>
  %mask4 = vector.extract %mask[0] : vector<4xi1> from vector<2x4xi1>
  %c = func.call @column(%d, %mask4, %e4, %i, %j) : (memref<?x?xf32>, vector<4xi1>, vector<4xf32>, index, index) -> vector<4xf32>
  vector.store %c, %column[%c0] : memref<4xf32>, vector<4xf32>
  %else3 = vector.shape_cast %e24 : vector<24xf32> to vector<4x3x2xf32>
  %t = func.call @turned(%d, %mask, %else3, %i, %j) : (memref<?x?xf32>, vector<2x4xi1>, vector<4x3x2xf32>, index, index) -> vector<4x3x2xf32>
  %t24 = vector.shape_cast %t : vector<4x3x2xf32> to vector<24xf32>
  vector.store %t24, %turned[%c0] : memref<24xf32>, vector<24xf32>
  return
}
func.func @ones(%m: memref<f32>, %bit: i1, %e: memref<4xf32>, %one: memref<4xf32>, %or: memref<4xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %mask = vector.broadcast %bit : i1 to vector<1xi1>
  %else = vector.load %e[%c0] : memref<4xf32>, vector<4xf32>
  %a = func.call @one(%m, %mask) : (memref<f32>, vector<1xi1>) -> vector<4xf32>
  vector.store %a, %one[%c0] : memref<4xf32>, vector<4xf32>
  %b = func.call @one_or(%m, %mask, %else) : (memref<f32>, vector<1xi1>, vector<4xf32>) -> vector<4xf32>
  vector.store %b, %or[%c0] : memref<4xf32>, vector<4xf32>
  func.call @increment(%m, %mask) : (memref<f32>, vector<1xi1>) -> ()
  return
}
