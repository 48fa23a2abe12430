//! Diagnostics of the pass.

use memplan_interface::codes;

codes! {
    MOVED = "memplan-R132" {
        summary: "A buffer lives in the memory of a result",
        meaning: "With `remarks=true`: nothing needs the contents of the result while the buffer is live. So the buffer is \
                  not allocated, and the result may be allocated earlier.",
        advice: "Nothing.",
    }
}
