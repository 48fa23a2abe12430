//! What the pass says.

use memplan_mlir::codes;

codes! {
    TOO_MANY = "memplan-E701" {
        summary: "With its loops written out, a function would have too many operations",
        meaning: "The message says how many, and what `max-ops` allows. Nothing was changed.",
        advice: "Raise `max-ops`, or follow the program as it is with `memplan-tree-scan{virtual=true}`.",
        example: "memplan-expand-loops{max-ops=5}" => "\
func.func @f(%m: memref<9xf32>, %v: f32) {
  affine.for %i = 0 to 9 {
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}",
    }
    CIRCLE = "memplan-R701" {
        summary: "Blocks of a function lead back to each other, and nothing is written out",
        meaning: "A loop of blocks stays, and so do the loops in the function.",
        advice: "Write the loop as `scf.for`, or run `lift-cf-to-scf` before.",
    }
}
