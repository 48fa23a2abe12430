// xegpu.create_nd_tdesc, xegpu.load_nd
// compile: no
func.func @load_nd(%x: f32) -> vector<8x16xf32> {
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32x32xf32>)
  %d = xegpu.create_nd_tdesc %a : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
  %v = xegpu.load_nd %d[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  return %v : vector<8x16xf32>
}
// -----
// xegpu.create_nd_tdesc, xegpu.store_nd
// compile: no
func.func @store_nd(%x: vector<8x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32x32xf32>
  %d = xegpu.create_nd_tdesc %a : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
  xegpu.store_nd %x, %d[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
  %v = memref.load %a[%c0, %c0] : memref<32x32xf32>
  return %v : f32
}
// -----
// xegpu.prefetch_nd
// compile: no
func.func @prefetch_nd(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32x32xf32>)
  %d = xegpu.create_nd_tdesc %a : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
  xegpu.prefetch_nd %d[0, 0] : !xegpu.tensor_desc<8x16xf32>
  %v = memref.load %a[%c0, %c0] : memref<32x32xf32>
  return %v : f32
}
// -----
// xegpu.update_nd_offset
// compile: no
func.func @update_nd_offset(%x: f32) -> vector<8x16xf32> {
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32x32xf32>)
  %d = xegpu.create_nd_tdesc %a[0, 0] : memref<32x32xf32> -> !xegpu.tensor_desc<8x16xf32>
  %e = xegpu.update_nd_offset %d, [0, 16] : !xegpu.tensor_desc<8x16xf32>
  %v = xegpu.load_nd %e : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  return %v : vector<8x16xf32>
}
// -----
// xegpu.create_tdesc, xegpu.load
// compile: no
func.func @load(%x: f32) -> vector<4xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  %d = xegpu.create_tdesc %a, %at : memref<64xf32>, vector<4xindex>
      -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  %v = xegpu.load %d, %mask : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// xegpu.load: of a memref
// compile: no
func.func @load_memref(%x: f32) -> vector<4xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  %v = xegpu.load %a[%at], %mask : memref<64xf32>, vector<4xindex>, vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// xegpu.create_tdesc, xegpu.store
// compile: no
func.func @store(%x: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  %d = xegpu.create_tdesc %a, %at : memref<64xf32>, vector<4xindex>
      -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  xegpu.store %x, %d, %mask : vector<4xf32>, !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1>
  %v = memref.load %a[%c0] : memref<64xf32>
  return %v : f32
}
// -----
// xegpu.store: to a memref
// compile: no
func.func @store_memref(%x: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  xegpu.store %x, %a[%at], %mask : vector<4xf32>, memref<64xf32>, vector<4xindex>, vector<4xi1>
  %v = memref.load %a[%c0] : memref<64xf32>
  return %v : f32
}
// -----
// xegpu.prefetch
// compile: no
func.func @prefetch(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  xegpu.prefetch %a[%at] : memref<64xf32>, vector<4xindex>
  %v = memref.load %a[%c0] : memref<64xf32>
  return %v : f32
}
// -----
// xegpu.update_offset
// compile: no
func.func @update_offset(%x: f32) -> vector<4xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  %d = xegpu.create_tdesc %a, %at : memref<64xf32>, vector<4xindex>
      -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  %e = xegpu.update_offset %d, %at : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xindex>
  %v = xegpu.load %e, %mask : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1> -> vector<4xf32>
  return %v : vector<4xf32>
}
// -----
// xegpu.atomic_rmw
// compile: no
func.func @atomic_rmw(%x: f32, %y: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %at = arith.constant dense<[0, 16, 32, 48]> : vector<4xindex>
  %mask = arith.constant dense<true> : vector<4xi1>
  %d = xegpu.create_tdesc %a, %at : memref<64xf32>, vector<4xindex>
      -> !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>
  %old = xegpu.atomic_rmw addf %d, %mask, %y
      : !xegpu.tensor_desc<4xf32, #xegpu.scatter_tdesc_attr<>>, vector<4xi1>, vector<4xf32> -> vector<4xf32>
  %v = memref.load %a[%c0] : memref<64xf32>
  return %v : f32
}
// -----
// xegpu.create_mem_desc, xegpu.load_matrix, xegpu.store_matrix
// compile: no
func.func @load_matrix(%x: vector<8x16xf16>) -> vector<8x16xf16> {
  %a = memref.alloc() : memref<32x64xf16, 3>
  %d = xegpu.create_mem_desc %a : memref<32x64xf16, 3> -> !xegpu.mem_desc<32x64xf16>
  xegpu.store_matrix %x, %d[0, 0] : vector<8x16xf16>, !xegpu.mem_desc<32x64xf16>
  %v = xegpu.load_matrix %d[0, 0] : !xegpu.mem_desc<32x64xf16> -> vector<8x16xf16>
  return %v : vector<8x16xf16>
}
// -----
// xegpu.alloc_nbarrier, xegpu.init_nbarrier, xegpu.nbarrier_arrive, xegpu.nbarrier_wait
// compile: no
func.func @nbarrier(%x: f32, %id: i8, %threads: i8) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32x32xf32>)
  xegpu.alloc_nbarrier 8
  %barrier = xegpu.init_nbarrier %id, %threads : i8, i8 -> !xegpu.nbarrier
  xegpu.nbarrier_arrive %barrier : !xegpu.nbarrier
  xegpu.nbarrier_wait %barrier : !xegpu.nbarrier
  %v = memref.load %a[%c0, %c0] : memref<32x32xf32>
  return %v : f32
}
// -----
// xegpu.fence
// compile: no
func.func @fence(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<32x32xf32>)
  xegpu.fence memory_kind = global, fence_scope = workgroup
  %v = memref.load %a[%c0, %c0] : memref<32x32xf32>
  return %v : f32
}
