//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    SPLIT = "memplan-R413" {
        summary: "Operations were split: they run strip by strip, so that what is between them is never whole in memory",
        meaning: "With `remarks=true`, at each chain of such operations, and at each one that runs item by item. The message \
                  gives the number of operations, and the loop that is split. Then come the strips, with the rows and the \
                  operations of each, and line buffers, with the bytes that are copied between strips in a call. It says \
                  how long the strips take by the model of time, as a part of what the operations took. The bytes that the \
                  operations hold count what is live around the chain. The last number is a bound: no plan with strips takes \
                  less, in this order of operations and without repeated ones.",
        advice: "Nothing. `max-copy`, `max-strips`, `max-code-growth` and `strip-cost` bound what splitting may cost.",
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
        summary: "Operations at the peak were not split",
        meaning: "With `remarks=true`, at the operation where the most bytes are held once chains are split, if it is in no \
                  chain. The message names the largest buffer there that stays whole, and why no chain has it in strips. \
                  There is a reason for each loop of the last operation that uses it, each once. Without a chain, the \
                  message may also give the option that no chain met.",
        advice: "Operations are split if they are structured operations of linalg, copies, or loops over elements. Their memrefs have a \
                 static size, or they run along items or a length. Nothing of unknown effects may be between them.",
        example: "memplan-split{remarks=true}" => "\
func.func @f(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %a = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (4095 - i)>, affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]}
    ins(%a : memref<4096xf32>) outs(%y : memref<4096xf32>) {
  ^bb0(%one: f32, %out: f32):
    linalg.yield %one : f32
  }
  return
}",
    }
}
