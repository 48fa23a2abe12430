// Two buffers that can share bytes, a transfer that goes on while another one is filled, and memory of a device.
func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %token = "npu.start"(%x, %a) : (memref<64xf32>, memref<64xf32>) -> !npu.token
  %b = memref.alloc() : memref<64xf32>
  memref.copy %y, %b : memref<64xf32> to memref<64xf32>
  memref.copy %b, %x : memref<64xf32> to memref<64xf32>
  "npu.wait"(%token) : (!npu.token) -> ()
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  memref.copy %x, %c : memref<64xf32> to memref<64xf32>
  memref.copy %c, %y : memref<64xf32> to memref<64xf32>
  %d = "npu.fetch"() : () -> memref<64xf32>
  memref.copy %d, %x : memref<64xf32> to memref<64xf32>
  return
}
