// bufferization.clone
func.func @clone(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = bufferization.clone %a : memref<4x4xf32> to memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// bufferization.to_tensor
// compile: no
func.func @to_tensor(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = bufferization.to_tensor %a : memref<4x4xf32> to tensor<4x4xf32>
  %v = tensor.extract %t[%c0, %c0] : tensor<4x4xf32>
  return %v : f32
}
// -----
// bufferization.to_buffer
// compile: no
func.func @to_buffer(%x: tensor<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %m = bufferization.to_buffer %x : tensor<4x4xf32> to memref<4x4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %m, %a : memref<4x4xf32> to memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// bufferization.to_buffer, bufferization.to_tensor: there and back
func.func @to_tensor_and_back(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = bufferization.to_tensor %a restrict : memref<4x4xf32> to tensor<4x4xf32>
  %m = bufferization.to_buffer %t read_only : tensor<4x4xf32> to memref<4x4xf32>
  %v = memref.load %m[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// bufferization.materialize_in_destination
// compile: no
func.func @materialize_in_destination(%x: f32, %y: tensor<4x4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  bufferization.materialize_in_destination %y in restrict writable %a : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// bufferization.dealloc
func.func @dealloc(%x: f32, %owned: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  bufferization.dealloc (%a : memref<4x4xf32>) if (%owned)
  return %v : f32
}
// -----
// bufferization.dealloc: retains another
func.func @dealloc_retains(%x: f32, %y: memref<4x4xf32>, %owned: i1) -> (memref<4x4xf32>, i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = arith.select %owned, %a, %y : memref<4x4xf32>
  %kept = bufferization.dealloc (%a : memref<4x4xf32>) if (%owned) retain (%t : memref<4x4xf32>)
  return %t, %kept : memref<4x4xf32>, i1
}
