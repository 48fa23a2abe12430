// Strips that read or write other rows than the operations did.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right as it is.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @right(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %lines = memref.alloc() : memref<4x4xf32>
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %cm1 to %c3 step %c1 {
    %last = memref.subview %lines[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
    %first = memref.subview %lines[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    linalg.copy ins(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>) outs(%first : memref<2x4xf32, strided<[4, 1]>>)
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c2 : index
    %in = memref.subview %x[%next, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>)
    %has_rows = arith.cmpi sle, %c0, %t : index
    scf.if %has_rows {
      %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      linalg.conv_2d {memplan.rows = #conv} ins(%lines, %w : memref<4x4xf32>, memref<3x1xf32>)
        outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    }
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}

// -----

// 2. The window of an operand begins a row early: rows of memory that is whole.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @window(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %lines = memref.alloc() : memref<4x4xf32>
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %cm1 to %c3 step %c1 {
    %last = memref.subview %lines[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
    %first = memref.subview %lines[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    linalg.copy ins(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>) outs(%first : memref<2x4xf32, strided<[4, 1]>>)
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c2 : index
    %in = memref.subview %x[%row, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @+1 {{a view in a strip leaves its memory [memplan-E216]}}
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>)
    %has_rows = arith.cmpi sle, %c0, %t : index
    scf.if %has_rows {
      %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      linalg.conv_2d {memplan.rows = #conv} ins(%lines, %w : memref<4x4xf32>, memref<3x1xf32>)
        outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    }
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}

// -----

// 3. A strip is written at the wrong place of the line buffer.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @place(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %lines = memref.alloc() : memref<4x4xf32>
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %cm1 to %c3 step %c1 {
    %last = memref.subview %lines[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
    %first = memref.subview %lines[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    linalg.copy ins(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>) outs(%first : memref<2x4xf32, strided<[4, 1]>>)
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c2 : index
    %in = memref.subview %x[%next, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%first : memref<2x4xf32, strided<[4, 1]>>)
    %has_rows = arith.cmpi sle, %c0, %t : index
    scf.if %has_rows {
      %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      // expected-error @+1 {{operand 0 should read row 0 of buffer 0, but row 2 is there [memplan-E216]}}
      linalg.conv_2d {memplan.rows = #conv} ins(%lines, %w : memref<4x4xf32>, memref<3x1xf32>)
        outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    }
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}

// -----

// 4. What stays in the line buffer is not moved.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @no_move(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %lines = memref.alloc() : memref<4x4xf32>
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %cm1 to %c3 step %c1 {
    %last = memref.subview %lines[2, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
    %first = memref.subview %lines[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c2 : index
    %in = memref.subview %x[%next, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%last : memref<2x4xf32, strided<[4, 1], offset: 8>>)
    %has_rows = arith.cmpi sle, %c0, %t : index
    scf.if %has_rows {
      %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      // expected-error @+1 {{operand 0 should read row 0 of buffer 0, but nothing is written there [memplan-E216]}}
      linalg.conv_2d {memplan.rows = #conv} ins(%lines, %w : memref<4x4xf32>, memref<3x1xf32>)
        outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    }
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}

// -----

// 5. It is moved from one row further up.
#at = affine_map<(i, j) -> (i, j)>
#window = affine_map<(i, j, k, l) -> (i + k, j + l)>
#weight = affine_map<(i, j, k, l) -> (k, l)>
#sum = affine_map<(i, j, k, l) -> (i, j)>
#exp = {number = 0 : i64, loops = array<i64: 8, 4>, split = [array<i64: 0, 2, 2, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#fill = {number = 1 : i64, loops = array<i64: 6, 4>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 1>,
  buffers = array<i64: -3>, indices = [#at]}
#conv = {number = 2 : i64, loops = array<i64: 6, 4, 3, 1>, split = [array<i64: 0, 2, 0, 6>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, -4, -3>, indices = [#window, #weight, #sum]}
func.func @other_move(%x: memref<8x4xf32>, %w: memref<3x1xf32>, %zero: f32, %y: memref<6x4xf32>) {
  %lines = memref.alloc() : memref<4x4xf32>
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %t = %cm1 to %c3 step %c1 {
    %last = memref.subview %lines[1, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
    %first = memref.subview %lines[0, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
    // expected-error @+1 {{a copy overlaps itself [memplan-E216]}}
    linalg.copy ins(%last : memref<2x4xf32, strided<[4, 1], offset: 4>>) outs(%first : memref<2x4xf32, strided<[4, 1]>>)
    %row = arith.muli %t, %c2 : index
    %next = arith.addi %row, %c2 : index
    %in = memref.subview %x[%next, 0] [2, 4] [1, 1] : memref<8x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      outs(%last : memref<2x4xf32, strided<[4, 1], offset: 4>>)
    %has_rows = arith.cmpi sle, %c0, %t : index
    scf.if %has_rows {
      %out = memref.subview %y[%row, 0] [2, 4] [1, 1] : memref<6x4xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
      linalg.fill {memplan.rows = #fill} ins(%zero : f32) outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
      linalg.conv_2d {memplan.rows = #conv} ins(%lines, %w : memref<4x4xf32>, memref<3x1xf32>)
        outs(%out : memref<2x4xf32, strided<[4, 1], offset: ?>>)
    }
  } {memplan.pieces = array<i64: 0, 1, 2>, memplan.strips = 4 : i64}
  return
}
