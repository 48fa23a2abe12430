//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    MOVED = "memplan-R131" {
        summary: "A buffer lives in the memory of an argument",
        meaning: "With `remarks=true`: nothing needs the contents of the argument while the buffer is live. So the \
                  buffer is not allocated.",
        advice: "Nothing.",
    }
}
