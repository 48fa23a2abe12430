//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    REORDERED = "memplan-R411" {
        summary: "The operations of a block were reordered, so that fewer bytes are live at once",
        meaning: "With `remarks=true`: the message gives the most bytes live at once after and \
                  before, and a lower bound for any order of the block's operations that \
                  respects their dependences.",
        advice: "Nothing. If the order is not proven optimal, `effort=thorough` searches \
        further.",
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
        summary: "The operations of a block keep their order",
        meaning: "With `remarks=true`: the message gives the reason. The order is optimal, or \
                  no better one was found, or a better order of the block would not lower the \
                  number of bytes live at once in the function.",
        advice: "If a better order may exist, `effort=thorough` searches further. The order is \
                 constrained by dependences through values and memory, by visible side effects, \
                 and by operations that may stop the program: fewer assertions and calls allow \
                 more orders.",
    }
}
