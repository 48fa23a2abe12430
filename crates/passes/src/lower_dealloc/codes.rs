//! What the pass says.

use memplan_mlir::codes;

codes! {
    MIXED_ALLOCATORS = "memplan-E401" {
        summary: "`bufferization.dealloc` frees memory of different allocators",
        meaning: "What `gpu.alloc` made is freed by `gpu.dealloc`, and what `memref.alloc` made by `memref.dealloc`. A memref \
                  of the operation may be either, as only the run knows.",
        advice: "Free the two apart, or allocate both in the same way.",
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
