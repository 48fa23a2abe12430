// sparse_tensor.positions
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @positions(%t: tensor<4x4xf64, #csr>) -> index {
  %c0 = arith.constant 0 : index
  %m = sparse_tensor.positions %t {level = 1 : index} : tensor<4x4xf64, #csr> to memref<?xindex>
  %n = memref.dim %m, %c0 : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xindex>
  memref.copy %m, %a : memref<?xindex> to memref<?xindex>
  %v = memref.load %a[%c0] : memref<?xindex>
  return %v : index
}
// -----
// sparse_tensor.coordinates
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @coordinates(%t: tensor<4x4xf64, #csr>) -> index {
  %c0 = arith.constant 0 : index
  %m = sparse_tensor.coordinates %t {level = 1 : index} : tensor<4x4xf64, #csr> to memref<?xindex>
  %n = memref.dim %m, %c0 : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xindex>
  memref.copy %m, %a : memref<?xindex> to memref<?xindex>
  %v = memref.load %a[%c0] : memref<?xindex>
  return %v : index
}
// -----
// sparse_tensor.coordinates_buffer
// compile: no
#coo = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton)}>
func.func @coordinates_buffer(%t: tensor<4x4xf64, #coo>) -> index {
  %c0 = arith.constant 0 : index
  %m = sparse_tensor.coordinates_buffer %t : tensor<4x4xf64, #coo> to memref<?xindex>
  %n = memref.dim %m, %c0 : memref<?xindex>
  %a = memref.alloc(%n) : memref<?xindex>
  memref.copy %m, %a : memref<?xindex> to memref<?xindex>
  %v = memref.load %a[%c0] : memref<?xindex>
  return %v : index
}
// -----
// sparse_tensor.values
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @values(%t: tensor<4x4xf64, #csr>) -> f64 {
  %c0 = arith.constant 0 : index
  %m = sparse_tensor.values %t : tensor<4x4xf64, #csr> to memref<?xf64>
  %n = memref.dim %m, %c0 : memref<?xf64>
  %a = memref.alloc(%n) : memref<?xf64>
  memref.copy %m, %a : memref<?xf64> to memref<?xf64>
  %v = memref.load %a[%c0] : memref<?xf64>
  return %v : f64
}
// -----
// sparse_tensor.push_back
func.func @push_back(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  %t, %size = sparse_tensor.push_back %c0, %a, %x : index, memref<?xf64>, f64
  %v = memref.load %t[%c0] : memref<?xf64>
  return %v : f64
}
// -----
// sparse_tensor.push_back: in bounds
func.func @push_back_inbounds(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  %t, %size = sparse_tensor.push_back inbounds %c0, %a, %x : index, memref<?xf64>, f64
  %v = memref.load %t[%c0] : memref<?xf64>
  return %v : f64
}
// -----
// sparse_tensor.expand, sparse_tensor.compress
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @expand(%t: tensor<4x4xf64, #csr>) -> f64 {
  %c0 = arith.constant 0 : index
  %values, %filled, %added, %count = sparse_tensor.expand %t
      : tensor<4x4xf64, #csr> to memref<?xf64>, memref<?xi1>, memref<?xindex>
  %v = memref.load %values[%c0] : memref<?xf64>
  %new = sparse_tensor.compress %values, %filled, %added, %count into %t[%c0]
      : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<4x4xf64, #csr>
  return %v : f64
}
// -----
// sparse_tensor.sort
func.func @sort(%x: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xindex>
  memref.store %x, %a[%c0] : memref<?xindex>
  sparse_tensor.sort hybrid_quick_sort %n, %a {perm_map = affine_map<(i) -> (i)>} : memref<?xindex>
  %v = memref.load %a[%c0] : memref<?xindex>
  return %v : index
}
// -----
// sparse_tensor.sort: with others
func.func @sort_jointly(%x: f64, %n: index, %y: memref<?xindex>) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf64>
  memref.store %x, %a[%c0] : memref<?xf64>
  sparse_tensor.sort insertion_sort_stable %n, %y jointly %a {perm_map = affine_map<(i) -> (i)>}
      : memref<?xindex> jointly memref<?xf64>
  %v = memref.load %a[%c0] : memref<?xf64>
  return %v : f64
}
// -----
// sparse_tensor.new
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @new(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xindex>
  memref.store %x, %a[%c0] : memref<4xindex>
  %t = sparse_tensor.new %a : memref<4xindex> to tensor<4x4xf64, #csr>
  %v = memref.load %a[%c0] : memref<4xindex>
  return %v : index
}
// -----
// sparse_tensor.out
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @out(%x: index, %t: tensor<4x4xf64, #csr>) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xindex>
  memref.store %x, %a[%c0] : memref<4xindex>
  sparse_tensor.out %t, %a : tensor<4x4xf64, #csr>, memref<4xindex>
  %v = memref.load %a[%c0] : memref<4xindex>
  return %v : index
}
// -----
// sparse_tensor.foreach, sparse_tensor.yield
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @foreach(%t: tensor<4x4xf64, #csr>) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  sparse_tensor.foreach in %t : tensor<4x4xf64, #csr> do {
  ^bb0(%i: index, %j: index, %one: f64):
    memref.store %one, %a[%i] : memref<4xf64>
  }
  %v = memref.load %a[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.foreach, sparse_tensor.yield: carries the memref
// compile: no
#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
func.func @foreach_carries(%t: tensor<4x4xf64, #csr>) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  %m = sparse_tensor.foreach in %t init(%a) : tensor<4x4xf64, #csr>, memref<4xf64> -> memref<4xf64> do {
  ^bb0(%i: index, %j: index, %one: f64, %k: memref<4xf64>):
    memref.store %one, %k[%i] : memref<4xf64>
    sparse_tensor.yield %k : memref<4xf64>
  }
  %v = memref.load %m[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.iterate, sparse_tensor.extract_value
// compile: no
#vec = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
func.func @iterate(%t: tensor<4xf64, #vec>) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  %space = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<4xf64, #vec>
      -> !sparse_tensor.iter_space<#vec, lvls = 0 to 1>
  sparse_tensor.iterate %it in %space at(%i) : !sparse_tensor.iter_space<#vec, lvls = 0 to 1> {
    %one = sparse_tensor.extract_value %t at %it : tensor<4xf64, #vec>, !sparse_tensor.iterator<#vec, lvls = 0 to 1>
    memref.store %one, %a[%i] : memref<4xf64>
  }
  %v = memref.load %a[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.coiterate, sparse_tensor.yield
// compile: no
#vec = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
func.func @coiterate(%t: tensor<4xf64, #vec>, %u: tensor<4xf64, #vec>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  %space = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<4xf64, #vec>
      -> !sparse_tensor.iter_space<#vec, lvls = 0 to 1>
  %other = sparse_tensor.extract_iteration_space %u lvls = 0 : tensor<4xf64, #vec>
      -> !sparse_tensor.iter_space<#vec, lvls = 0 to 1>
  %m = sparse_tensor.coiterate (%space, %other) at(%i) iter_args(%k = %a)
      : (!sparse_tensor.iter_space<#vec, lvls = 0 to 1>, !sparse_tensor.iter_space<#vec, lvls = 0 to 1>)
          -> memref<4xf64>
  case %it, _ {
    memref.store %x, %k[%i] : memref<4xf64>
    sparse_tensor.yield %k : memref<4xf64>
  }
  %v = memref.load %m[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.unary, sparse_tensor.yield
// compile: no
func.func @unary(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<4xf64>)
  %b = memref.alloc() : memref<4xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4xf64>) outs(%b : memref<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = sparse_tensor.unary %in : f64 to f64
      present={
      ^bb0(%one: f64):
        %sum = arith.addf %one, %x : f64
        sparse_tensor.yield %sum : f64
      }
      absent={}
    linalg.yield %r : f64
  }
  %v = memref.load %b[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.binary, sparse_tensor.yield
// compile: no
func.func @binary(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<4xf64>)
  %b = memref.alloc() : memref<4xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4xf64>) outs(%b : memref<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = sparse_tensor.binary %in, %x : f64, f64 to f64
      overlap={
      ^bb0(%left: f64, %right: f64):
        %sum = arith.addf %left, %right : f64
        sparse_tensor.yield %sum : f64
      }
      left=identity
      right={}
    linalg.yield %r : f64
  }
  %v = memref.load %b[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.select, sparse_tensor.yield
// compile: no
func.func @select(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<4xf64>)
  %b = memref.alloc() : memref<4xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4xf64>) outs(%b : memref<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = sparse_tensor.select %in : f64 {
    ^bb0(%one: f64):
      %keep = arith.cmpf ogt, %one, %x : f64
      sparse_tensor.yield %keep : i1
    }
    linalg.yield %r : f64
  }
  %v = memref.load %b[%c0] : memref<4xf64>
  return %v : f64
}
// -----
// sparse_tensor.reduce, sparse_tensor.yield
// compile: no
func.func @reduce(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf64>
  linalg.fill ins(%x : f64) outs(%a : memref<4xf64>)
  %b = memref.alloc() : memref<4xf64>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<4xf64>) outs(%b : memref<4xf64>) {
  ^bb0(%in: f64, %out: f64):
    %r = sparse_tensor.reduce %in, %x, %x : f64 {
    ^bb0(%left: f64, %right: f64):
      %sum = arith.addf %left, %right : f64
      sparse_tensor.yield %sum : f64
    }
    linalg.yield %r : f64
  }
  %v = memref.load %b[%c0] : memref<4xf64>
  return %v : f64
}
