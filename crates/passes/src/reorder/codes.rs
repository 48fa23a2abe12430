//! What the pass says.

use memplan_mlir::codes;

codes! {
    REORDERED = "memplan-R411" {
        summary: "The operations of a block have another order, in which fewer bytes are live at once",
        meaning: "With `remarks=true`: the message says how many bytes are live at once now and were before, and how many \
                  are in any order of the block's operations that keeps what depends on what.",
        advice: "Nothing has to be done. Where the order is not proven to be the best, `effort=thorough` looks further.",
        example: "memplan-reorder{remarks=true}" => "\
func.func @f(%v: f32, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  memref.copy %a, %y : memref<8xf32> to memref<8xf32>
  memref.copy %b, %y : memref<8xf32> to memref<8xf32>
  return
}",
    }
    KEPT = "memplan-R412" {
        summary: "The operations of a block stay in the order that they have",
        meaning: "With `remarks=true`: the message says why. The order is the best that there is; or none that is better was \
                  found; or one that is better for the block leaves as many bytes live at once in the function.",
        advice: "Where no better order was found, but there may be one, `effort=thorough` looks further. What must stay in \
                 order is what depends on each other through values or memory, what others can see, and what may stop the \
                 program: fewer assertions and calls leave more choice.",
    }
}
