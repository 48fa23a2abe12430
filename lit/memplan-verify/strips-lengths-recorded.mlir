// What is recorded of strips along a length is wrong.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Another size is recorded.
#at = affine_map<(i) -> (i)>
#next = affine_map<(i) -> (i + 1)>
#exp = {number = 0 : i64, loops = array<i64: -1>, split = [array<i64: 0, 1, 1, -1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#add = {number = 1 : i64, loops = array<i64: -2>, split = [array<i64: 0, 1, 0, -2>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, 0, -3>, indices = [#at, #next, #at]}
func.func @case1(%x: memref<?xf32>) -> memref<?xf32> {
  %first = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %less = arith.addi %n, %first : index
  %y = memref.alloc(%less) : memref<?xf32>
  %lines = memref.alloc() : memref<2xf32>
  scf.for %t = %first to %less step %c1 {
    %down = memref.subview %lines[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
    %up = memref.subview %lines[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
    linalg.copy ins(%up : memref<1xf32, strided<[1], offset: 1>>) outs(%down : memref<1xf32, strided<[1]>>)
    %row = arith.addi %t, %c1 : index
    %in = memref.subview %x[%row] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<1xf32, strided<[1], offset: ?>>)
      outs(%up : memref<1xf32, strided<[1], offset: 1>>)
    %runs = arith.cmpi sge, %t, %c0 : index
    scf.if %runs {
      %out = memref.subview %y[%t] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
      // expected-error @+1 {{loop 0 has extent 1 in a strip, but should have 0, at a length of 3 [memplan-E216]}}
      linalg.add {memplan.rows = #add}
        ins(%down, %up : memref<1xf32, strided<[1]>>, memref<1xf32, strided<[1], offset: 1>>)
        outs(%out : memref<1xf32, strided<[1], offset: ?>>)
    }
  } {memplan.lengths = {inputs = [array<i64: 0, 0>], sizes = affine_map<(d0) -> (d0, d0 - 2)>},
    memplan.pieces = array<i64: 0, 1>, memplan.strips = -1 : i64}
  return %y : memref<?xf32>
}

// -----

// 2. The length is a size of another argument.
#at = affine_map<(i) -> (i)>
#next = affine_map<(i) -> (i + 1)>
#exp = {number = 0 : i64, loops = array<i64: -1>, split = [array<i64: 0, 1, 1, -1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#add = {number = 1 : i64, loops = array<i64: -2>, split = [array<i64: 0, 1, 0, -2>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, 0, -3>, indices = [#at, #next, #at]}
func.func @case2(%x: memref<?xf32>) -> memref<?xf32> {
  %first = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %less = arith.addi %n, %first : index
  %y = memref.alloc(%less) : memref<?xf32>
  %lines = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{the number of strips grows otherwise than the length, at a length of 2 [memplan-E216]}}
  scf.for %t = %first to %less step %c1 {
    %down = memref.subview %lines[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
    %up = memref.subview %lines[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
    linalg.copy ins(%up : memref<1xf32, strided<[1], offset: 1>>) outs(%down : memref<1xf32, strided<[1]>>)
    %row = arith.addi %t, %c1 : index
    %in = memref.subview %x[%row] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<1xf32, strided<[1], offset: ?>>)
      outs(%up : memref<1xf32, strided<[1], offset: 1>>)
    %runs = arith.cmpi sge, %t, %c0 : index
    scf.if %runs {
      %out = memref.subview %y[%t] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
      linalg.add {memplan.rows = #add}
        ins(%down, %up : memref<1xf32, strided<[1]>>, memref<1xf32, strided<[1], offset: 1>>)
        outs(%out : memref<1xf32, strided<[1], offset: ?>>)
    }
  } {memplan.lengths = {inputs = [array<i64: 1, 0>], sizes = affine_map<(d0) -> (d0, d0 - 1)>},
    memplan.pieces = array<i64: 0, 1>, memplan.strips = -1 : i64}
  return %y : memref<?xf32>
}

// -----

// 3. Nothing says what the sizes are.
#at = affine_map<(i) -> (i)>
#next = affine_map<(i) -> (i + 1)>
#exp = {number = 0 : i64, loops = array<i64: -1>, split = [array<i64: 0, 1, 1, -1>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, 0>, indices = [#at, #at]}
#add = {number = 1 : i64, loops = array<i64: -2>, split = [array<i64: 0, 1, 0, -2>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: 0, 0, -3>, indices = [#at, #next, #at]}
func.func @case3(%x: memref<?xf32>) -> memref<?xf32> {
  %first = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %less = arith.addi %n, %first : index
  %y = memref.alloc(%less) : memref<?xf32>
  %lines = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{strips cannot be verified: `memplan.lengths` is malformed [memplan-E217]}}
  scf.for %t = %first to %less step %c1 {
    %down = memref.subview %lines[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
    %up = memref.subview %lines[1] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1], offset: 1>>
    linalg.copy ins(%up : memref<1xf32, strided<[1], offset: 1>>) outs(%down : memref<1xf32, strided<[1]>>)
    %row = arith.addi %t, %c1 : index
    %in = memref.subview %x[%row] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%in : memref<1xf32, strided<[1], offset: ?>>)
      outs(%up : memref<1xf32, strided<[1], offset: 1>>)
    %runs = arith.cmpi sge, %t, %c0 : index
    scf.if %runs {
      %out = memref.subview %y[%t] [1] [1] : memref<?xf32> to memref<1xf32, strided<[1], offset: ?>>
      linalg.add {memplan.rows = #add}
        ins(%down, %up : memref<1xf32, strided<[1]>>, memref<1xf32, strided<[1], offset: 1>>)
        outs(%out : memref<1xf32, strided<[1], offset: ?>>)
    }
  } {memplan.lengths = {inputs = [], sizes = affine_map<(d0) -> (d0)>},
    memplan.pieces = array<i64: 0, 1>, memplan.strips = -1 : i64}
  return %y : memref<?xf32>
}
