//! Diagnostics of the pass.

use memplan_mlir::codes;

codes! {
    SPLIT = "memplan-R413" {
        summary: "Operations were split: they run strip by strip, so that what is between them is never whole in memory",
        meaning: "With `remarks=true`, at each chain of such operations, and at each one that runs item by item. The message gives the number of operations, \
                  the number of strips with the rows of each, and the bytes that are copied between strips in a call.",
        advice: "Nothing. `max-copy`, `max-strips` and `max-code-growth` bound what splitting may cost.",
        example: "memplan-split{remarks=true}" => "\
func.func @f(%x: memref<64x64xf32>, %w: memref<64x8xf32>, %zero: f32) -> memref<64x8xf32> {
  %a = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%a : memref<64x64xf32>)
  %b = memref.alloc() : memref<64x8xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64x8xf32>)
  linalg.matmul ins(%a, %w : memref<64x64xf32>, memref<64x8xf32>) outs(%b : memref<64x8xf32>)
  return %b : memref<64x8xf32>
}",
    }
    WHOLE = "memplan-R414" {
        summary: "No operations of a function were split",
        meaning: "With `remarks=true`: no chain of operations was found that lowers the bytes of the plan, or all that \
                  were found cost more than the options allow. The message gives the most frequent reason.",
        advice: "Operations are split if they are structured operations of linalg, or copies, on memrefs of static size, or on items, \
                 and if nothing of unknown effects is between them.",
    }
}
