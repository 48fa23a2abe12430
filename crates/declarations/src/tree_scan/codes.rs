//! Diagnostics of the pass.

use crate::codes::skip_reasons;
use memplan_interface::{codes, codes::Reason};

/// No layout of the function was found.
pub const NO_ONE_PLACE: Reason = Reason {
    id: "no-one-place",
    text: "no single offset for each value is right on all paths, or there are too many paths to follow",
    advice: Some("use memplan-bounded-pipeline, which duplicates code"),
};

codes! {
    ARGUMENT = "memplan-E802" {
        summary: "A function cannot take its stack as an argument",
        meaning: "With `arena=arg`, the type of the function changes. It has to be a \
                  `func.func` without uses in the module.",
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
        summary: "A function cannot hold stack memory",
        meaning: "`memref.alloca` needs a parent operation with the trait \
                  `AutomaticAllocationScope`, which some functions lack, such as \
                  `ml_program.func`.",
        advice: "Use `arena=alloc`, or `func.func`.",
    }
    BLOCKS = "memplan-E803" {
        summary: "`virtual=true` does not support branches between blocks",
        meaning: "It supports the structured branches and loops of `scf` and `affine`.",
        advice: "Run the pass before `convert-scf-to-cf`, or without `virtual=true` after \
        `memplan-treeify`.",
    }
    TRIP_COUNT = "memplan-E804" {
        summary: "The trip count of a loop is not constant",
        meaning: "With `virtual=true`, paths are followed through the iterations of loops. The \
                  loop is an `scf.while`, or a bound or the step is not constant; the message \
                  says which.",
        advice: "`memplan-check-bounded` reports the cause for each loop.",
    }
    TOO_LARGE = "memplan-E805" {
        summary: "The values together have more bytes than offsets can express",
        meaning: "All sizes, rounded up to the strictest alignment, add up to more than 2^62 \
        bytes.",
        advice: "Allocate less: no machine has that much memory.",
    }
    TOO_MANY_PATHS = "memplan-E806" {
        summary: "Too many different paths",
        meaning: "With `virtual=true`, the analysis keeps a state at each position for each set \
                  of paths that arrive with different memory, or with different iterations of \
                  loops. The number of states is bounded, and this function exceeds the bound.",
        advice: "Expand the paths with `memplan-bounded-pipeline`, if they are few, or plan \
        with `memplan-merge-alloc`.",
    }
    LAYOUT = "memplan-R801" {
        summary: "Stack size of a function",
        meaning: "With `remarks=true`: the size of the chosen stack and of those of the other \
                  modes, and the bytes that the worst path moves. The most bytes that are live \
                  at once bound every stack from below.",
        advice: "Nothing. `report=FILE` has the same for each path.",
    }
    LEFT = "memplan-R802" {
        summary: "An allocation is skipped",
        meaning: "With `remarks=true`: the allocation is not on the stack. The message gives \
                  the reason; the attribute `memplan.skip` and reports give its id.",
        advice: "The list below has the advice for each reason.",
        reasons: skip_reasons,
    }
    UNCHANGED = "memplan-R803" {
        summary: "`virtual=true` changed nothing",
        meaning: "No stack was found with one offset for each value on all paths, or there are \
                  too many different paths. The message says which.",
        advice: "Expand the paths with `memplan-bounded-pipeline`.",
        reasons: || vec![NO_ONE_PLACE],
    }
}
