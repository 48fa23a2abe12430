//! What others have registered is called here: their panics go no further than the pass that asks.

use crate::{codes::EXTENSION, diagnostics::Diagnostic, ir::Op};
use melior::ir::operation::OperationLike;
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// Ends a run of a pass that has said why.
pub(crate) struct Told;

/// What somebody's function gives; a panic is an error with its text.
///
/// # Errors
///
/// Those of the function, and panics.
pub fn call<T>(function: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(function))
        .unwrap_or_else(|panic| Err(format!("it panicked: {}", panic_text(&*panic))))
}

/// Says at `op` what is wrong, and ends the pass that runs, which fails.
pub fn fail(op: Op<'_>, message: String) -> ! {
    Diagnostic::new(EXTENSION, op.location(), message).emit();
    resume_unwind(Box::new(Told))
}

/// The text of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("unknown panic")
}
