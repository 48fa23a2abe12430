//! What the pass says.

use memplan_interface::codes;

/// A block with several predecessors.
pub const JOINED: &str = "\
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}";

codes! {
    LOOP = "memplan-E721" {
        summary: "A function has a loop",
        meaning: "`scf.for`, `affine.for`, `scf.while`, or an unstructured loop of blocks.",
        advice: "Run `memplan-expand-loops` and `memplan-treeify` first.",
    }
    JOIN = "memplan-E722" {
        summary: "Control flow merges",
        meaning: "A block has several predecessors or has arguments, or the arms of an \
                  operation such as `scf.if` merge after it.",
        advice: "Run `memplan-treeify` first.",
        example: "memplan-check-tree" => JOINED,
    }
    USELESS = "memplan-E723" {
        summary: "A block does not belong in a tree",
        meaning: "It is unreachable, or it only branches to another block.",
        advice: "Run `memplan-treeify` first, which removes such blocks.",
    }
    ANY_SIZE = "memplan-E724" {
        summary: "An allocation has a dynamic size",
        meaning: "Every value of a tree has a fixed offset. If the size is computed from \
                  constants, `memplan-treeify` makes the type static.",
        advice: "Run `memplan-treeify` first, or give the allocation a static shape.",
    }
}
