// rocdl.barrier
// compile: no
func.func @barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  rocdl.barrier
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
