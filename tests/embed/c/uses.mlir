func.func @f(%x: memref<4x4xf32>, %y: memref<16xf32>, %z: f32) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %v = "npu.flat"(%a) : (memref<4x4xf32>) -> memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %t = "npu.start"(%y, %b) : (memref<16xf32>, memref<16xf32>) -> !npu.token
  memref.copy %v, %y : memref<16xf32> to memref<16xf32>
  "npu.wait"(%t) : (!npu.token) -> ()
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  %c = "npu.fetch"() : () -> memref<16xf32>
  memref.copy %c, %y : memref<16xf32> to memref<16xf32>
  %d = memref.alloc() : memref<16xf32>
  gpu.memset %d, %z : memref<16xf32>, f32
  "npu.late"() : () -> ()
  return
}
