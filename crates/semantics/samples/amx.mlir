// amx.tile_load, amx.tile_store
// compile: +amx-tile
func.func @tile_load(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf32>
  %b = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16x16xf32>)
  %tile = amx.tile_load %a[%c0, %c0] : memref<16x16xf32> into !amx.tile<16x16xf32>
  amx.tile_store %b[%c0, %c0], %tile : memref<16x16xf32>, !amx.tile<16x16xf32>
  %v = memref.load %b[%c0, %c0] : memref<16x16xf32>
  return %v : f32
}
