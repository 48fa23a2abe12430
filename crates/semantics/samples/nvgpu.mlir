// nvgpu.device_async_copy, nvgpu.device_async_create_group, nvgpu.device_async_wait
// compile: no
func.func @device_async_copy(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, 3>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %token = nvgpu.device_async_copy %a[%c0, %c0], %b[%c0, %c0], 4 : memref<4x4xf32> to memref<4x4xf32, 3>
  %group = nvgpu.device_async_create_group %token
  nvgpu.device_async_wait %group
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32, 3>
  return %v : f32
}
// -----
// nvgpu.device_async_wait: all groups but one
// compile: no
func.func @device_async_wait_groups(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, 3>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %first = nvgpu.device_async_copy %a[%c0, %c0], %b[%c0, %c0], 4 : memref<4x4xf32> to memref<4x4xf32, 3>
  %group = nvgpu.device_async_create_group %first
  %empty = nvgpu.device_async_create_group
  nvgpu.device_async_wait %empty {numGroups = 1 : i32}
  %v = memref.load %b[%c0, %c0] : memref<4x4xf32, 3>
  return %v : f32
}
// -----
// nvgpu.device_async_copy: never waited for
// compile: no
func.func @device_async_copy_never_awaited(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32, 3>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %token = nvgpu.device_async_copy %a[%c0, %c0], %b[%c0, %c0], 4 : memref<4x4xf32> to memref<4x4xf32, 3>
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// nvgpu.ldmatrix
// compile: no
func.func @ldmatrix(%x: f16) -> vector<4x2xf16> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32x32xf16, 3>
  memref.store %x, %a[%c0, %c0] : memref<32x32xf16, 3>
  %v = nvgpu.ldmatrix %a[%c0, %c0] {transpose = false, numTiles = 4 : i32} : memref<32x32xf16, 3> -> vector<4x2xf16>
  return %v : vector<4x2xf16>
}
// -----
// nvgpu.mbarrier.create, nvgpu.mbarrier.init, nvgpu.mbarrier.arrive, nvgpu.mbarrier.test.wait
// compile: no
func.func @mbarrier(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %barrier = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  nvgpu.mbarrier.init %barrier[%c0], %c128 : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  %token = nvgpu.mbarrier.arrive %barrier[%c0]
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
  %done = nvgpu.mbarrier.test.wait %barrier[%c0], %token
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, !nvgpu.mbarrier.token
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// nvgpu.mbarrier.arrive.nocomplete, nvgpu.mbarrier.arrive.expect_tx, nvgpu.mbarrier.try_wait.parity, nvgpu.mbarrier.get
// compile: no
func.func @mbarrier_parity(%x: f32,
    %barrier: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, %phase: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() : memref<4x4xf32>
  memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
  %token = nvgpu.mbarrier.arrive.nocomplete %barrier[%c0], %c128
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
  nvgpu.mbarrier.arrive.expect_tx %barrier[%c0], %c128
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  nvgpu.mbarrier.try_wait.parity %barrier[%c0], %phase, %c128
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  %pointer = nvgpu.mbarrier.get %barrier[%c0]
      : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> i32
  %v = memref.load %a[%c0, %c0] : memref<4x4xf32>
  return %v : f32
}
// -----
// nvgpu.tma.create.descriptor, nvgpu.tma.prefetch.descriptor, nvgpu.tma.fence.descriptor
// compile: no
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero,
    interleave = none>
func.func @tma_create_descriptor(%x: f16) -> f16 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64x64xf16>
  memref.store %x, %a[%c0, %c0] : memref<64x64xf16>
  %u = memref.cast %a : memref<64x64xf16> to memref<*xf16>
  %map = nvgpu.tma.create.descriptor %u box[%c64, %c64] : memref<*xf16> -> !map
  nvgpu.tma.prefetch.descriptor %map : !map
  nvgpu.tma.fence.descriptor %map : !map
  %v = memref.load %a[%c0, %c0] : memref<64x64xf16>
  return %v : f16
}
// -----
// nvgpu.tma.async.load
// compile: no
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero,
    interleave = none>
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
func.func @tma_async_load(%map: !map, %barrier: !barrier, %phase: i1) -> f16 {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() : memref<64x64xf16, 3>
  nvgpu.tma.async.load %map[%c0, %c0], %barrier[%c0] to %a : !map, !barrier -> memref<64x64xf16, 3>
  nvgpu.mbarrier.try_wait.parity %barrier[%c0], %phase, %c128 : !barrier
  %v = memref.load %a[%c0, %c0] : memref<64x64xf16, 3>
  return %v : f16
}
// -----
// nvgpu.tma.async.store
// compile: no
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero,
    interleave = none>
func.func @tma_async_store(%x: f16, %map: !map) -> f16 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64x64xf16, 3>
  memref.store %x, %a[%c0, %c0] : memref<64x64xf16, 3>
  nvgpu.tma.async.store %a to %map[%c0, %c0] : memref<64x64xf16, 3> -> !map
  %v = memref.load %a[%c0, %c0] : memref<64x64xf16, 3>
  return %v : f16
}
// -----
// nvgpu.warpgroup.generate.descriptor, nvgpu.warpgroup.mma, nvgpu.warpgroup.mma.store
// compile: no
!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero,
    interleave = none>
!mapb = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero,
    interleave = none>
func.func @warpgroup(%x: f16, %map: !map, %mapb: !mapb) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<128x64xf16, 3>
  %b = memref.alloc() : memref<64x64xf16, 3>
  %c = memref.alloc() : memref<128x64xf32, 3>
  memref.store %x, %a[%c0, %c0] : memref<128x64xf16, 3>
  memref.store %x, %b[%c0, %c0] : memref<64x64xf16, 3>
  %left = nvgpu.warpgroup.generate.descriptor %a, %map
      : memref<128x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
  %right = nvgpu.warpgroup.generate.descriptor %b, %mapb
      : memref<64x64xf16, 3>, !mapb -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  %zero = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
  %product = nvgpu.warpgroup.mma %left, %right, %zero
      : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>,
        !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>,
        !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
      -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
  nvgpu.warpgroup.mma.store %product, %c
      : !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> to memref<128x64xf32, 3>
  %v = memref.load %c[%c0, %c0] : memref<128x64xf32, 3>
  return %v : f32
}
