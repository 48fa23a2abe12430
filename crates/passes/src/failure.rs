//! Errors that make a pass fail.

use memplan_mlir::{
    codes::Code,
    diagnostics::{Diagnostic, known_location},
    ir::Op,
    pass::{Failed, Pass},
};
use std::fmt::Display;

/// Emits an error at an operation.
pub fn fail(op: Op<'_>, code: &Code, message: impl Display) -> Failed {
    Diagnostic::new(code, known_location(op), message).emit();
    Failed
}

/// Emits an error at an operation, with the name of the pass before the message.
pub fn fail_as<P: Pass>(op: Op<'_>, code: &Code, why: impl Display) -> Failed {
    fail(op, code, format!("{}: {why}", P::DECLARATION.argument))
}
