// Operations that memplan-expand-ops expands, with values that the caller prints.
func.func @softmax(%x: memref<2x3x4xf32>, %y: memref<2x3x4xf32>) attributes {llvm.emit_c_interface} {
  linalg.softmax dimension(1) ins(%x: memref<2x3x4xf32>) outs(%y: memref<2x3x4xf32>)
  return
}
func.func @softmax_in_place(%x: memref<?x?xf64>) attributes {llvm.emit_c_interface} {
  linalg.softmax dimension(1) ins(%x: memref<?x?xf64>) outs(%x: memref<?x?xf64>)
  return
}
func.func @softmax_temp(%x: memref<2x8xf32>, %y: memref<2x8xf32>) attributes {llvm.emit_c_interface} {
  %t = memref.alloc() : memref<2x8xf32>
  %u = memref.alloc() : memref<2x8xf32>
  linalg.softmax dimension(1) ins(%x: memref<2x8xf32>) outs(%t: memref<2x8xf32>)
  linalg.softmax dimension(0) ins(%t: memref<2x8xf32>) outs(%u: memref<2x8xf32>)
  memref.copy %u, %y : memref<2x8xf32> to memref<2x8xf32>
  return
}
func.func @pad(%x: memref<4x4xf32>, %y: memref<8x8xf32>) attributes {llvm.emit_c_interface} {
  %t = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %t : memref<4x4xf32> to memref<4x4xf32>
  %s = memref.subview %y[2,1] [4,4] [1,1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 17>>
  memref.copy %t, %s : memref<4x4xf32> to memref<4x4xf32, strided<[8, 1], offset: 17>>
  return
}
func.func @scan(%x: memref<8xf32>, %y: memref<8xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.load %x[%c0] : memref<8xf32>, vector<8xf32>
  %i = vector.broadcast %z : f32 to vector<f32>
  %r:2 = vector.scan <add>, %v, %i {inclusive = false, reduction_dim = 0 : i64} : vector<8xf32>, vector<f32>
  vector.store %r#0, %y[%c0] : memref<8xf32>, vector<8xf32>
  return
}
func.func @empty() { return }
func.func @clone(%x: memref<4x4xf32, strided<[1, 4]>>, %n: memref<4x4xf32>) attributes {llvm.emit_c_interface} {
  %t = bufferization.clone %x : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
  memref.copy %t, %n : memref<4x4xf32> to memref<4x4xf32>
  return
}
func.func @zero(%n: index, %x: memref<?xf32>) -> index attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%c0) : memref<?xf32>
  %s = memref.subview %x[0] [%c0] [2] : memref<?xf32> to memref<?xf32, strided<[2]>>
  memref.copy %a, %s : memref<?xf32> to memref<?xf32, strided<[2]>>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %d : index
}
