// Loops over items that are not the operations that were split.
// RUN: %memplan-opt %s --split-input-file -verify-diagnostics -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)'

// 1. Right.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @right(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 2. It has another number of iterations than there are items.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @count(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %m step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @+1 {{strips cannot be verified: it is not known that all items of a result are written [memplan-E217]}}
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 3. All iterations write the first item.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @first(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[0, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1]>>
    // expected-error @+1 {{strips cannot be verified: the memory of an operand is not known [memplan-E217]}}
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1]>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 4. An operation reads what another one has to write.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @other(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    // expected-error @+1 {{operand 0 should read buffer 1, but another content is there [memplan-E216]}}
    linalg.tanh {memplan.item = #tanh} ins(%b : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 5. An operation is missing.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @missing(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
    // expected-error @+1 {{an operation is not in the loop over items, or there twice [memplan-E216]}}
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 6. What is for one iteration is used after the loop.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @kept(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  %a = memref.alloc() : memref<1x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @+1 {{operand 1 is not in memory of one iteration [memplan-E216]}}
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  linalg.copy ins(%a : memref<1x4xf32>) outs(%a : memref<1x4xf32>)
  return %r : memref<?x4xf32>
}

// -----

// 7. The number of an item is used otherwise.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @number(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    // expected-error @+1 {{strips cannot be verified: the number of an item is used otherwise than for a slice of that item [memplan-E217]}}
    %e = memref.load %x[%i, %c0] : memref<?x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %x[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}

// -----

// 8. A result is seen in another way, too.
#at = affine_map<(i, j) -> (i, j)>
#exp = {number = 1 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: -3, 1>,
  indices = [#at, #at]}
#tanh = {number = 2 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1>, buffers = array<i64: 1, 3>,
  indices = [#at, #at]}
#add = {number = 3 : i64, loops = array<i64: -1, 4>, operands = array<i64: 0, 1, 2>, buffers = array<i64: 1, 3, -5>,
  indices = [#at, #at, #at]}
func.func @aliased(%x: memref<?x4xf32>, %m: index) -> memref<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %r = memref.alloc(%n) : memref<?x4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1x4xf32>
    %b = memref.alloc() : memref<1x4xf32>
    %in = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    // expected-error @+1 {{strips cannot be verified: memory that the loop writes is seen in another way [memplan-E217]}}
    linalg.exp {memplan.item = #exp} ins(%in : memref<1x4xf32, strided<[4, 1], offset: ?>>) outs(%a : memref<1x4xf32>)
    linalg.tanh {memplan.item = #tanh} ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
    %out = memref.subview %r[%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    linalg.add {memplan.item = #add} ins(%a, %b : memref<1x4xf32>, memref<1x4xf32>)
      outs(%out : memref<1x4xf32, strided<[4, 1], offset: ?>>)
  } {memplan.items = array<i64: 1, 2, 3>}
  return %r : memref<?x4xf32>
}
