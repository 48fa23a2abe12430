//! Diagnostics that several passes share.

use memplan_interface::{SkipReason, codes, codes::Reason};

pub use memplan_interface::codes::{EXTENSION, INTERNAL, OPTION, REPORT};

codes! {
    UNBUFFERIZED = "memplan-W001" {
        summary: "A program is on tensors",
        meaning: "Passes of memplan plan and free memory, that is, memrefs. A tensor has no memory until the program is \
                  bufferized, so the pass does nothing for it. The warning is at the first tensor: an operation \
                  that has it as a result, or a function that has it as an argument.",
        advice: "Run MLIR's `one-shot-bufferize{bufferize-function-boundaries}` before, or what lowers your dialects to memrefs.",
        example: "memplan" => "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n  return %x : tensor<8xf32>\n}",
    }
    NEEDS_MODULE = "memplan-E004" {
        summary: "An option or a call concerns more than one function",
        meaning: "A pass that is scheduled on functions must not inspect other functions, as \
                  other threads may change them. The option, or the call that has to be \
                  followed, concerns several.",
        advice: "Schedule the pass on the module: `builtin.module(PASS)` in place of `builtin.module(func.func(PASS))`.",
        example: "func.func(memplan-merge-alloc{arena=arg})" => "func.func @f() {\n  return\n}",
    }
    NAME_TAKEN = "memplan-E005" {
        summary: "The name of the arena size function is taken",
        meaning: "With `arena=arg`, `@NAME_arena_size` returns how much memory callers of \
                  `@NAME` have to pass. Another symbol has that name.",
        advice: "Rename one of the two symbols.",
    }
}

/// The reasons of the lifetime analysis to skip allocations.
pub fn skip_reasons() -> Vec<Reason> {
    let reasons = SkipReason::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: Some(reason.advice()),
    });
    reasons.collect()
}
