//! Diagnostics of the pass.

use memplan_interface::{codes, codes::Reason};

fn reasons() -> Vec<Reason> {
    let reasons = super::Reason::ALL.iter().map(|reason| Reason {
        id: reason.id(),
        text: reason.text(),
        advice: None,
    });
    reasons.chain([KNOWN_SIZE]).collect()
}

/// The pass is not asked for allocations of static size.
pub const KNOWN_SIZE: Reason = Reason {
    id: "known-size",
    text: "its size is known at compile time, and it is not returned",
    advice: Some("use sizes=all to put it into a region"),
};

codes! {
    NOT_RUNTIME = "memplan-E501" {
        summary: "A symbol of the runtime has another definition",
        meaning: "The pass calls functions of `libmemplan_runtime` by their symbols. The \
                  program has such a symbol that is not a private function without a body, with \
                  `llvm.emit_c_interface`, of the type that the message gives. Nothing was \
                  changed.",
        advice: "Rename it, or declare the function as `memplan_runtime.h` does.",
    }
    PLACED = "memplan-R501" {
        summary: "An allocation is in a region",
        meaning: "With `remarks=true`: the message names the region. *The region of the caller* \
                  is the function's last argument. *The region of the function* is released at \
                  each return. *The region of a loop* is cleared by each iteration. *One of two \
                  regions that a loop swaps* holds what each iteration creates for the next. *A \
                  region that is emptied after its last use* belongs to a block.",
        advice: "Nothing. `memplan table FILE` prints the counts of a report.",
    }
    LEFT = "memplan-R502" {
        summary: "An allocation is skipped",
        meaning: "With `remarks=true`: the allocation is not in a region, and \
                  `memplan-dealloc-pipeline` frees it. The message gives the reason, and \
                  reports its id. An allocation of static size that does not reach a caller is \
                  skipped unless `sizes=all` is set. Allocations in functions other than \
                  `func.func` of a module, in coroutines, and in functions whose indices do not \
                  have 64 bits are skipped, too.",
        advice: "Nothing, if that is fine. Otherwise the reason says what the region would need.",
        reasons: reasons,
    }
}
