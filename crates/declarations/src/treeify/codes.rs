//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    TOO_MANY = "memplan-E711" {
        summary: "As a tree, a function would have too many operations",
        meaning: "Code that follows a branch is duplicated for each path, so the number of \
                  operations grows with the number of paths. The message gives that number, and \
                  the limit `max-ops`. Nothing was changed.",
        advice: "Raise `max-ops`, or use `memplan-tree-scan{virtual=true}`, which does not \
        duplicate code.",
    }
    CIRCLE = "memplan-E712" {
        summary: "Blocks form an unstructured loop",
        meaning: "A tree has no loops.",
        advice: "Write the loop as `scf.for` with constant bounds, and run \
        `memplan-expand-loops` first.",
    }
    LOWER_FIRST = "memplan-E713" {
        summary: "Another pass has to run first",
        meaning: "`memplan-expand-loops` expands loops, and `lower-affine` lowers `affine.if`.",
        advice: "Run the pass that the message names first, as `memplan-bounded-pipeline` does.",
    }
    WHILE = "memplan-E714" {
        summary: "A loop has no constant trip count",
        meaning: "`scf.while` has no constant trip count, and a tree has no loops.",
        advice: "Write it as an `scf.for` with the largest trip count that it can have, and run \
        `memplan-expand-loops` first.",
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
        summary: "A branch between blocks is not of the `cf` dialect",
        meaning: "Only `cf.br`, `cf.cond_br` and `cf.switch` are supported.",
        advice: "Run the pass before branches are lowered to another dialect.",
    }
}
