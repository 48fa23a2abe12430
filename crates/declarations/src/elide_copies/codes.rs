//! Diagnostics of the pass.

use super::refusal::Refusal;
use memplan_interface::{codes, codes::Reason};

codes! {
    DONATED = "memplan-E121" {
        summary: "An argument cannot be donated",
        meaning: "`memplan.donated` is on an argument that is no memref, or of a function without a \
                  body.",
        advice: "Remove the attribute.",
    }
    MISUSED = "memplan-E122" {
        summary: "Donated memory is used after the call, or passed twice",
        meaning: "The callee's argument has `memplan.donated`, or one of JAX's attributes, so the callee \
                  may overwrite it. The operation that the note names uses the same memory afterwards, \
                  other than by a result of the call; or the call passes it as another argument, too.",
        advice: "Pass a copy, or use the call's result.",
    }
    CAPTURED = "memplan-E123" {
        summary: "A donated argument is captured",
        meaning: "The function stores the memory of an argument with `memplan.donated`, or passes it to a \
                  function that may keep it. Someone else may then use it while the function does.",
        advice: "Remove the attribute, or pass a copy on.",
    }
    OTHER_RESULT = "memplan-E124" {
        summary: "A donated argument cannot be the result that it is for",
        meaning: "A result starts as a copy of an argument with `memplan.donated`, but is in another memory \
                  space, or has a stricter alignment than `llvm.align` gives the argument. So the copy stays.",
        advice: "Remove the attribute, or let both be alike.",
    }
    ELIDED = "memplan-R121" {
        summary: "A buffer is now a part of another one",
        meaning: "With `remarks=true`: the contents that an operation copied to the part, from \
                  a buffer that is dead afterwards, are now computed in the part. The message \
                  gives the most bytes that are live at once in the arenas of the function, \
                  after and before all elisions that were done together.",
        advice: "Nothing.",
    }
    NOT_ELIDED = "memplan-R122" {
        summary: "A buffer that is copied to a part of another stays separate",
        meaning: "With `remarks=true`: the operation writes all of a buffer to a part of \
                  another, element by element, or it copies. The message gives the reason, with \
                  an id, why the contents are not computed in the part, or why the copy is not \
                  a view.",
        advice: "The message and the list below say what prevents it.",
        reasons: refusals,
    }
}

fn refusals() -> Vec<Reason> {
    let reasons = Refusal::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: None,
    });
    reasons.collect()
}
