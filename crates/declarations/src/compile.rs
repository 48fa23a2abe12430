//! The diagnostics of compilation, apart from those of passes.

use memplan_interface::codes;

codes! {
    BETWEEN_FUNCTIONS = "memplan-E901" {
        summary: "An operation outside of functions has operands or results",
        meaning: "`memplan compile` translates functions separately. An operation beside them \
                  that has operands or results belongs to no function.",
        advice: "Move it into a function, or store its value in a `memref.global`.",
    }
    NOT_LOWERED = "memplan-E902" {
        summary: "No pass lowers an operation to LLVM",
        meaning: "`memplan compile` runs passes that lower operations to the LLVM dialect. They \
                  left this operation, or refused it. [operations](operations.html) lists what \
                  is lowered, in the column *compile*.",
        advice: "Run a pass that lowers the operation before, or give the passes with \
                 `--pass-pipeline`. Tensors must be bufferized, and code for other devices must \
                 be compiled by its own tools.",
    }
    NOT_GENERATED = "memplan-E903" {
        summary: "LLVM cannot generate code",
        meaning: "The module was lowered, but LLVM has no code for this function on the target. \
                  The message is LLVM's, or says that a vector is too large: LLVM's code would be \
                  wrong.",
        advice: "Name the features that the code needs with `--features`, or another processor \
                 with `--cpu`. Divide vectors of more than 32768 elements, such as with a loop.",
    }
}
