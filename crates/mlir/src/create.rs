//! Creation of passes and pipelines for the pass managers of programs that embed memplan.

use crate::{ffi, pass, pipeline, string_ref};
use melior::pass::{OperationPassManager, Pass};
use mlir_sys::{MlirOpPassManager, MlirPass, MlirStringRef};
use std::ffi::c_void;

/// The reason why a pass or pipeline was not created.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CreateError {
    /// No pass of this name is registered.
    #[error("there is no pass '{0}'")]
    Pass(String),
    /// No pipeline of this name is registered.
    #[error("there is no pipeline '{0}'")]
    Pipeline(String),
    /// The options are invalid.
    #[error("{0}")]
    Options(String),
}

/// Creates a registered pass; `options` are written as between braces in a textual pipeline.
///
/// # Errors
///
/// No pass has that name, or the options are invalid.
pub fn pass(argument: &str, options: &str) -> Result<Pass, CreateError> {
    // SAFETY: a new pass that nothing else owns.
    raw_pass(argument, options).map(|raw| unsafe { Pass::from_raw(raw) })
}

/// [`pass()`] with the handle of the C API; the caller owns it.
///
/// # Errors
///
/// As for [`pass()`].
pub fn raw_pass(argument: &str, options: &str) -> Result<MlirPass, CreateError> {
    let descriptor =
        pass::descriptor(argument).ok_or_else(|| CreateError::Pass(argument.to_owned()))?;
    let mut message = String::new();
    // SAFETY: a descriptor lives as long as the process; `append_text` receives `message`, which outlives the call.
    let pass = unsafe {
        ffi::memplanCreateDescribedPass(
            descriptor,
            string_ref::borrow(options),
            Some(append_text),
            (&raw mut message).cast(),
        )
    };
    if pass.ptr.is_null() {
        return Err(CreateError::Options(message.trim_end().to_owned()));
    }
    Ok(pass)
}

/// Adds the passes of a registered pipeline to a pass manager; `options` as for [`pass()`].
///
/// # Errors
///
/// No pipeline has that name, or the options are invalid. Some of its passes may have been added.
pub fn pipeline(
    manager: OperationPassManager<'_, '_>,
    argument: &str,
    options: &str,
) -> Result<(), CreateError> {
    // SAFETY: a live pass manager that nothing else uses.
    unsafe { raw_pipeline(manager.to_raw(), argument, options) }
}

/// [`pipeline()`] with the handle of the C API.
///
/// # Errors
///
/// As for [`pipeline()`].
///
/// # Safety
///
/// The pass manager is live, and nothing else uses it.
pub unsafe fn raw_pipeline(
    manager: MlirOpPassManager,
    argument: &str,
    options: &str,
) -> Result<(), CreateError> {
    let descriptor =
        pipeline::descriptor(argument).ok_or_else(|| CreateError::Pipeline(argument.to_owned()))?;
    let mut message = String::new();
    // SAFETY: as for passes; the manager is the caller's promise.
    let is_done = unsafe {
        ffi::memplanAddPipeline(
            descriptor,
            manager,
            string_ref::borrow(options),
            Some(append_text),
            (&raw mut message).cast(),
        )
    };
    match is_done {
        true => Ok(()),
        false => Err(CreateError::Options(message.trim_end().to_owned())),
    }
}

unsafe extern "C" fn append_text(text: MlirStringRef, message: *mut c_void) {
    // SAFETY: the string that the functions above pass; the text is copied.
    unsafe { (*message.cast::<String>()).push_str(&string_ref::copy(text)) };
}
