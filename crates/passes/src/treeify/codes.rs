//! What the pass says.

use memplan_mlir::codes;

codes! {
    TOO_MANY = "memplan-E711" {
        summary: "As a tree, a function would have too many operations",
        meaning: "What follows a branch is written once for each way, so that operations grow with the number of paths. The \
                  message says how many they would be, and what `max-ops` allows. Nothing was changed.",
        advice: "Raise `max-ops`, or follow the program as it is with `memplan-tree-scan{virtual=true}`.",
    }
    CIRCLE = "memplan-E712" {
        summary: "Blocks lead back to each other",
        meaning: "A loop of blocks has no last turn that a tree could end in.",
        advice: "Write the loop as `scf.for` of constant bounds, and run `memplan-expand-loops` before.",
    }
    LOWER_FIRST = "memplan-E713" {
        summary: "Another pass has to run first",
        meaning: "Loops are for `memplan-expand-loops`, and `affine.if` is for `lower-affine`.",
        advice: "Run the pass that the message names before, as `memplan-bounded-pipeline` does.",
    }
    WHILE = "memplan-E714" {
        summary: "A loop has no constant trip count",
        meaning: "`scf.while` may turn any number of times, and a tree has no loops.",
        advice: "Write it as an `scf.for` of the most turns that it can take, and run `memplan-expand-loops` before.",
        example: "memplan-treeify" => "\
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}",
    }
    BRANCH = "memplan-E715" {
        summary: "A branch between blocks is not one of `cf`",
        meaning: "How its targets take what they are given is known of `cf.br`, `cf.cond_br` and `cf.switch` alone.",
        advice: "Run the pass before branches are lowered to another dialect.",
    }
}
