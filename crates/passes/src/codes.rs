//! What several passes say.

use memplan_mlir::{codes, codes::Reason};

pub use memplan_mlir::codes::{EXTENSION, INTERNAL, OPTION};

codes! {
    REPORT = "memplan-E003" {
        summary: "A report cannot be written",
        meaning: "The file that `report=FILE` names cannot be opened, for the reason that the system gives. Nothing has run.",
        advice: "Make its folder, or name another file; `-` is standard error.",
        example: "memplan-merge-alloc{report=/no/such/folder/plan.json}" => "module {}",
    }
    NEEDS_MODULE = "memplan-E004" {
        summary: "What is asked for touches more than one function",
        meaning: "The pass runs on a function by itself, where it must not look at others, as these may be changing at that \
                  moment. What an option asks for, or a call that has to be followed, is about several.",
        advice: "Schedule the pass on the module: `builtin.module(PASS)` in place of `builtin.module(func.func(PASS))`.",
        example: "func.func(memplan-merge-alloc{arena=arg})" => "func.func @f() {\n  return\n}",
    }
    NAME_TAKEN = "memplan-E005" {
        summary: "The name of the function that tells the size of an arena is taken",
        meaning: "With `arena=arg`, `@NAME_arena_size` tells the callers of `@NAME` how much memory to pass. Something else \
                  has that name.",
        advice: "Rename one of the two functions.",
    }
}

/// Why allocations are left alone, as lifetimes tell it.
pub fn left_alone() -> Vec<Reason> {
    let reasons = memplan_lifetimes::Reason::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: Some(reason.advice()),
    });
    reasons.collect()
}
