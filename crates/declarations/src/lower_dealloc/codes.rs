//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    MIXED_ALLOCATORS = "memplan-E401" {
        summary: "`bufferization.dealloc` frees memory of different allocators",
        meaning: "Memory of `gpu.alloc` is freed by `gpu.dealloc`, memory of `memref.alloc` by \
                  `memref.dealloc`. A memref of the operation may be either, which is known \
                  only at run time.",
        advice: "Free the two separately, or allocate both with the same operation.",
        example: "memplan-lower-dealloc" => "\
func.func @f(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  bufferization.dealloc (%s : memref<8xf32>) if (%c)
  return
}",
    }
}
