// func.func, func.call, func.return: to a function with a body
func.func private @reads(%m: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0, %c0] : memref<4x4xf32>
  func.return %v : f32
}
func.func @call(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = func.call @reads(%a) : (memref<4x4xf32>) -> f32
  func.return %v : f32
}
// -----
// func.call: to a declaration
func.func private @declared(memref<4x4xf32>)
func.func @call_declared(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  func.call @declared(%a) : (memref<4x4xf32>) -> ()
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// func.call: to a declaration that gives a memref
func.func private @declared(memref<4x4xf32>) -> memref<4x4xf32>
func.func @call_declared_result(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = func.call @declared(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// func.call: to a declaration that may store one argument in another
func.func private @declared(memref<1xmemref<4xf32>>, memref<4xf32>)
func.func @call_declared_nested(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%c0] : memref<4xf32>
  func.call @declared(%m, %a) : (memref<1xmemref<4xf32>>, memref<4xf32>) -> ()
  %t = memref.load %m[%c0] : memref<1xmemref<4xf32>>
  %v = memref.load %t[%c0] : memref<4xf32>
  return %v : f32
}
// -----
// func.call: to a function that gives its argument
func.func private @same(%m: memref<4x4xf32>) -> memref<4x4xf32> {
  return %m : memref<4x4xf32>
}
func.func @call_same(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = func.call @same(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// func.call: to a function that frees its argument
func.func private @frees(%m: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0, %c0] : memref<4x4xf32>
  memref.dealloc %m : memref<4x4xf32>
  return %v : f32
}
func.func @call_frees(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = func.call @frees(%a) : (memref<4x4xf32>) -> f32
  return %v : f32
}
// -----
// func.call_indirect, func.constant
func.func private @reads(%m: memref<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
func.func @call_indirect(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %f = func.constant @reads : (memref<4x4xf32>) -> f32
  %v = func.call_indirect %f(%a) : (memref<4x4xf32>) -> f32
  return %v : f32
}
// -----
// func.return: gives the memref
func.func @return_memref(%x: f32) -> memref<4x4xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  func.return %a : memref<4x4xf32>
}
