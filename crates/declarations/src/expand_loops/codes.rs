//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    TOO_MANY = "memplan-E701" {
        summary: "With its loops expanded, a function would have too many operations",
        meaning: "The message gives the number of operations, and the limit `max-ops`. Nothing \
        was changed.",
        advice: "Raise `max-ops`, or use `memplan-tree-scan{virtual=true}`, which does not \
        expand loops.",
        example: "memplan-expand-loops{max-ops=5}" => "\
func.func @f(%m: memref<9xf32>, %v: f32) {
  affine.for %i = 0 to 9 {
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}",
    }
    CIRCLE = "memplan-R701" {
        summary: "A function has an unstructured loop and is not expanded",
        meaning: "The loops of the function stay as they are.",
        advice: "Write the loop as `scf.for`, or run `lift-cf-to-scf` first.",
    }
}
