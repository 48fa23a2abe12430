// Strips in place, strips that add up, and numbers of iterations.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. It overwrites what it reads later.
#at = affine_map<(i, j) -> (i, j)>
#first = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#second = {number = 1 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, 1>, indices = [#at, #at]}
#third = {number = 2 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 1, -3>, indices = [#at, #at]}
func.func @in_place(%x: memref<8x4xf32>, %y: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %strip = memref.alloc() : memref<3x4xf32>
    %row = arith.muli %t, %c2 : index
    %in = memref.subview %x[%row, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    %one = memref.subview %strip[0, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    %other = memref.subview %strip[1, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
    %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #first} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%one : memref<2x4xf32, strided<[4, 1]>>)
    // expected-error @+1 {{operand 1 overwrites what operand 0 reads [memplan-E216]}}
    linalg.abs {memplan.rows = #second} ins(%one : memref<2x4xf32, strided<[4, 1]>>)
      outs(%other : memref<2x4xf32, strided<[4, 1], offset: 4>>)
    linalg.tanh {memplan.rows = #third} ins(%other : memref<2x4xf32, strided<[4, 1], offset: 4>>)
      outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}

// -----

// 2. Right as it is: a sum over strips.
#at = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#sum = affine_map<(i, j, k) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 2, 8>, split = [array<i64: 1, 4, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#matmul = {number = 1 : i64, loops = array<i64: 2, 3, 8>, split = [array<i64: 2, 4, 0, 8>],
  operands = array<i64: 0, 1, 2>, buffers = array<i64: 0, -3, -4>, indices = [#left, #right, #sum]}
func.func @sums(%x: memref<2x8xf32>, %w: memref<8x3xf32>, %y: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c2 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %column = arith.muli %t, %c4 : index
    %in = memref.subview %x[0, %column] [2, 4] [1, 1] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[8, 1], offset: ?>>) outs(%strip : memref<2x4xf32>)
    %rows = memref.subview %w[%column, 0] [4, 3] [1, 1] : memref<8x3xf32> to memref<4x3xf32, strided<[3, 1], offset: ?>>
    linalg.matmul {memplan.rows = #matmul} ins(%strip, %rows : memref<2x4xf32>, memref<4x3xf32, strided<[3, 1], offset: ?>>)
      outs(%y : memref<2x3xf32>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 2 : i64}
  return
}

// -----

// 3. A part of the sum is missing.
#at = affine_map<(i, j) -> (i, j)>
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#sum = affine_map<(i, j, k) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 2, 8>, split = [array<i64: 1, 4, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#matmul = {number = 1 : i64, loops = array<i64: 2, 3, 8>, split = [array<i64: 2, 4, 0, 8>],
  operands = array<i64: 0, 1, 2>, buffers = array<i64: 0, -3, -4>, indices = [#left, #right, #sum]}
func.func @half(%x: memref<2x8xf32>, %w: memref<8x3xf32>, %y: memref<2x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c1 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %column = arith.muli %t, %c4 : index
    %in = memref.subview %x[0, %column] [2, 4] [1, 1] : memref<2x8xf32> to memref<2x4xf32, strided<[8, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[8, 1], offset: ?>>) outs(%strip : memref<2x4xf32>)
    %rows = memref.subview %w[%column, 0] [4, 3] [1, 1] : memref<8x3xf32> to memref<4x3xf32, strided<[3, 1], offset: ?>>
    // expected-error @+1 {{all strips have 4 of 8 iterations of it [memplan-E216]}}
    linalg.matmul {memplan.rows = #matmul} ins(%strip, %rows : memref<2x4xf32>, memref<4x3xf32, strided<[3, 1], offset: ?>>)
      outs(%y : memref<2x3xf32>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 2 : i64}
  return
}

// -----

// 4. Right as it is: the number of an iteration.
#at = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (i, j + 2)>
#number = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0>,
  buffers = array<i64: 0>, indices = [#at]}
#exp = {number = 1 : i64, loops = array<i64: 8, 2>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, -2>, indices = [#last, #at]}
func.func @index(%y: memref<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %first = arith.muli %t, %c2 : index
    linalg.generic {indexing_maps = [#at], iterator_types = ["parallel", "parallel"]} outs(%strip : memref<2x4xf32>)
      attrs = {memplan.rows = #number} {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %row = arith.addi %i, %first : index
      %int = arith.index_cast %row : index to i32
      %float = arith.sitofp %int : i32 to f32
      linalg.yield %float : f32
    }
    %part = memref.subview %strip[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
    %out = memref.subview %y[%first, 0] [2, 2] [1, 1] : memref<8x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%part : memref<2x2xf32, strided<[4, 1], offset: 2>>)
      outs(%out : memref<2x2xf32, strided<[2, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 4 : i64}
  return
}

// -----

// 5. The number of an iteration in the strip.
#at = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (i, j + 2)>
#number = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0>,
  buffers = array<i64: 0>, indices = [#at]}
#exp = {number = 1 : i64, loops = array<i64: 8, 2>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, -2>, indices = [#last, #at]}
func.func @not_shifted(%y: memref<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %first = arith.muli %t, %c2 : index
    // expected-error @+1 {{the number of an iteration of a strip is used as that of the operation [memplan-E216]}}
    linalg.generic {indexing_maps = [#at], iterator_types = ["parallel", "parallel"]} outs(%strip : memref<2x4xf32>)
      attrs = {memplan.rows = #number} {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %row = arith.addi %i, %i : index
      %int = arith.index_cast %row : index to i32
      %float = arith.sitofp %int : i32 to f32
      linalg.yield %float : f32
    }
    %part = memref.subview %strip[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
    %out = memref.subview %y[%first, 0] [2, 2] [1, 1] : memref<8x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%part : memref<2x2xf32, strided<[4, 1], offset: 2>>)
      outs(%out : memref<2x2xf32, strided<[2, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 4 : i64}
  return
}

// -----

// 6. Another number is added.
#at = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (i, j + 2)>
#number = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0>,
  buffers = array<i64: 0>, indices = [#at]}
#exp = {number = 1 : i64, loops = array<i64: 8, 2>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, -2>, indices = [#last, #at]}
func.func @other_shift(%y: memref<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %first = arith.muli %t, %c2 : index
    // expected-error @+1 {{the number of an iteration is not that of the operation [memplan-E216]}}
    linalg.generic {indexing_maps = [#at], iterator_types = ["parallel", "parallel"]} outs(%strip : memref<2x4xf32>)
      attrs = {memplan.rows = #number} {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %row = arith.addi %i, %t : index
      %int = arith.index_cast %row : index to i32
      %float = arith.sitofp %int : i32 to f32
      linalg.yield %float : f32
    }
    %part = memref.subview %strip[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
    %out = memref.subview %y[%first, 0] [2, 2] [1, 1] : memref<8x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%part : memref<2x2xf32, strided<[4, 1], offset: 2>>)
      outs(%out : memref<2x2xf32, strided<[2, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 4 : i64}
  return
}

// -----

// 7. Other columns of a strip.
#at = affine_map<(i, j) -> (i, j)>
#last = affine_map<(i, j) -> (i, j + 2)>
#number = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0>,
  buffers = array<i64: 0>, indices = [#at]}
#exp = {number = 1 : i64, loops = array<i64: 8, 2>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, -2>, indices = [#last, #at]}
func.func @channel(%y: memref<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %strip = memref.alloc() : memref<2x4xf32>
    %first = arith.muli %t, %c2 : index
    linalg.generic {indexing_maps = [#at], iterator_types = ["parallel", "parallel"]} outs(%strip : memref<2x4xf32>)
      attrs = {memplan.rows = #number} {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %row = arith.addi %i, %first : index
      %int = arith.index_cast %row : index to i32
      %float = arith.sitofp %int : i32 to f32
      linalg.yield %float : f32
    }
    %part = memref.subview %strip[0, 1] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 1>>
    %out = memref.subview %y[%first, 0] [2, 2] [1, 1] : memref<8x2xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    // expected-error @+1 {{operand 0 begins at index 1 of dimension 1, but should begin at 2 [memplan-E216]}}
    linalg.exp {memplan.rows = #exp} ins(%part : memref<2x2xf32, strided<[4, 1], offset: 1>>)
      outs(%out : memref<2x2xf32, strided<[2, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 4 : i64}
  return
}
