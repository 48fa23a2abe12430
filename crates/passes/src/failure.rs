//! What passes say when they fail.

use memplan_mlir::{
    diagnostics,
    ir::Op,
    melior::ir::operation::OperationLike,
    pass::{Failed, Pass},
};
use std::fmt::Display;

/// An error at an operation.
pub fn fail(op: Op<'_>, message: impl Into<String>) -> Failed {
    diagnostics::error(op.location(), message).emit();
    Failed
}

/// The same, with the name of the pass in front.
pub fn fail_as<P: Pass>(op: Op<'_>, why: impl Display) -> Failed {
    fail(op, format!("{}: {why}", P::DECLARATION.argument))
}
