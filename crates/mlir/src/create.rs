//! Passes and pipelines for the pass managers of a program that embeds memplan.

use crate::{ffi, pass, pipeline, text};
use melior::pass::{OperationPassManager, Pass};
use mlir_sys::{MlirOpPassManager, MlirPass, MlirStringRef};
use std::ffi::c_void;

/// Why there is no pass.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CreateError {
    /// None of this name has been registered.
    #[error("no pass is called '{0}'")]
    Pass(String),
    /// None of this name has been registered.
    #[error("no pipeline is called '{0}'")]
    Pipeline(String),
    /// The options are not those that it takes.
    #[error("{0}")]
    Options(String),
}

/// A pass that has been registered, by its name, with options as they stand between braces in a pipeline.
///
/// # Errors
///
/// There is none of that name, or it does not take these options.
pub fn pass(argument: &str, options: &str) -> Result<Pass, CreateError> {
    // SAFETY: a fresh pass that nobody else owns.
    raw_pass(argument, options).map(|raw| unsafe { Pass::from_raw(raw) })
}

/// The same as the C API has it; the caller owns it.
///
/// # Errors
///
/// As above.
pub fn raw_pass(argument: &str, options: &str) -> Result<MlirPass, CreateError> {
    let descriptor =
        pass::descriptor(argument).ok_or_else(|| CreateError::Pass(argument.to_owned()))?;
    let mut said = String::new();
    // SAFETY: a descriptor lives as long as the process; `listen` gets `said` back, which outlives the call.
    let made = unsafe {
        ffi::memplanMakePass(
            descriptor,
            text::borrow(options),
            Some(listen),
            (&raw mut said).cast(),
        )
    };
    if made.ptr.is_null() {
        return Err(CreateError::Options(said.trim_end().to_owned()));
    }
    Ok(made)
}

/// Adds a pipeline that has been registered, with options as above.
///
/// # Errors
///
/// There is none of that name, or it does not take these options. Some of its passes may have been added.
pub fn pipeline(
    manager: OperationPassManager<'_, '_>,
    argument: &str,
    options: &str,
) -> Result<(), CreateError> {
    // SAFETY: a pass manager that is alive, and that nobody else uses.
    unsafe { raw_pipeline(manager.to_raw(), argument, options) }
}

/// The same as the C API has it.
///
/// # Errors
///
/// As above.
///
/// # Safety
///
/// The pass manager is alive, and nobody else uses it.
pub unsafe fn raw_pipeline(
    manager: MlirOpPassManager,
    argument: &str,
    options: &str,
) -> Result<(), CreateError> {
    let descriptor =
        pipeline::descriptor(argument).ok_or_else(|| CreateError::Pipeline(argument.to_owned()))?;
    let mut said = String::new();
    // SAFETY: as for passes; the manager is the caller's promise.
    let is_done = unsafe {
        ffi::memplanAddPipeline(
            descriptor,
            manager,
            text::borrow(options),
            Some(listen),
            (&raw mut said).cast(),
        )
    };
    match is_done {
        true => Ok(()),
        false => Err(CreateError::Options(said.trim_end().to_owned())),
    }
}

unsafe extern "C" fn listen(message: MlirStringRef, said: *mut c_void) {
    // SAFETY: the text that the functions above hand over; the message is copied.
    unsafe { (*said.cast::<String>()).push_str(&text::copy(message)) };
}
