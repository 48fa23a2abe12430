// Strips that compute rows again: `split` says in a fifth number how many.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right: each strip computes the rows that its window has, two of them again.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8, 2>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @right(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %c0 to %c3 step %c1 {
    %rows = memref.alloc() : memref<4x4xf32>
    %row = arith.muli %t, %c2 : index
    %in = memref.subview %x[%row, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<4x4xf32, strided<[4, 1], offset: ?>>) outs(%rows : memref<4x4xf32>)
    %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    linalg.conv_2d {memplan.rows = #conv} ins(%rows, %w : memref<4x4xf32>, memref<3x1xf32>)
      outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 3 : i64}
  return
}

// -----

// 2. The strip computes one row less again than the window reads.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8, 1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @one_row_less(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %c0 to %c3 step %c1 {
    %rows = memref.alloc() : memref<4x4xf32>
    %made = memref.subview %rows[1, 0] [3, 4] [1, 1] : memref<4x4xf32> to memref<3x4xf32, strided<[4, 1], offset: 4>>
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c1 : index
    %in = memref.subview %x[%next, 0] [3, 4] [1, 1] : memref<8x4xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<3x4xf32, strided<[4, 1], offset: ?>>)
      outs(%made : memref<3x4xf32, strided<[4, 1], offset: 4>>)
    %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    // expected-error@+1 {{operand 0 should read row 0 of buffer 0, but nothing is written there}}
    linalg.conv_2d {memplan.rows = #conv} ins(%rows, %w : memref<4x4xf32>, memref<3x1xf32>)
      outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 3 : i64}
  return
}

// -----

// 3. A number of rows below 0.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8, -1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, -3>, indices = [#at, #at]}
func.func @below_zero(%x: memref<8x4xf32>, %y: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    // expected-error@+1 {{`memplan.rows` is malformed}}
    linalg.exp {memplan.rows = #exp} ins(%x : memref<8x4xf32>) outs(%y : memref<8x4xf32>)
  } {memplan.pieces = array<i64: 0>, memplan.strips = 4 : i64}
  return
}

// -----

// 4. Rows of a result may not come twice: what reads it between may see others.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 0, 8, 1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, -3>, indices = [#at, #at]}
func.func @result_twice(%x: memref<8x4xf32>, %y: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %row = arith.muli %t, %c2 : index
    %before = arith.subi %row, %c1 : index
    %first = arith.maxsi %before, %c0 : index
    %end = arith.addi %row, %c2 : index
    %count = arith.subi %end, %first : index
    %in = memref.subview %x[%first, 0] [%count, 4] [1, 1] : memref<8x4xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>
    %out = memref.subview %y[%first, 0] [%count, 4] [1, 1] : memref<8x4xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>
    // expected-error@+1 {{it writes row 1 of its result twice, or too late}}
    linalg.exp {memplan.rows = #exp} ins(%in : memref<?x4xf32, strided<[4, 1], offset: ?>>)
      outs(%out : memref<?x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.pieces = array<i64: 0>, memplan.strips = 4 : i64}
  return
}
