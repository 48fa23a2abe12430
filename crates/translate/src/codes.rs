//! The diagnostics of compilation, apart from those of passes.

use memplan_mlir::codes;

codes! {
    BETWEEN_FUNCTIONS = "memplan-E901" {
        summary: "An operation outside of functions has operands or results",
        meaning: "`memplan compile` translates functions separately. An operation beside them \
                  that has operands or results belongs to no function.",
        advice: "Move it into a function, or store its value in a `memref.global`.",
    }
}
