// shard.all_reduce
// compile: no
shard.grid @grid(shape = 2x2)
func.func @all_reduce(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = shard.all_reduce %a on @grid grid_axes = [0] : memref<4x4xf32> -> memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// shard.update_halo
// compile: no
shard.grid @grid(shape = 2x2)
func.func @update_halo(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = shard.update_halo %a on @grid split_axes = [[0]] halo_sizes = [1, 1] : memref<4x4xf32>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
