//! The diagnostics of compilation, apart from those of passes.

use memplan_mlir::codes;

codes! {
    BETWEEN_FUNCTIONS = "memplan-E901" {
        summary: "What stands in no function gives or takes values",
        meaning: "`memplan compile` translates functions apart from each other. An operation beside them that gives or takes \
                  values belongs to none.",
        advice: "Put it into a function, or keep what it computes in a `memref.global`.",
    }
}
