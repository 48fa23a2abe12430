// linalg.fill
func.func @fill(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.fill_rng_2d
func.func @fill_rng_2d(%least: f64, %most: f64, %seed: i32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill_rng_2d ins(%least, %most, %seed : f64, f64, i32) outs(%a : memref<4x4xf32>)
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.copy
func.func @copy(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.copy ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.transpose
func.func @transpose(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.broadcast
func.func @broadcast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.broadcast ins(%a : memref<4xf32>) outs(%b : memref<4x4xf32>) dimensions = [1]
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.reduce, linalg.yield
func.func @reduce(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  linalg.reduce ins(%a : memref<4x4xf32>) outs(%b : memref<4xf32>) dimensions = [1] (%in: f32, %sum: f32) {
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  }
  %v = memref.load %b[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// linalg.map, linalg.yield
func.func @map(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.map ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) (%in: f32, %init: f32) {
    %r = arith.addf %in, %x : f32
    linalg.yield %r : f32
  }
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.generic, linalg.yield
func.func @generic(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %x : f32
    linalg.yield %r : f32
  }
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.generic, linalg.yield: reads the output
func.func @generic_reads(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4x4xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  }
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.softmax
func.func @softmax(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.softmax dimension(1) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.softmax: integers
// compile: no
func.func @softmax_integers(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  linalg.softmax dimension(1) ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>)
  return
}
// -----
// linalg.softmax: f8
// compile: no
func.func @softmax_f8(%a: memref<4x4xf8E4M3FN>, %b: memref<4x4xf8E4M3FN>) {
  linalg.softmax dimension(1) ins(%a : memref<4x4xf8E4M3FN>) outs(%b : memref<4x4xf8E4M3FN>)
  return
}
// -----
// linalg.softmax: vectors
// compile: no
func.func @softmax_vectors(%a: memref<4x4xvector<4xf32>>, %b: memref<4x4xvector<4xf32>>) {
  linalg.softmax dimension(1) ins(%a : memref<4x4xvector<4xf32>>) outs(%b : memref<4x4xvector<4xf32>>)
  return
}
// -----
// linalg.elementwise
func.func @elementwise(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.abs
func.func @abs(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.abs ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.ceil
func.func @ceil(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.ceil ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.erf
func.func @erf(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.erf ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.exp
func.func @exp(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.exp ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.floor
func.func @floor(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.floor ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.log
func.func @log(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.log ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.negf
func.func @negf(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.negf ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.reciprocal
func.func @reciprocal(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.reciprocal ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.round
func.func @round(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.round ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.rsqrt
func.func @rsqrt(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.rsqrt ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.sqrt
func.func @sqrt(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.sqrt ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.square
func.func @square(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.square ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.tanh
func.func @tanh(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.tanh ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.add
func.func @add(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.add ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.sub
func.func @sub(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.sub ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.mul
func.func @mul(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.mul ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.div
func.func @div(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.div ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.max
func.func @max(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.max ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.min
func.func @min(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.min ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.powf
func.func @powf(%x: f32, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.powf ins(%a, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.div_unsigned
func.func @div_unsigned(%x: i32, %y: memref<4x4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  linalg.div_unsigned ins(%a, %y : memref<4x4xi32>, memref<4x4xi32>) outs(%b : memref<4x4xi32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xi32>
  return %v : i32
}
// -----
// linalg.select
func.func @select(%x: f32, %which: memref<4x4xi1>, %y: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.select ins(%which, %a, %y : memref<4x4xi1>, memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.matmul
func.func @matmul(%x: f32, %k: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %k : memref<4x4xf32>, memref<4x4xf32>)
      outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.batch_matmul
func.func @batch_matmul(%x: f32, %k: memref<2x4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x4x4xf32>
  %b = memref.alloc() : memref<2x4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<2x4x4xf32>)
  linalg.batch_matmul ins(%a, %k : memref<2x4x4xf32>, memref<2x4x4xf32>)
      outs(%b : memref<2x4x4xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<2x4x4xf32>
  return %v : f32
}
// -----
// linalg.batch_reduce_matmul
func.func @batch_reduce_matmul(%x: f32, %k: memref<2x4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4x4xf32>)
  linalg.batch_reduce_matmul ins(%a, %k : memref<2x4x4xf32>, memref<2x4x4xf32>)
      outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.matvec
func.func @matvec(%x: f32, %k: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  linalg.matvec ins(%a, %k : memref<4x4xf32>, memref<4xf32>)
      outs(%b : memref<4xf32>)
  %v = memref.load %b[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// linalg.vecmat
func.func @vecmat(%x: f32, %k: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  linalg.vecmat ins(%a, %k : memref<4xf32>, memref<4x4xf32>)
      outs(%b : memref<4xf32>)
  %v = memref.load %b[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// linalg.batch_matvec
func.func @batch_matvec(%x: f32, %k: memref<2x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x4x4xf32>
  %b = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<2x4xf32>)
  linalg.batch_matvec ins(%a, %k : memref<2x4x4xf32>, memref<2x4xf32>)
      outs(%b : memref<2x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<2x4xf32>
  return %v : f32
}
// -----
// linalg.batch_vecmat
func.func @batch_vecmat(%x: f32, %k: memref<2x4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x4xf32>
  %b = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<2x4xf32>)
  linalg.batch_vecmat ins(%a, %k : memref<2x4xf32>, memref<2x4x4xf32>)
      outs(%b : memref<2x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<2x4xf32>
  return %v : f32
}
// -----
// linalg.dot
func.func @dot(%x: f32, %k: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<f32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<f32>)
  linalg.dot ins(%a, %k : memref<4xf32>, memref<4xf32>)
      outs(%b : memref<f32>)
  %v = memref.load %b[] : memref<f32>
  return %v : f32
}
// -----
// linalg.mmt4d
func.func @mmt4d(%x: f32, %k: memref<1x1x4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x1x4x4xf32>
  %b = memref.alloc() : memref<1x1x4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x1x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x1x4x4xf32>)
  linalg.mmt4d ins(%a, %k : memref<1x1x4x4xf32>, memref<1x1x4x4xf32>)
      outs(%b : memref<1x1x4x4xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x1x4x4xf32>
  return %v : f32
}
// -----
// linalg.batch_mmt4d
func.func @batch_mmt4d(%x: f32, %k: memref<2x1x1x4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x1x1x4x4xf32>
  %b = memref.alloc() : memref<2x1x1x4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x1x1x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<2x1x1x4x4xf32>)
  linalg.batch_mmt4d ins(%a, %k : memref<2x1x1x4x4xf32>, memref<2x1x1x4x4xf32>)
      outs(%b : memref<2x1x1x4x4xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<2x1x1x4x4xf32>
  return %v : f32
}
// -----
// linalg.contract
func.func @contract(%x: f32, %k: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4x4xf32>)
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %k : memref<4x4xf32>, memref<4x4xf32>)
      outs(%b : memref<4x4xf32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// linalg.quantized_matmul
func.func @quantized_matmul(%x: i8, %k: memref<4x4xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi8>
  %b = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<4x4xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<4x4xi32>)
  linalg.quantized_matmul ins(%a, %k, %zi, %zk : memref<4x4xi8>, memref<4x4xi8>, i32, i32)
      outs(%b : memref<4x4xi32>)
  %v = memref.load %b[%c0, %c0] : memref<4x4xi32>
  return %v : i32
}
// -----
// linalg.quantized_batch_matmul
func.func @quantized_batch_matmul(%x: i8, %k: memref<2x4x4xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x4x4xi8>
  %b = memref.alloc() : memref<2x4x4xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<2x4x4xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<2x4x4xi32>)
  linalg.quantized_batch_matmul ins(%a, %k, %zi, %zk : memref<2x4x4xi8>, memref<2x4x4xi8>, i32, i32)
      outs(%b : memref<2x4x4xi32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<2x4x4xi32>
  return %v : i32
}
// -----
// linalg.conv_1d
func.func @conv_1d(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<3xf32>)
  linalg.conv_1d ins(%a, %k : memref<4xf32>, memref<2xf32>)
      outs(%b : memref<3xf32>)
  %v = memref.load %b[%c0] : memref<3xf32>
  return %v : f32
}
// -----
// linalg.conv_1d_ncw_fcw
func.func @conv_1d_ncw_fcw(%x: f32, %k: memref<3x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4xf32>
  %b = memref.alloc() : memref<1x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3xf32>)
  linalg.conv_1d_ncw_fcw ins(%a, %k : memref<1x2x4xf32>, memref<3x2x2xf32>)
      outs(%b : memref<1x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_1d_nwc_wcf
func.func @conv_1d_nwc_wcf(%x: f32, %k: memref<2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3xf32>)
  linalg.conv_1d_nwc_wcf ins(%a, %k : memref<1x4x2xf32>, memref<2x2x3xf32>)
      outs(%b : memref<1x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d
func.func @conv_2d(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<3x3xf32>)
  linalg.conv_2d ins(%a, %k : memref<4x4xf32>, memref<2x2xf32>)
      outs(%b : memref<3x3xf32>)
  %v = memref.load %b[%c0, %c0] : memref<3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_nchw_fchw
func.func @conv_2d_nchw_fchw(%x: f32, %k: memref<3x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4xf32>
  %b = memref.alloc() : memref<1x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3xf32>)
  linalg.conv_2d_nchw_fchw ins(%a, %k : memref<1x2x4x4xf32>, memref<3x2x2x2xf32>)
      outs(%b : memref<1x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_nchw_fchw_q
func.func @conv_2d_nchw_fchw_q(%x: i8, %k: memref<3x2x2x2xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4xi8>
  %b = memref.alloc() : memref<1x3x3x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x2x4x4xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x3xi32>)
  linalg.conv_2d_nchw_fchw_q ins(%a, %k, %zi, %zk : memref<1x2x4x4xi8>, memref<3x2x2x2xi8>, i32, i32)
      outs(%b : memref<1x3x3x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xi32>
  return %v : i32
}
// -----
// linalg.conv_2d_ngchw_fgchw
func.func @conv_2d_ngchw_fgchw(%x: f32, %k: memref<3x2x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x2x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3x3xf32>)
  linalg.conv_2d_ngchw_fgchw ins(%a, %k : memref<1x2x2x4x4xf32>, memref<3x2x2x2x2xf32>)
      outs(%b : memref<1x2x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x2x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_ngchw_gfchw
func.func @conv_2d_ngchw_gfchw(%x: f32, %k: memref<2x3x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x2x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3x3xf32>)
  linalg.conv_2d_ngchw_gfchw ins(%a, %k : memref<1x2x2x4x4xf32>, memref<2x3x2x2x2xf32>)
      outs(%b : memref<1x2x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x2x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_ngchw_gfchw_q
func.func @conv_2d_ngchw_gfchw_q(%x: i8, %k: memref<2x3x2x2x2xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x2x4x4xi8>
  %b = memref.alloc() : memref<1x2x3x3x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x2x2x4x4xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x2x3x3x3xi32>)
  linalg.conv_2d_ngchw_gfchw_q ins(%a, %k, %zi, %zk : memref<1x2x2x4x4xi8>, memref<2x3x2x2x2xi8>, i32, i32)
      outs(%b : memref<1x2x3x3x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x2x3x3x3xi32>
  return %v : i32
}
// -----
// linalg.conv_2d_nhwc_fhwc
func.func @conv_2d_nhwc_fhwc(%x: f32, %k: memref<3x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3xf32>)
  linalg.conv_2d_nhwc_fhwc ins(%a, %k : memref<1x4x4x2xf32>, memref<3x2x2x2xf32>)
      outs(%b : memref<1x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_nhwc_fhwc_q
func.func @conv_2d_nhwc_fhwc_q(%x: i8, %k: memref<3x2x2x2xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi8>
  %b = memref.alloc() : memref<1x3x3x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x3xi32>)
  linalg.conv_2d_nhwc_fhwc_q ins(%a, %k, %zi, %zk : memref<1x4x4x2xi8>, memref<3x2x2x2xi8>, i32, i32)
      outs(%b : memref<1x3x3x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xi32>
  return %v : i32
}
// -----
// linalg.conv_2d_nhwc_hwcf
func.func @conv_2d_nhwc_hwcf(%x: f32, %k: memref<2x2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2x2x3xf32>)
      outs(%b : memref<1x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_nhwc_hwcf_q
func.func @conv_2d_nhwc_hwcf_q(%x: i8, %k: memref<2x2x2x3xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi8>
  %b = memref.alloc() : memref<1x3x3x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x3xi32>)
  linalg.conv_2d_nhwc_hwcf_q ins(%a, %k, %zi, %zk : memref<1x4x4x2xi8>, memref<2x2x2x3xi8>, i32, i32)
      outs(%b : memref<1x3x3x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x3xi32>
  return %v : i32
}
// -----
// linalg.conv_2d_nhwgc_gfhwc
func.func @conv_2d_nhwgc_gfhwc(%x: f32, %k: memref<2x3x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2x2xf32>
  %b = memref.alloc() : memref<1x3x3x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2x3xf32>)
  linalg.conv_2d_nhwgc_gfhwc ins(%a, %k : memref<1x4x4x2x2xf32>, memref<2x3x2x2x2xf32>)
      outs(%b : memref<1x3x3x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x2x3xf32>
  return %v : f32
}
// -----
// linalg.conv_2d_nhwgc_gfhwc_q
func.func @conv_2d_nhwgc_gfhwc_q(%x: i8, %k: memref<2x3x2x2x2xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2x2xi8>
  %b = memref.alloc() : memref<1x3x3x2x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x2x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x2x3xi32>)
  linalg.conv_2d_nhwgc_gfhwc_q ins(%a, %k, %zi, %zk : memref<1x4x4x2x2xi8>, memref<2x3x2x2x2xi8>, i32, i32)
      outs(%b : memref<1x3x3x2x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x2x3xi32>
  return %v : i32
}
// -----
// linalg.conv_3d
func.func @conv_3d(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4x4xf32>
  %b = memref.alloc() : memref<3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<3x3x3xf32>)
  linalg.conv_3d ins(%a, %k : memref<4x4x4xf32>, memref<2x2x2xf32>)
      outs(%b : memref<3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_3d_ncdhw_fcdhw
func.func @conv_3d_ncdhw_fcdhw(%x: f32, %k: memref<3x2x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4x4xf32>
  %b = memref.alloc() : memref<1x3x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x3xf32>)
  linalg.conv_3d_ncdhw_fcdhw ins(%a, %k : memref<1x2x4x4x4xf32>, memref<3x2x2x2x2xf32>)
      outs(%b : memref<1x3x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_3d_ndhwc_dhwcf
func.func @conv_3d_ndhwc_dhwcf(%x: f32, %k: memref<2x2x2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x3xf32>)
  linalg.conv_3d_ndhwc_dhwcf ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2x2x3xf32>)
      outs(%b : memref<1x3x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.conv_3d_ndhwc_dhwcf_q
func.func @conv_3d_ndhwc_dhwcf_q(%x: i8, %k: memref<2x2x2x2x3xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xi8>
  %b = memref.alloc() : memref<1x3x3x3x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x4x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x3x3xi32>)
  linalg.conv_3d_ndhwc_dhwcf_q ins(%a, %k, %zi, %zk : memref<1x4x4x4x2xi8>, memref<2x2x2x2x3xi8>, i32, i32)
      outs(%b : memref<1x3x3x3x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x3xi32>
  return %v : i32
}
// -----
// linalg.depthwise_conv_1d_ncw_cw
func.func @depthwise_conv_1d_ncw_cw(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4xf32>
  %b = memref.alloc() : memref<1x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3xf32>)
  linalg.depthwise_conv_1d_ncw_cw ins(%a, %k : memref<1x2x4xf32>, memref<2x2xf32>)
      outs(%b : memref<1x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x2x3xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_1d_nwc_wc
func.func @depthwise_conv_1d_nwc_wc(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x2xf32>)
  linalg.depthwise_conv_1d_nwc_wc ins(%a, %k : memref<1x4x2xf32>, memref<2x2xf32>)
      outs(%b : memref<1x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_1d_nwc_wcm
func.func @depthwise_conv_1d_nwc_wcm(%x: f32, %k: memref<2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x2x3xf32>)
  linalg.depthwise_conv_1d_nwc_wcm ins(%a, %k : memref<1x4x2xf32>, memref<2x2x3xf32>)
      outs(%b : memref<1x3x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x2x3xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_2d_nchw_chw
func.func @depthwise_conv_2d_nchw_chw(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3xf32>)
  linalg.depthwise_conv_2d_nchw_chw ins(%a, %k : memref<1x2x4x4xf32>, memref<2x2x2xf32>)
      outs(%b : memref<1x2x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x2x3x3xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise_conv_2d_nhwc_hwc(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2xf32>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2x2xf32>)
      outs(%b : memref<1x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_2d_nhwc_hwc_q
func.func @depthwise_conv_2d_nhwc_hwc_q(%x: i8, %k: memref<2x2x2xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi8>
  %b = memref.alloc() : memref<1x3x3x2xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x2xi32>)
  linalg.depthwise_conv_2d_nhwc_hwc_q ins(%a, %k, %zi, %zk : memref<1x4x4x2xi8>, memref<2x2x2xi8>, i32, i32)
      outs(%b : memref<1x3x3x2xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xi32>
  return %v : i32
}
// -----
// linalg.depthwise_conv_2d_nhwc_hwcm
func.func @depthwise_conv_2d_nhwc_hwcm(%x: f32, %k: memref<2x2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2x3xf32>)
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2x2x3xf32>)
      outs(%b : memref<1x3x3x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x2x3xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_2d_nhwc_hwcm_q
func.func @depthwise_conv_2d_nhwc_hwcm_q(%x: i8, %k: memref<2x2x2x3xi8>, %zi: i32, %zk: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi8>
  %b = memref.alloc() : memref<1x3x3x2x3xi32>
  linalg.fill ins(%x : i8) outs(%a : memref<1x4x4x2xi8>)
  linalg.fill ins(%zi : i32) outs(%b : memref<1x3x3x2x3xi32>)
  linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%a, %k, %zi, %zk : memref<1x4x4x2xi8>, memref<2x2x2x3xi8>, i32, i32)
      outs(%b : memref<1x3x3x2x3xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x2x3xi32>
  return %v : i32
}
// -----
// linalg.depthwise_conv_3d_ncdhw_cdhw
func.func @depthwise_conv_3d_ncdhw_cdhw(%x: f32, %k: memref<2x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3x3xf32>)
  linalg.depthwise_conv_3d_ncdhw_cdhw ins(%a, %k : memref<1x2x4x4x4xf32>, memref<2x2x2x2xf32>)
      outs(%b : memref<1x2x3x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x2x3x3x3xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_3d_ndhwc_dhwc
func.func @depthwise_conv_3d_ndhwc_dhwc(%x: f32, %k: memref<2x2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x2xf32>)
  linalg.depthwise_conv_3d_ndhwc_dhwc ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2x2xf32>)
      outs(%b : memref<1x3x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.depthwise_conv_3d_ndhwc_dhwcm
func.func @depthwise_conv_3d_ndhwc_dhwcm(%x: f32, %k: memref<2x2x2x2x3xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x2x3xf32>)
  linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2x2x3xf32>)
      outs(%b : memref<1x3x3x3x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x2x3xf32>
  return %v : f32
}
// -----
// linalg.pooling_nchw_max
func.func @pooling_nchw_max(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3xf32>)
  linalg.pooling_nchw_max ins(%a, %k : memref<1x2x4x4xf32>, memref<2x2xf32>)
      outs(%b : memref<1x2x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x2x3x3xf32>
  return %v : f32
}
// -----
// linalg.pooling_nchw_sum
func.func @pooling_nchw_sum(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4x4xf32>
  %b = memref.alloc() : memref<1x2x3x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3x3xf32>)
  linalg.pooling_nchw_sum ins(%a, %k : memref<1x2x4x4xf32>, memref<2x2xf32>)
      outs(%b : memref<1x2x3x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x2x3x3xf32>
  return %v : f32
}
// -----
// linalg.pooling_ncw_max
func.func @pooling_ncw_max(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4xf32>
  %b = memref.alloc() : memref<1x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3xf32>)
  linalg.pooling_ncw_max ins(%a, %k : memref<1x2x4xf32>, memref<2xf32>)
      outs(%b : memref<1x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x2x3xf32>
  return %v : f32
}
// -----
// linalg.pooling_ncw_sum
func.func @pooling_ncw_sum(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x2x4xf32>
  %b = memref.alloc() : memref<1x2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x2x4xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x2x3xf32>)
  linalg.pooling_ncw_sum ins(%a, %k : memref<1x2x4xf32>, memref<2xf32>)
      outs(%b : memref<1x2x3xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x2x3xf32>
  return %v : f32
}
// -----
// linalg.pooling_ndhwc_max
func.func @pooling_ndhwc_max(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x2xf32>)
  linalg.pooling_ndhwc_max ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2xf32>)
      outs(%b : memref<1x3x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_ndhwc_min
func.func @pooling_ndhwc_min(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x2xf32>)
  linalg.pooling_ndhwc_min ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2xf32>)
      outs(%b : memref<1x3x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_ndhwc_sum
func.func @pooling_ndhwc_sum(%x: f32, %k: memref<2x2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x3x2xf32>)
  linalg.pooling_ndhwc_sum ins(%a, %k : memref<1x4x4x4x2xf32>, memref<2x2x2xf32>)
      outs(%b : memref<1x3x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0, %c0] : memref<1x3x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nhwc_max
func.func @pooling_nhwc_max(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2xf32>)
  linalg.pooling_nhwc_max ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2xf32>)
      outs(%b : memref<1x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nhwc_min
func.func @pooling_nhwc_min(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2xf32>)
  linalg.pooling_nhwc_min ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2xf32>)
      outs(%b : memref<1x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nhwc_sum
func.func @pooling_nhwc_sum(%x: f32, %k: memref<2x2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xf32>
  %b = memref.alloc() : memref<1x3x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x3x2xf32>)
  linalg.pooling_nhwc_sum ins(%a, %k : memref<1x4x4x2xf32>, memref<2x2xf32>)
      outs(%b : memref<1x3x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nhwc_max_unsigned
func.func @pooling_nhwc_max_unsigned(%x: i32, %k: memref<2x2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi32>
  %b = memref.alloc() : memref<1x3x3x2xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<1x4x4x2xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<1x3x3x2xi32>)
  linalg.pooling_nhwc_max_unsigned ins(%a, %k : memref<1x4x4x2xi32>, memref<2x2xi32>)
      outs(%b : memref<1x3x3x2xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xi32>
  return %v : i32
}
// -----
// linalg.pooling_nhwc_min_unsigned
func.func @pooling_nhwc_min_unsigned(%x: i32, %k: memref<2x2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x4x2xi32>
  %b = memref.alloc() : memref<1x3x3x2xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<1x4x4x2xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<1x3x3x2xi32>)
  linalg.pooling_nhwc_min_unsigned ins(%a, %k : memref<1x4x4x2xi32>, memref<2x2xi32>)
      outs(%b : memref<1x3x3x2xi32>)
  %v = memref.load %b[%c0, %c0, %c0, %c0] : memref<1x3x3x2xi32>
  return %v : i32
}
// -----
// linalg.pooling_nwc_max
func.func @pooling_nwc_max(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x2xf32>)
  linalg.pooling_nwc_max ins(%a, %k : memref<1x4x2xf32>, memref<2xf32>)
      outs(%b : memref<1x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nwc_min
func.func @pooling_nwc_min(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x2xf32>)
  linalg.pooling_nwc_min ins(%a, %k : memref<1x4x2xf32>, memref<2xf32>)
      outs(%b : memref<1x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nwc_sum
func.func @pooling_nwc_sum(%x: f32, %k: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xf32>
  %b = memref.alloc() : memref<1x3x2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<1x4x2xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<1x3x2xf32>)
  linalg.pooling_nwc_sum ins(%a, %k : memref<1x4x2xf32>, memref<2xf32>)
      outs(%b : memref<1x3x2xf32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xf32>
  return %v : f32
}
// -----
// linalg.pooling_nwc_max_unsigned
func.func @pooling_nwc_max_unsigned(%x: i32, %k: memref<2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xi32>
  %b = memref.alloc() : memref<1x3x2xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<1x4x2xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<1x3x2xi32>)
  linalg.pooling_nwc_max_unsigned ins(%a, %k : memref<1x4x2xi32>, memref<2xi32>)
      outs(%b : memref<1x3x2xi32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xi32>
  return %v : i32
}
// -----
// linalg.pooling_nwc_min_unsigned
func.func @pooling_nwc_min_unsigned(%x: i32, %k: memref<2xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x4x2xi32>
  %b = memref.alloc() : memref<1x3x2xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<1x4x2xi32>)
  linalg.fill ins(%x : i32) outs(%b : memref<1x3x2xi32>)
  linalg.pooling_nwc_min_unsigned ins(%a, %k : memref<1x4x2xi32>, memref<2xi32>)
      outs(%b : memref<1x3x2xi32>)
  %v = memref.load %b[%c0, %c0, %c0] : memref<1x3x2xi32>
  return %v : i32
}
