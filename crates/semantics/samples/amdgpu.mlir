// amdgpu.fat_raw_buffer_cast
// compile: no
func.func @fat_raw_buffer_cast(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %t = amdgpu.fat_raw_buffer_cast %a : memref<4x4xf32> to memref<4x4xf32, #amdgpu.address_space<fat_raw_buffer>>
  %v = memref.load %t[%c0, %c0] : memref<4x4xf32, #amdgpu.address_space<fat_raw_buffer>>
  return %v : f32
}
// -----
// amdgpu.raw_buffer_load, amdgpu.raw_buffer_store
// compile: no
func.func @raw_buffer_load(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x4xf32>
  %i = arith.constant 0 : i32
  amdgpu.raw_buffer_store %x -> %a[%i, %i] : f32 -> memref<4x4xf32>, i32, i32
  %v = amdgpu.raw_buffer_load %a[%i, %i] : memref<4x4xf32>, i32, i32 -> f32
  return %v : f32
}
// -----
// amdgpu.raw_buffer_atomic_fadd
// compile: no
func.func @raw_buffer_atomic_fadd(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %i = arith.constant 0 : i32
  amdgpu.raw_buffer_atomic_fadd %x -> %a[%i, %i] : f32 -> memref<4x4xf32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// amdgpu.raw_buffer_atomic_fmax
// compile: no
func.func @raw_buffer_atomic_fmax(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  %i = arith.constant 0 : i32
  amdgpu.raw_buffer_atomic_fmax %x -> %a[%i, %i] : f32 -> memref<4x4xf32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// amdgpu.raw_buffer_atomic_smax
// compile: no
func.func @raw_buffer_atomic_smax(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  %i = arith.constant 0 : i32
  amdgpu.raw_buffer_atomic_smax %x -> %a[%i, %i] : i32 -> memref<4x4xi32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xi32>
  return %v : i32
}
// -----
// amdgpu.raw_buffer_atomic_umin
// compile: no
func.func @raw_buffer_atomic_umin(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  %i = arith.constant 0 : i32
  amdgpu.raw_buffer_atomic_umin %x -> %a[%i, %i] : i32 -> memref<4x4xi32>, i32, i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xi32>
  return %v : i32
}
// -----
// amdgpu.raw_buffer_atomic_cmpswap
// compile: no
func.func @raw_buffer_atomic_cmpswap(%x: i32) -> i32 {
  %a = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%x : i32) outs(%a : memref<4x4xi32>)
  %i = arith.constant 0 : i32
  %v = amdgpu.raw_buffer_atomic_cmpswap %x, %x -> %a[%i, %i] : i32 -> memref<4x4xi32>, i32, i32
  return %v : i32
}
// -----
// amdgpu.make_dma_base, amdgpu.make_dma_descriptor, amdgpu.tensor_load_to_lds, amdgpu.memory_counter_wait
// compile: no
func.func @tensor_load_to_lds(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x64xi32>
  %b = memref.alloc() : memref<64x64xi32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<64x64xi32>
  %base = amdgpu.make_dma_base %a[%c0, %c0], %b[%c0, %c0]
      : memref<64x64xi32>, memref<64x64xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<i32>
  %descriptor = amdgpu.make_dma_descriptor %base globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64]
      : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  amdgpu.tensor_load_to_lds %descriptor : !amdgpu.tdm_descriptor
  amdgpu.memory_counter_wait tensor(0)
  %v = memref.load %b[%c0, %c0] : memref<64x64xi32, #gpu.address_space<workgroup>>
  return %v : i32
}
// -----
// amdgpu.make_dma_base, amdgpu.make_dma_descriptor, amdgpu.tensor_store_from_lds, amdgpu.memory_counter_wait
// compile: no
func.func @tensor_store_from_lds(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x64xi32>
  %b = memref.alloc() : memref<64x64xi32, #gpu.address_space<workgroup>>
  memref.store %x, %b[%c0, %c0] : memref<64x64xi32, #gpu.address_space<workgroup>>
  %base = amdgpu.make_dma_base %a[%c0, %c0], %b[%c0, %c0]
      : memref<64x64xi32>, memref<64x64xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<i32>
  %descriptor = amdgpu.make_dma_descriptor %base globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64]
      : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  amdgpu.tensor_store_from_lds %descriptor : !amdgpu.tdm_descriptor
  amdgpu.memory_counter_wait tensor(0)
  %v = memref.load %a[%c0, %c0] : memref<64x64xi32>
  return %v : i32
}
// -----
// amdgpu.make_gather_dma_base, amdgpu.make_gather_dma_descriptor
// compile: no
func.func @make_gather_dma_base(%x: i32, %rows: vector<8xi16>) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x64xi32>
  %b = memref.alloc() : memref<64x64xi32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<64x64xi32>
  %base = amdgpu.make_gather_dma_base %a[%c0, %c0], %b[%c0, %c0]
      : memref<64x64xi32>, memref<64x64xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_gather_base<i32, i16>
  %descriptor = amdgpu.make_gather_dma_descriptor %base[%rows] globalSize [64, 64] globalStride [64,
      1] sharedSize [64, 64]
      : !amdgpu.tdm_gather_base<i32, i16>, vector<8xi16> -> !amdgpu.tdm_descriptor
  amdgpu.tensor_load_to_lds %descriptor : !amdgpu.tdm_descriptor
  amdgpu.memory_counter_wait tensor(0)
  %v = memref.load %b[%c0, %c0] : memref<64x64xi32, #gpu.address_space<workgroup>>
  return %v : i32
}
// -----
// amdgpu.gather_to_lds, amdgpu.memory_counter_wait
// compile: no
func.func @gather_to_lds(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  amdgpu.gather_to_lds %a[%c0, %c0], %b[%c0, %c0]
      : f32, memref<4x4xf32>, memref<4x4xf32, #gpu.address_space<workgroup>>
  amdgpu.memory_counter_wait load(0)
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32, #gpu.address_space<workgroup>>
  return %v : f32
}
// -----
// amdgpu.transpose_load
// compile: no
func.func @transpose_load(%x: f16) -> vector<4xf16> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<128x256xf16, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<128x256xf16, #gpu.address_space<workgroup>>
  %v = amdgpu.transpose_load %a[%c0, %c0] : memref<128x256xf16, #gpu.address_space<workgroup>> -> vector<4xf16>
  return %v : vector<4xf16>
}
// -----
// amdgpu.dpp
// compile: no
func.func @dpp(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %r = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %v = amdgpu.dpp %r %x row_shl(0x1 : i32) : f32
  return %v : f32
}
// -----
// amdgpu.lds_barrier
// compile: no
func.func @lds_barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32, #gpu.address_space<workgroup>>
  amdgpu.lds_barrier
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32, #gpu.address_space<workgroup>>
  return %v : f32
}
// -----
// amdgpu.sched_barrier
// compile: no
func.func @sched_barrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  amdgpu.sched_barrier allow = <none>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// amdgpu.gather_to_lds: never waited for
// compile: no
func.func @gather_to_lds_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  amdgpu.gather_to_lds %a[%c0, %c0], %b[%c0, %c0] : f32, memref<4x4xf32>,
      memref<4x4xf32, #gpu.address_space<workgroup>>
  return %v : f32
}
