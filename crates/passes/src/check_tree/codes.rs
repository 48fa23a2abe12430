//! What the pass says.

use memplan_mlir::codes;

/// A block that is reached in two ways.
pub const JOINED: &str = "\
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}";

codes! {
    LOOP = "memplan-E721" {
        summary: "There is a loop",
        meaning: "`scf.for`, `affine.for`, `scf.while`, or blocks that lead back to each other.",
        advice: "Run `memplan-expand-loops` and `memplan-treeify` before.",
    }
    JOIN = "memplan-E722" {
        summary: "Ways join",
        meaning: "A block is reached in more than one way or has arguments, or an operation is a branch whose arms join \
                  behind it, such as `scf.if`.",
        advice: "Run `memplan-treeify` before.",
        example: "memplan-check-tree" => JOINED,
    }
    USELESS = "memplan-E723" {
        summary: "A block has no part in a tree",
        meaning: "It is never reached, or only goes on to another one.",
        advice: "Run `memplan-treeify` before, which leaves none of these.",
    }
    ANY_SIZE = "memplan-E724" {
        summary: "There is an allocation whose type does not tell its size",
        meaning: "Every value of a tree has its place before the run. If the size follows from constants, \
                  `memplan-treeify` gives the allocation a type that says so.",
        advice: "Run `memplan-treeify` before, or give the allocation a static shape.",
    }
}
