//! What the pass says.

use crate::codes::left_alone;
use memplan_mlir::codes;

codes! {
    ARGUMENT = "memplan-E802" {
        summary: "A function cannot take its stack as an argument",
        meaning: "With `arena=arg`, the type of the function changes: it has to be a `func.func`, and nothing in the module \
                  may use it.",
        advice: "Use `arena=alloc` or `arena=alloca`, or inline the function where it is used.",
        example: "memplan-tree-scan{arena=arg}" => "\
func.func @f() {
  return
}
func.func @g() {
  call @f() : () -> ()
  return
}",
    }
    NO_SCOPE = "memplan-E807" {
        summary: "A function is no scope of stack memory",
        meaning: "`memref.alloca` needs an operation around it that is a scope of stack memory, and some that are like functions are \
                  none, such as `ml_program.func`.",
        advice: "Use `arena=alloc`, or `func.func`.",
    }
    BLOCKS = "memplan-E803" {
        summary: "`virtual=true` does not follow blocks",
        meaning: "It follows branches and loops of `scf` and `affine` as they are.",
        advice: "Run the pass before `convert-scf-to-cf`, or without `virtual=true` behind `memplan-treeify`.",
    }
    TURNS = "memplan-E804" {
        summary: "The turns of a loop cannot be counted",
        meaning: "With `virtual=true`, paths are followed through the turns of loops. This is `scf.while`, or a bound or the \
                  step does not follow from constants; the message says which.",
        advice: "`memplan-check-bounded` says of all loops what they lack.",
    }
    TOO_LARGE = "memplan-E805" {
        summary: "The values together have more bytes than places can tell",
        meaning: "All sizes, rounded up to the strictest alignment, come to more than 2^62 bytes.",
        advice: "Allocate less: no machine has that.",
    }
    TOO_VARIED = "memplan-E806" {
        summary: "Paths differ in too many ways to follow all of them",
        meaning: "With `virtual=true`, what is live at one place is kept for each way in which paths come there with other \
                  memory, or turns of loops with other turns. That is bounded, and these are more.",
        advice: "Write the paths out with `memplan-bounded-pipeline`, if they are few, or plan with `memplan-merge-alloc`.",
    }
    LAYOUT = "memplan-R801" {
        summary: "How high the stack of a function is",
        meaning: "With `remarks=true`: the stack that was chosen, the stacks of the other ways to place values, the most \
                  bytes that are live at once, which no stack is below, and what the worst path moves.",
        advice: "Nothing. `report=FILE` has the same for each path.",
    }
    LEFT = "memplan-R802" {
        summary: "An allocation is left alone",
        meaning: "With `remarks=true`: the allocation has no place on the stack. The message gives the reason; the attribute \
                  `memplan.skip` and reports give its id.",
        advice: "The list below says what would help.",
        reasons: left_alone,
    }
    UNCHANGED = "memplan-R803" {
        summary: "With `virtual=true`, nothing is changed",
        meaning: "No stack was found in which one place for each value does for all paths, or the paths differ in too many \
                  ways to follow them all. The message says which.",
        advice: "Write the paths out: `memplan-bounded-pipeline`.",
    }
}
