//! What the pass says.

use super::facts;
use memplan_mlir::{codes, codes::Reason};

fn reasons() -> Vec<Reason> {
    let reasons = facts::Reason::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: None,
    });
    reasons.collect()
}

codes! {
    NOT_RUNTIME = "memplan-E501" {
        summary: "A name of the runtime is taken by something else",
        meaning: "The pass calls functions of `libmemplan_runtime` by their names. The program has something of that name \
                  which is not a private function without a body, with `llvm.emit_c_interface`, of the type that the message \
                  gives. Nothing was changed.",
        advice: "Rename it, or declare the runtime's function as `memplan_runtime.h` has it.",
    }
    PLACED = "memplan-R501" {
        summary: "An allocation goes to a region",
        meaning: "With `remarks=true`: the message says which. *The caller's* is the function's last argument, *the \
                  function's* is released at each return, a loop's is given back by each turn; *one of two that a loop \
                  swaps* holds what each turn makes for the next, and one *that is emptied behind its last use* lies in a \
                  block.",
        advice: "Nothing. `memplan table FILE` counts the same from a report.",
    }
    LEFT = "memplan-R502" {
        summary: "An allocation is left alone",
        meaning: "With `remarks=true`: the allocation does not go to a region, and `memplan-dealloc-pipeline` frees it. The \
                  message gives the reason; reports give its id. One whose size is known stays if it does not go to a \
                  caller, unless `sizes=all` asks for it, and so does what is in a function that is no `func.func` of a \
                  module, is a coroutine, or has indices of other than 64 bits.",
        advice: "Nothing, if that is fine. Else the reason says what the region would need.",
        reasons: reasons,
    }
}
