//! Calls of functions that embedders registered. A panic in one fails the pass that called it.

use crate::{codes::EXTENSION, diagnostics::Diagnostic, ir::Op};
use melior::ir::operation::OperationLike;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// The payload of a panic that ends a pass whose error has been reported already.
pub(crate) struct AlreadyReported;

/// Calls `function`, and converts a panic to an error.
///
/// # Errors
///
/// Those of the function, and the text of a panic.
pub fn call<T>(function: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function))
        .unwrap_or_else(|panic| Err(format!("it panicked: {}", panic_text(&*panic))))
}

/// Reports an error at `op`, and ends the running pass, which fails.
pub fn fail(op: Op<'_>, message: String) -> ! {
    Diagnostic::new(EXTENSION, op.location(), message).emit();
    resume_unwind(Box::new(AlreadyReported))
}

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("unknown panic")
}
