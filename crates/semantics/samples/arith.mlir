// arith.select
func.func @select(%x: f32, %y: memref<4x4xf32>, %which: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = arith.select %which, %a, %y : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// arith.bitcast
func.func @bitcast(%x: f32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = arith.bitcast %a : memref<4x4xf32> to memref<4x4xi32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xi32>
  return %v : i32
}
// -----
// arith.index_cast
func.func @index_cast(%x: i64) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi64>
  memref.store %x, %a[%c0, %c0] : memref<4x4xi64>
  %t = arith.index_cast %a : memref<4x4xi64> to memref<4x4xindex>
  %v = memref.load %t[%c0, %c0] : memref<4x4xindex>
  return %v : index
}
// -----
// arith.index_castui
func.func @index_castui(%x: i64) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi64>
  memref.store %x, %a[%c0, %c0] : memref<4x4xi64>
  %t = arith.index_castui %a : memref<4x4xi64> to memref<4x4xindex>
  %v = memref.load %t[%c0, %c0] : memref<4x4xindex>
  return %v : index
}
// -----
// arith.constant
func.func @constant() -> f32 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
