//! What the pass says.

use super::refusal::Refusal;
use memplan_mlir::{codes, codes::Reason};

codes! {
    ELIDED = "memplan-R121" {
        summary: "A buffer has become a part of another",
        meaning: "With `remarks=true`: what an operation wrote to the part from a buffer that nothing needs behind it is computed \
                  there from the start. The message tells the most bytes that are live at once in the arenas of the function, \
                  behind and in front of all that was done together.",
        advice: "Nothing.",
    }
    NOT_ELIDED = "memplan-R122" {
        summary: "A buffer that is written to a part of another stays apart",
        meaning: "With `remarks=true`: the operation writes all of a buffer to a part of another, element by element, or copies \
                  something. The message gives the reason why the buffer was not computed there, or the copy did not become a \
                  view, in words and by an id.",
        advice: "The message, and the list below, say what is in the way.",
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
