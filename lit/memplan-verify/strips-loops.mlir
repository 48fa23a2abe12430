// Loops over elements in strips: each has the iterations of its strip, and reads the rows that it should.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right strips, of which the loads of one element have become one.
#at = affine_map<(i) -> (i)>
#double = {number = 0 : i64, loops = array<i64: 8>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1, 2>,
  buffers = array<i64: -2, -2, 0>, indices = [#at, #at, #at]}
#exp = {number = 1 : i64, loops = array<i64: 8>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: 0, -3>, indices = [#at, #at]}
func.func @right(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %rows = memref.alloc() : memref<2xf32>
    %row = arith.muli %t, %c2 : index
    %in = memref.subview %x[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    scf.for %i = %c0 to %c2 step %c1 {
      %e = memref.load %in[%i] : memref<2xf32, strided<[1], offset: ?>>
      %d = arith.addf %e, %e : f32
      memref.store %d, %rows[%i] : memref<2xf32>
    } {memplan.rows = #double}
    %out = memref.subview %y[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    linalg.exp {memplan.rows = #exp} ins(%rows : memref<2xf32>) outs(%out : memref<2xf32, strided<[1], offset: ?>>)
  } {memplan.pieces = array<i64: 0, 1>, memplan.strips = 4 : i64}
  return
}

// -----

// 2. A loop stops too early.
#at = affine_map<(i) -> (i)>
#double = {number = 0 : i64, loops = array<i64: 8>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, -3>, indices = [#at, #at]}
func.func @early(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %row = arith.muli %t, %c2 : index
    %in = memref.subview %x[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    %out = memref.subview %y[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{loop 0 has extent 1 in a strip, but should have 2 [memplan-E216]}}
    scf.for %i = %c0 to %c1 step %c1 {
      %e = memref.load %in[%i] : memref<2xf32, strided<[1], offset: ?>>
      %d = arith.addf %e, %e : f32
      memref.store %d, %out[%i] : memref<2xf32, strided<[1], offset: ?>>
    } {memplan.rows = #double}
  } {memplan.pieces = array<i64: 0>, memplan.strips = 4 : i64}
  return
}

// -----

// 3. A load is one row off.
#at = affine_map<(i) -> (i)>
#double = {number = 0 : i64, loops = array<i64: 8>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, -3>, indices = [#at, #at]}
func.func @off(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %row = arith.muli %t, %c2 : index
    %out = memref.subview %y[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{operand 0 begins at index 0 of dimension 0, but should begin at 2 [memplan-E216]}}
    scf.for %i = %c0 to %c2 step %c1 {
      %e = memref.load %x[%i] : memref<8xf32>
      %d = arith.addf %e, %e : f32
      memref.store %d, %out[%i] : memref<2xf32, strided<[1], offset: ?>>
    } {memplan.rows = #double}
  } {memplan.pieces = array<i64: 0>, memplan.strips = 4 : i64}
  return
}

// -----

// 4. One iteration reads what another one has written.
#at = affine_map<(i) -> (i)>
#back = affine_map<(i) -> (7 - i)>
#sum = {number = 0 : i64, loops = array<i64: 8>, split = [array<i64: 0, 2, 0, 8>], operands = array<i64: 0, 1>,
  buffers = array<i64: -2, -2>, indices = [#back, #at]}
func.func @again(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %row = arith.muli %t, %c2 : index
    %out = memref.subview %x[%row] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
    // expected-error @+1 {{an iteration of a loop may use what another one wrote [memplan-E217]}}
    scf.for %i = %c0 to %c2 step %c1 {
      %e = memref.load %x[%i] : memref<8xf32>
      memref.store %e, %out[%i] : memref<2xf32, strided<[1], offset: ?>>
    } {memplan.rows = #sum}
  } {memplan.pieces = array<i64: 0>, memplan.strips = 4 : i64}
  return
}
